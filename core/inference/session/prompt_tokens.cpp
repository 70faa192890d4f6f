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
                                          const KnownText& known, const JobContext& job) {
    if (!known.ids.empty() && prompt.starts_with(known.text)) {
        const std::string rest = prompt.substr(known.text.size());
        auto encoding =
            tokenizer.encode(rest, {.addBos = false, .addEos = false, .parseSpecial = true, .ranges = true}, job);
        if (!encoding) {
            return std::unexpected(std::move(encoding.error()));
        }
        if (rest.empty() || beginsWithSpecial(tokenizer, *encoding)) {
            std::vector<TokenId> ids = known.ids;
            ids.insert(ids.end(), encoding->ids.begin(), encoding->ids.end());
            return ids;
        }
    }
    auto encoding = tokenizer.encode(prompt, text::promptEncoding(), job);
    if (!encoding) {
        return std::unexpected(std::move(encoding.error()));
    }
    if (encoding->ids.empty()) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::PromptWithoutTokens});
    }
    return std::move(encoding->ids);
}

} // namespace gufo::inference
