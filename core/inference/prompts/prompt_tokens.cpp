#include "inference/prompts/prompt_tokens.h"

#include "base/detail.h"
#include "text/conversation/conversation.h"

namespace gufo::inference {
namespace {

bool beginsWithSpecial(const text::Tokenizer& tokenizer, const text::Encoding& encoding) {
    if (encoding.ids.empty() || encoding.ranges.front().begin != 0 || encoding.ranges.front().end == 0) {
        return false;
    }
    const TokenType type = tokenizer.vocabulary().type(encoding.ids.front());
    return type == TokenType::Control || type == TokenType::UserDefined;
}

} // namespace

Result<std::vector<TokenId>> promptTokens(const text::Tokenizer& tokenizer, const std::string& prompt,
                                          const KnownText& known, const JobContext& job,
                                          std::span<const std::uint32_t> literalAt) {
    if (!known.ids.empty() && prompt.starts_with(known.text)) {
        const std::string rest = prompt.substr(known.text.size());
        std::vector<std::uint32_t> places;
        for (const std::uint32_t place : literalAt) {
            if (place > known.text.size()) {
                places.push_back(place - static_cast<std::uint32_t>(known.text.size()));
            }
        }
        auto encoding = GUFO_TRY(tokenizer.encode(
            rest, {.addBos = false, .addEos = false, .parseSpecial = true, .ranges = true, .literalAt = places}, job));
        if (rest.empty() || beginsWithSpecial(tokenizer, encoding)) {
            std::vector<TokenId> ids = known.ids;
            ids.insert(ids.end(), encoding.ids.begin(), encoding.ids.end());
            return ids;
        }
    }
    text::EncodeOptions options = text::promptEncoding();
    options.literalAt = literalAt;
    auto encoding = GUFO_TRY(tokenizer.encode(prompt, options, job));
    if (encoding.ids.empty()) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::PromptWithoutTokens});
    }
    return std::move(encoding.ids);
}

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
    // token, and RoBERTa's say that they also add a separator.
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
