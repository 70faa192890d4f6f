// What must hold for every vocabulary that is drafted from a file, however damaged.
#pragma once

#include "convert/vocabulary/vocabulary_draft.h"
#include "require.h"

namespace gufo::test {

inline void checkDraft(const Result<convert::VocabularyDraft>& draft, const convert::DraftContext& context) {
    if (!draft) {
        return;
    }
    require(draft->tokens.size() <= convert::kMaxTokens);
    require(!context.rows || draft->tokens.size() == *context.rows);
    for (const convert::TokenRow& row : draft->tokens.rows()) {
        require(!row.isHole());
    }
    convert::KeyList keys;
    draft->tokens.addKeys(keys, draft->scores, draft->from);
    const ArrayView* texts = asArray(keys.find("tokenizer.ggml.tokens")->value.value());
    const ArrayView* types = asArray(keys.find("tokenizer.ggml.token_type")->value.value());
    require(texts->length == draft->tokens.size() && types->length == texts->length);
}

} // namespace gufo::test
