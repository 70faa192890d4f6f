#include "inference/session/hold_tokens.h"

#include <algorithm>

namespace gufo::inference {

Result<> evaluateTo(Session& session, std::span<const TokenId> tokens, Logits which, const JobContext& job) {
    const auto [end, knownEnd] = std::ranges::mismatch(tokens, session.tokens());
    auto common = static_cast<std::size_t>(end - tokens.begin());
    common = std::min(common, tokens.size() - 1); // the logits of the last token are needed
    common = session.truncate(common);
    return session.evaluate(tokens.subspan(common), which, job);
}

} // namespace gufo::inference
