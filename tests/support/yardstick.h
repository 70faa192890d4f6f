// A yardstick for durations in tests: a fixed piece of work typical of a window (making, sorting and joining texts). A
// slow or busy machine and sanitizers lengthen both the yardstick and the work that is measured.
//
//     QVERIFY(isQuickWork([&] { text = page.copyText(format); }));
#pragma once

#include <QHash>
#include <QStringList>

#include <algorithm>
#include <ctime>
#include <vector>

// Limit in yardsticks; about 50 ms on an idle machine. The yardstick is mostly Qt, which is not instrumented, so that
// sanitizers lengthen it less than the work.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr double kQuick = 150;
#else
inline constexpr double kQuick = 50;
#endif

// Processor time of this thread in milliseconds.
inline double threadMs() {
    std::timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

// A single measurement; the median of several is more reliable.
inline double oneYardstickMs() {
    constexpr int kTexts = 1'600; // about a millisecond on a machine of 2024
    const double begun = threadMs();
    QStringList texts;
    QHash<QString, int> seen;
    for (int i = 0; i < kTexts; ++i) {
        const QString text = QString::number(i * 7919 % 104'729, 16) + QStringLiteral(".weight");
        texts << text.toUpper();
        seen.insert(text, i);
    }
    std::ranges::sort(texts);
    volatile qsizetype length = texts.join(u'\n').size() + seen.size(); // keeps the compiler from removing the work
    static_cast<void>(length);
    return threadMs() - begun;
}

// How long the UI thread may block the event loop, in milliseconds, from measurements of the yardstick. On a machine on
// which the yardstick takes less than a millisecond, it counts as one.
inline double allowedMs(std::vector<double> looks) {
    std::ranges::sort(looks);
    return kQuick * std::max(1.0, looks[looks.size() / 2]);
}

// Repeats `round` a few times until it returns true (quick enough). A program that blocks its event loop does so every
// time; a busy machine does not.
template<typename Round>
[[nodiscard]] bool isQuickOnce(Round round) {
    constexpr int kRounds = 4;
    for (int i = 0; i < kRounds; ++i) {
        if (round()) {
            return true;
        }
    }
    return false;
}

// Whether `work` takes less time than the UI thread may block its event loop, or than `times` that.
template<typename Work>
[[nodiscard]] bool isQuickWork(Work work, double times = 1) {
    return isQuickOnce([&] {
        std::vector<double> looks{oneYardstickMs()};
        const double begun = threadMs();
        work();
        const double took = threadMs() - begun;
        looks.insert(looks.end(), {oneYardstickMs(), oneYardstickMs()});
        return took < times * allowedMs(looks);
    });
}
