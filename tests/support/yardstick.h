// A fixed piece of work of the kind that a window does (texts made, sorted, joined), by which tests measure how long
// something took: a slow or busy machine and a sanitizer lengthen both.
//
//     QVERIFY(isQuickWork([&] { text = page.copyText(format); }));
#pragma once

#include <QHash>
#include <QStringList>

#include <algorithm>
#include <ctime>
#include <vector>

// Yardsticks: about 50 ms on a machine of its own.
inline constexpr double kQuick = 50;

// Milliseconds of processor time of this thread.
inline double threadMs() {
    std::timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

// One look; the median of several is better.
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
    volatile qsizetype length = texts.join(u'\n').size() + seen.size(); // it must be worked out
    static_cast<void>(length);
    return threadMs() - begun;
}

// The milliseconds that the UI thread may work without a turn of its event loop, as `looks` at the yardstick show. On a
// machine that is quicker than the yardstick thinks, a millisecond is one all the same.
inline double mostMs(std::vector<double> looks) {
    std::ranges::sort(looks);
    return kQuick * std::max(1.0, looks[looks.size() / 2]);
}

// What a program does to its loop it does each time; what a busy machine does, not: a round is made again while it was
// not quick, a few times. `round` tells whether it was.
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

// Whether `work` takes no longer than the UI thread may without a turn of its event loop.
template<typename Work>
[[nodiscard]] bool isQuickWork(Work work) {
    return isQuickOnce([&] {
        std::vector<double> looks{oneYardstickMs()};
        const double begun = threadMs();
        work();
        const double took = threadMs() - begun;
        looks.insert(looks.end(), {oneYardstickMs(), oneYardstickMs()});
        return took < mostMs(looks);
    });
}
