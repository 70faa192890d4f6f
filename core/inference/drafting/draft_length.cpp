#include "inference/drafting/draft_length.h"

#include <algorithm>

namespace gufo::inference {
namespace {

constexpr double kNewPlain = 0.2; // the weight of the latest evaluation
constexpr double kNewCost = 0.2;
constexpr double kOldDrafted = 0.8;
constexpr double kOldJudged = 0.9;
// Evaluations with a draft are judged only after they have produced about this many tokens, so that one bad draft does
// not end drafting.
constexpr double kEnoughTokens = 3;

} // namespace

// An evaluation of n drafted tokens produces 1 + p + … + pⁿ tokens of text on average, in the time of 1 + n × cost
// evaluations.
std::size_t DraftLength::next() const {
    if (m_paused != 0 || m_plainSeconds == 0) {
        return 0;
    }
    const double share = m_accepted / m_judged;
    std::size_t best = 1;
    double bestRate = 0;
    double likely = 1;
    double tokens = 1;
    for (std::size_t length = 1; length <= kMax; ++length) {
        likely *= share;
        tokens += likely;
        const double rate = tokens / (1 + static_cast<double>(length) * m_cost);
        if (rate > bestRate) {
            bestRate = rate;
            best = length;
        }
    }
    return best;
}

void DraftLength::record(std::size_t drafted, std::size_t accepted, double seconds) {
    if (drafted == 0) {
        m_plainSeconds += (seconds - m_plainSeconds) * (m_plainSeconds == 0 ? 1 : kNewPlain);
        m_paused -= m_paused != 0 ? 1 : 0;
        return;
    }
    const auto count = static_cast<double>(accepted);
    const double cost = std::max(0.0, seconds / m_plainSeconds - 1) / static_cast<double>(drafted);
    m_cost += (cost - m_cost) * kNewCost;
    m_accepted = kOldJudged * m_accepted + count;
    m_judged = kOldJudged * m_judged + count + (accepted < drafted ? 1 : 0);
    m_draftedSeconds = kOldDrafted * m_draftedSeconds + seconds;
    m_draftedTokens = kOldDrafted * m_draftedTokens + 1 + count;
    const double saved = m_draftedTokens * m_plainSeconds - m_draftedSeconds;
    if (saved >= 0) {
        m_pause = kShortPause;
    } else if (m_draftedTokens >= kEnoughTokens) {
        m_paused = m_pause;
        m_pause = std::min(2 * m_pause, kLongPause);
        m_accepted = kFirstAccepted;
        m_judged = kFirstJudged;
        m_draftedSeconds = 0;
        m_draftedTokens = 0;
    }
}

} // namespace gufo::inference
