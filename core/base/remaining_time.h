// Estimates the remaining time of work in progress from its recent rate. The rate of a copy depends on what is in the
// page cache, so the average since the beginning would mislead.
//
// Threads: one at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>

namespace gufo {

class RemainingTime {
public:
    using Clock = std::chrono::steady_clock;

    // Records the progress at a moment. Progress that decreases, or another total, starts a new measurement.
    void add(std::uint64_t done, std::uint64_t total, Clock::time_point now = Clock::now());
    // Empty until the work has been observed for a second, and while it does not advance.
    [[nodiscard]] std::optional<std::chrono::seconds> left() const;
    // Units per second; empty until the work has been observed for a second.
    [[nodiscard]] std::optional<double> rate() const;

private:
    struct Sample {
        Clock::time_point when;
        std::uint64_t done;
    };
    std::deque<Sample> m_samples;
    std::uint64_t m_total = 0;
};

} // namespace gufo
