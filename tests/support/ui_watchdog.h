// Measures the longest time for which the event loop is blocked in each step of a UI test.
//
//     UiWatchdog watchdog;
//     watchdog.step("open");  …  watchdog.step("sort");  …
//     watchdog.finish();      // prints a table
//     QVERIFY2(watchdog.isQuick(), watchdog.verdict());
//
// The limit is not an absolute time but a multiple of a fixed piece of work (yardstick.h), which is measured repeatedly
// in the same run and which anything else on the machine slows down alike. Time in which this thread was runnable but
// had no processor is not counted (Linux: /proc/thread-self/schedstat). Disk reads, sleeping and waiting for locks are
// counted.
#pragma once

#include "yardstick.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <cstdio>
#include <fstream>

class UiWatchdog : public QObject {
public:
    UiWatchdog() {
        m_timer.setObjectName("watchdog"); // idle.h recognises it by this name
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.setInterval(kTickMs);
        connect(&m_timer, &QTimer::timeout, this, [this] {
            tick();
            if (m_sinceYardstick.elapsed() >= kYardstickMs) {
                measure();
            }
        });
        measure();
        m_timer.start();
    }

    // Begins a step, which lasts until the next call.
    void step(const QString& name) {
        tick();
        m_steps.push_back({name, 0, 0, 0});
    }

    void finish() {
        tick();
        m_timer.stop();
        std::printf("%-58s %12s %12s %8s\n", "step", "longest ms", "with waits", "turns");
        for (const Step& step : m_steps) {
            std::printf("%-58s %12.1f %12.1f %8d\n", qPrintable(step.name), step.ownMs, step.wallMs, step.ticks);
        }
        std::printf("%s\n", verdict().constData());
        std::fflush(stdout);
    }

    [[nodiscard]] double longestMs() const {
        double longest = 0;
        for (const Step& step : m_steps) {
            longest = std::max(longest, step.ownMs);
        }
        return longest;
    }
    [[nodiscard]] double allowedMs() const { return ::allowedMs(m_yardsticks); }
    [[nodiscard]] bool isQuick() const { return longestMs() < allowedMs(); }
    [[nodiscard]] QByteArray verdict() const {
        return "longest time without a turn of the loop: " + QByteArray::number(longestMs(), 'f', 1) + " ms of " +
               QByteArray::number(allowedMs(), 'f', 1) + " allowed";
    }

private:
    static constexpr int kTickMs = 2;
    static constexpr int kYardstickMs = 100;

    struct Step {
        QString name;
        double ownMs;
        double wallMs;
        int ticks;
    };

    // Nanoseconds for which this thread has waited for a processor.
    static double waitedNs() {
        std::ifstream file("/proc/thread-self/schedstat");
        double ran = 0;
        double waited = 0;
        file >> ran >> waited;
        return file ? waited : 0;
    }

    void measure() {
        m_yardsticks.push_back(oneYardstickMs());
        m_sinceYardstick.start();
        restart(); // not counted as blocked
    }

    void restart() {
        m_clock.start();
        m_waited = waitedNs();
    }

    void tick() {
        if (!m_steps.empty()) {
            Step& step = m_steps.back();
            const double wall = static_cast<double>(m_clock.nsecsElapsed()) / 1e6;
            const double waited = (waitedNs() - m_waited) / 1e6;
            step.wallMs = std::max(step.wallMs, wall);
            step.ownMs = std::max(step.ownMs, wall - std::max(waited, 0.0));
            ++step.ticks;
        }
        restart();
    }

    QTimer m_timer;
    QElapsedTimer m_clock;
    QElapsedTimer m_sinceYardstick;
    double m_waited = 0;
    std::vector<Step> m_steps;
    std::vector<double> m_yardsticks;
};
