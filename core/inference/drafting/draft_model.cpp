#include "inference/drafting/draft_model.h"

#include "inference/session/hold_tokens.h"

#include <limits>

namespace gufo::inference {
namespace {

struct Best {
    std::uint32_t token = 0;
    float margin = 0; // to the second best
};

Best bestOf(std::span<const float> logits) {
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
    return {.token = token, .margin = first - second};
}

} // namespace

Result<std::vector<TokenId>> DraftModel::propose(std::span<const TokenId> text, std::size_t limit,
                                                 const JobContext& job) {
    std::vector<TokenId> proposal;
    if (text.empty() || text.size() + limit > m_session->context()) {
        return proposal;
    }
    auto evaluated = holdTokens(*m_session, text, Logits::Last, job);
    while (evaluated) {
        const Best best = bestOf(m_session->logits(0));
        if (best.margin < kMinMargin) {
            return proposal;
        }
        proposal.emplace_back(best.token);
        if (proposal.size() == limit) {
            return proposal;
        }
        evaluated = m_session->evaluate({&proposal.back(), 1}, Logits::Last, job);
    }
    if (evaluated.error().code == ErrorCode::NoSuchToken) { // of the longer vocabulary of the other model
        return std::vector<TokenId>();
    }
    return std::unexpected(std::move(evaluated.error()));
}

} // namespace gufo::inference
