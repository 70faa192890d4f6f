// Shows the progress of long work in one line on standard error, which is overwritten. Shows nothing if standard error
// is not a terminal.
#pragma once

#include "base/job_context.h"
#include "base/remaining_time.h"
#include "cli/console.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace gufo::cli {

class ProgressLine {
public:
    enum class Unit : std::uint8_t { Bytes, BytesWithRate, Tokens };
    // `total` is the number of bytes of all steps. It is 0 if there is only one step, which then reports its own total.
    ProgressLine(const Console& console, QString what, std::uint64_t total = 0);
    ProgressLine(const Console& console, QString what, Unit unit)
        : ProgressLine(console, std::move(what)) {
        m_unit = unit;
    }
    ~ProgressLine(); // clears the line

    // The progress object of the current step.
    [[nodiscard]] Progress* progress() { return &m_progress; }
    // Begins another step that accounts for `bytes` of the total.
    void nextStep(const QString& what, std::uint64_t bytes);

private:
    void paint();

    Progress m_progress;
    std::mutex m_mutex; // guards the members below
    QString m_what;
    std::uint64_t m_before = 0; // bytes of the finished steps
    std::uint64_t m_step = 0;
    std::uint64_t m_total = 0;
    std::atomic<Unit> m_unit = Unit::Bytes;
    bool m_painted = false;
    RemainingTime m_time;
    std::condition_variable_any m_ended;
    std::jthread m_painter; // declared last, so that it is joined first
};

} // namespace gufo::cli
