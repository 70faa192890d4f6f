#include "base/remaining_time.h"

#include <cmath>

namespace gufo {
namespace {

using namespace std::chrono_literals;
constexpr auto kObserved = 10s; // the rate is measured over this last period
constexpr auto kMinimum = 1s;

} // namespace

void RemainingTime::add(std::uint64_t done, std::uint64_t total, Clock::time_point now) {
    if (total != m_total || (!m_samples.empty() && done < m_samples.back().done)) {
        m_samples.clear();
        m_total = total;
    }
    m_samples.push_back({now, done});
    while (m_samples.size() > 2 && now - m_samples[1].when >= kObserved) {
        m_samples.pop_front();
    }
}

std::optional<double> RemainingTime::rate() const {
    if (m_samples.empty() || m_samples.back().when - m_samples.front().when < kMinimum) {
        return std::nullopt;
    }
    const std::chrono::duration<double> observed = m_samples.back().when - m_samples.front().when;
    return static_cast<double>(m_samples.back().done - m_samples.front().done) / observed.count();
}

std::optional<std::chrono::seconds> RemainingTime::left() const {
    const auto perSecond = rate();
    if (!perSecond || *perSecond == 0 || m_samples.back().done > m_total) {
        return std::nullopt;
    }
    const auto missing = static_cast<double>(m_total - m_samples.back().done);
    return std::chrono::seconds(static_cast<std::int64_t>(std::ceil(missing / *perSecond)));
}

} // namespace gufo
