// Changes that add tokens to the vocabulary of a model or remove some: the tokens with their types and scores, the rows
// of all tensors that have one for each token, and the keys that name or count tokens.
//
// Threads: all functions are thread-safe.
#pragma once

#include "base/error.h"
#include "model/change.h"
#include "model/model.h"
#include "model/token.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gufo {

struct NewToken {
    std::string text; // as the vocabulary spells it
    // Default: Control if the text looks like a marker, Byte if it stands for a byte, otherwise UserDefined, which
    // needs no merges.
    std::optional<TokenType> type{};
    // The token whose rows the new one gets; default: the mean of all rows, which answers like no token in particular.
    std::optional<std::uint64_t> copied{};
};

// Appends tokens in their order; their ids follow the ids of the existing tokens. Nothing else of the model changes, so
// that the logits of the existing tokens stay the same. Errors: NoSuchKey (no vocabulary); InvalidArgument with the key
// of the tokens (a text is empty, not UTF-8 or exists; the file has a list whose type cannot hold the value; args:
// Detail), or with the tensor (it has another number of rows than there are tokens); NoSuchToken.
[[nodiscard]] Result<std::vector<Change>> extendVocabulary(const Model& model, std::span<const NewToken> tokens);

// Whether weights can be written in the types of all tensors that get a row for each token, so that means can be added.
[[nodiscard]] bool canAddMeanRows(const Model& model);

// Removes tokens, in any order; all later ids change, in every key that names a token. Merges that need a removed token
// are removed, too. Errors: as for extendVocabulary(); InvalidArgument with the token's place, if it is needed: a key
// names it, it stands for a byte, or a template prints it.
[[nodiscard]] Result<std::vector<Change>> trimVocabulary(const Model& model, std::vector<std::uint64_t> ids);

// The tokens that only fill rows of the embedding and that can be removed.
[[nodiscard]] std::vector<std::uint64_t> unusedTokens(const Model& model);

// The type of a token by its text: Byte, Control or otherwise Normal.
[[nodiscard]] TokenType usualTokenType(std::string_view token);

} // namespace gufo
