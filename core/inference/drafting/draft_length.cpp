#include "inference/drafting/draft_length.h"

#include <algorithm>

namespace gufo::inference {
namespace {

constexpr double kNewPlain = 0.2; // the weight of the latest evaluation
constexpr double kNewCost = 0.2;
constexpr double kOldDrafted = 0.9;
constexpr double kOldJudged = 0.9;
// Judged tokens count as at most so many, so that a long text that was predicted well does not outweigh what follows.
constexpr double kMostJudged = 20;
// The time of evaluations with a draft is judged only after they have produced about this many tokens. With fewer, a
// draft that pays on average would often seem to lose.
constexpr double kEnoughTokens = 8;

} // namespace

// An evaluation of n drafted tokens produces 1 + p + … + pⁿ tokens of text on average, in the time of 1 + n × cost
// evaluations.
DraftLength::Best DraftLength::best() const {
    const double share = m_accepted / m_judged;
    Best best;
    double likely = 1;
    double tokens = 1;
    for (std::size_t length = 1; length <= kMax; ++length) {
        likely *= share;
        tokens += likely;
        const double rate = tokens / (1 + static_cast<double>(length) * m_cost);
        if (rate > best.rate) {
            best = {.length = length, .rate = rate};
        }
    }
    return best;
}

std::size_t DraftLength::next() const {
    return m_paused != 0 || m_plainSeconds == 0 ? 0 : std::min(best().length, m_limit);
}

void DraftLength::record(std::size_t drafted, std::size_t accepted, double seconds) {
    if (drafted == 0) {
        m_plainSeconds += (seconds - m_plainSeconds) * (m_plainSeconds == 0 ? 1 : kNewPlain);
        m_paused -= m_paused != 0 ? 1 : 0;
        return;
    }
    const auto count = static_cast<double>(accepted);
    if (accepted == drafted && drafted >= m_limit) {
        m_limit = std::min(2 * m_limit, kMax);
    } else if (accepted == 0) {
        m_limit = std::max<std::size_t>(std::min(m_limit, drafted) / 2, 1);
    }
    const double cost = std::max(0.0, seconds / m_plainSeconds - 1) / static_cast<double>(drafted);
    m_cost += (cost - m_cost) * kNewCost;
    m_accepted = kOldJudged * m_accepted + count;
    m_judged = kOldJudged * m_judged + count + (accepted < drafted ? 1 : 0);
    if (m_judged > kMostJudged) {
        m_accepted *= kMostJudged / m_judged;
        m_judged = kMostJudged;
    }
    m_draftedSeconds = kOldDrafted * m_draftedSeconds + seconds;
    m_draftedTokens = kOldDrafted * m_draftedTokens + 1 + count;
    const double saved = m_draftedTokens * m_plainSeconds - m_draftedSeconds;
    const bool loses = saved < 0 && m_draftedTokens >= kEnoughTokens;
    if (!loses && best().rate >= 1) {
        m_pause = saved >= 0 ? kShortPause : m_pause;
    } else {
        m_paused = m_pause;
        m_pause = std::min(2 * m_pause, kLongPause);
        m_limit = kFirstLimit;
        m_accepted = kFirstAccepted;
        m_judged = kFirstJudged;
        m_draftedSeconds = 0;
        m_draftedTokens = 0;
    }
}

} // namespace gufo::inference
