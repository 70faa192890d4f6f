#include "inference/interface/drafter.h"

#include <cstdint>
#include <limits>

namespace gufo::inference {

std::optional<TokenId> certainToken(std::span<const float> logits) {
    constexpr float kNone = -std::numeric_limits<float>::infinity();
    float first = kNone;
    float second = kNone;
    std::uint32_t token = 0;
    for (std::uint32_t i = 0; i < logits.size(); ++i) {
        const float logit = logits[i];
        if (logit > first) {
            second = first;
            first = logit;
            token = i;
        } else if (logit > second) {
            second = logit;
        }
    }
    return first - second >= kMinDraftMargin ? std::optional(TokenId(token)) : std::nullopt;
}

} // namespace gufo::inference
