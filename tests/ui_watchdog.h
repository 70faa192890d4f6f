// Measures the longest time without a turn of the event loop, step by step of a UI test.
//
//     UiWatchdog watchdog;
//     watchdog.step("open");  …  watchdog.step("sort");  …
//     watchdog.finish();      // prints a table
//     QVERIFY(watchdog.longestMs() < 50);
//
// A gap is counted without the time for which the system gave the processor to others while this thread wanted to run
// (Linux: /proc/thread-self/schedstat): on a busy test machine that is not the program's fault. Reading from a disk and
// waiting for a lock are. Both figures are printed.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <vector>

class UiWatchdog : public QObject {
public:
    UiWatchdog() {
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.setInterval(kTickMs);
        connect(&m_timer, &QTimer::timeout, this, [this] { tick(); });
        restart();
        m_timer.start();
    }

    // What happens from here on, until the next step.
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
        std::printf("longest time without a turn of the loop: %.1f ms\n", longestMs());
        std::fflush(stdout);
    }

    [[nodiscard]] double longestMs() const {
        double longest = 0;
        for (const Step& step : m_steps) {
            longest = std::max(longest, step.ownMs);
        }
        return longest;
    }

private:
    static constexpr int kTickMs = 2;

    struct Step {
        QString name;
        double ownMs;
        double wallMs;
        int ticks;
    };

    // Nanoseconds that this thread has spent waiting for a processor.
    static double waitedNs() {
        std::ifstream file("/proc/thread-self/schedstat");
        double ran = 0;
        double waited = 0;
        file >> ran >> waited;
        return file ? waited : 0;
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
    double m_waited = 0;
    std::vector<Step> m_steps;
};
