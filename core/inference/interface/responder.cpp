#include "inference/interface/responder.h"

#include "base/detail.h"

namespace gufo::inference {
namespace {

double perSecond(double count, double seconds) { return seconds > 0 ? count / seconds : 0; }

} // namespace

Result<TokenScore> Responder::score(std::span<const TokenId> /*tokens*/, TokenId /*next*/, std::size_t /*candidates*/,
                                    const JobContext& /*job*/) {
    return fail(ErrorCode::NotSupported, {}, {Detail::Token});
}

double ResponseFigures::promptPerSecond() const {
    // A single token is evaluated like a generated one, so its speed says nothing about prompts.
    return readTokens > 1 ? perSecond(static_cast<double>(readTokens), readSeconds) : 0;
}

double ResponseFigures::tokensPerSecond() const {
    // The first token is drawn from what the evaluation of the prompt yields, so that it takes no time of its own.
    return tokens > 1 ? perSecond(static_cast<double>(tokens - 1), seconds) : 0;
}

double ResponseFigures::bytesPerSecond() const { return perSecond(static_cast<double>(bytesRead), evaluationSeconds); }

} // namespace gufo::inference
