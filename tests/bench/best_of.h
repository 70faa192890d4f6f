// Times a piece of work: the best of several runs, in elapsed time and in processor time, which other work on the
// machine disturbs less.
#pragma once

#include "base/parallel.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>

namespace gufo::bench {

struct Seconds {
    double passed = 1e9;
    double perThread = 1e9; // processor time of all threads, divided by their number

    void keepBetter(const Seconds& other) {
        passed = std::min(passed, other.passed);
        perThread = std::min(perThread, other.perThread);
    }
};

inline Seconds bestOf(int repeats, const std::function<void()>& work) {
    Seconds best;
    for (int i = 0; i < repeats; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const std::clock_t clock = std::clock();
        work();
        const double used = static_cast<double>(std::clock() - clock) / CLOCKS_PER_SEC;
        best.perThread = std::min(best.perThread, used / hardwareThreads());
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        best.passed = std::min(best.passed, passed.count());
    }
    return best;
}

} // namespace gufo::bench
