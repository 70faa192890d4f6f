// How far long work is, in a line on standard error that is painted over; nothing where that is no terminal.
#pragma once

#include "base/job_context.h"
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
    enum class Unit : std::uint8_t { Bytes, Tokens };
    // `total`: bytes of all steps together; 0 if there is one step, which says itself.
    ProgressLine(const Console& console, QString what, std::uint64_t total = 0);
    ProgressLine(const Console& console, QString what, Unit unit)
        : ProgressLine(console, std::move(what)) {
        m_unit = unit;
    }
    ~ProgressLine(); // clears the line

    // What the present step moves.
    [[nodiscard]] Progress* progress() { return &m_progress; }
    // Work goes on with another step, of so many bytes of the total.
    void nextStep(const QString& what, std::uint64_t bytes);

private:
    void paint();

    Progress m_progress;
    std::mutex m_mutex; // of what follows
    QString m_what;
    std::uint64_t m_before = 0; // the bytes of the steps that are done
    std::uint64_t m_step = 0;
    std::uint64_t m_total = 0;
    std::atomic<Unit> m_unit = Unit::Bytes;
    bool m_painted = false;
    std::condition_variable_any m_ended;
    std::jthread m_painter; // last: ends first
};

} // namespace gufo::cli
