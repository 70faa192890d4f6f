#include "inference/drafting/draft_length.h"

#include <algorithm>

namespace gufo::inference {
namespace {

constexpr double kNewPlain = 0.2; // the weight of the latest evaluation
constexpr double kOldDrafted = 0.8;
// Drafted evaluations are judged once about so many tokens came from them, so that one bad draft does not end drafting.
constexpr double kEnoughTokens = 3;

} // namespace

std::size_t DraftLength::next() const { return m_paused != 0 || m_plainSeconds == 0 ? 0 : m_length; }

void DraftLength::record(std::size_t drafted, std::size_t accepted, double seconds) {
    if (drafted == 0) {
        m_plainSeconds += (seconds - m_plainSeconds) * (m_plainSeconds == 0 ? 1 : kNewPlain);
        m_paused -= m_paused != 0 ? 1 : 0;
        return;
    }
    m_draftedSeconds = kOldDrafted * m_draftedSeconds + seconds;
    m_draftedTokens = kOldDrafted * m_draftedTokens + 1 + static_cast<double>(accepted);
    m_length =
        accepted == drafted ? std::min(2 * std::max(m_length, drafted), kMost) : std::max<std::size_t>(accepted, 1) + 1;
    const double saved = m_draftedTokens * m_plainSeconds - m_draftedSeconds;
    if (saved >= 0) {
        m_pause = kShortPause;
    } else if (m_draftedTokens >= kEnoughTokens) {
        m_paused = m_pause;
        m_pause = std::min(2 * m_pause, kLongPause);
        m_length = kFirst;
        m_draftedSeconds = 0;
        m_draftedTokens = 0;
    }
}

} // namespace gufo::inference
