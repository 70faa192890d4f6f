#include "inference/session/prompt_tokens.h"

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

} // namespace gufo::inference
