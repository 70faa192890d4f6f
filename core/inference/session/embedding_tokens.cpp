#include "inference/session/embedding_tokens.h"

#include "base/detail.h"

#include <string>

namespace gufo::inference {
namespace {

Result<std::vector<TokenId>> idsOf(const text::Tokenizer& tokenizer, std::string_view text,
                                   const text::EncodeOptions& options, const JobContext& job) {
    auto encoding = GUFO_TRY(tokenizer.encode(text, options, job));
    return std::move(encoding.ids);
}

// Replaces the fields of the template in one pass, so that fields in the texts stay as they are.
std::string filled(std::string_view form, std::string_view query, std::string_view text) {
    std::string result;
    while (!form.empty()) {
        const std::size_t brace = std::min(form.find('{'), form.size());
        result += form.substr(0, brace);
        form.remove_prefix(brace);
        for (const auto& [field, value] :
             {std::pair<std::string_view, std::string_view>{"{query}", query}, {"{document}", text}, {"{", "{"}}) {
            if (form.starts_with(field)) {
                result += value;
                form.remove_prefix(field.size());
                break;
            }
        }
    }
    return result;
}

} // namespace

Result<std::vector<TokenId>> embeddingTokens(const text::Tokenizer& tokenizer, std::string_view text,
                                             const JobContext& job) {
    auto ids = idsOf(tokenizer, text, {}, job);
    if (ids && ids->empty()) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::PromptWithoutTokens});
    }
    return ids;
}

Result<std::vector<TokenId>> rankingTokens(const text::Tokenizer& tokenizer, const Model& model, std::string_view query,
                                           std::string_view text, const JobContext& job) {
    if (const auto form = model.metadata.string("tokenizer.chat_template.rerank")) {
        return idsOf(tokenizer, filled(*form, query, text), {.parseSpecial = true}, job);
    }
    auto ids = idsOf(tokenizer, query, {}, job);
    const auto second = GUFO_TRY(ids ? idsOf(tokenizer, text, {.addBos = false}, job) : ids);
    // BERT separates the parts by one token, RoBERTa by its end token twice; the files of both say that they add an end
    // token, and those of RoBERTa in addition a separator.
    const auto separator = tokenizer.specials().separator ? tokenizer.specials().separator : tokenizer.specials().eos;
    const bool wordPiece = tokenizer.vocabulary().kind() == text::TokenizerKind::WordPiece;
    const bool unigram = tokenizer.vocabulary().kind() == text::TokenizerKind::Unigram;
    const bool stated = model.metadata.boolean("tokenizer.ggml.add_sep_token").value_or(unigram);
    if (separator && !wordPiece && (stated || !tokenizer.addsEos())) {
        ids->push_back(*separator);
    }
    ids->insert(ids->end(), second.begin(), second.end());
    if (ids->empty()) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::PromptWithoutTokens});
    }
    return ids;
}

} // namespace gufo::inference
