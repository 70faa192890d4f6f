// What the reducing kernels take and give: power sums of values, and counts of values in bins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace gufo {

// Sums over the finite values among those given, of powers of (value − shift), in f64. The extremes are +∞ and −∞
// where there is none.
struct PowerSums {
    std::uint64_t finite = 0;
    std::uint64_t zeros = 0; // −0 counts
    std::uint64_t nans = 0;
    std::uint64_t infinities = 0;
    double min = std::numeric_limits<double>::infinity();
    double max = -std::numeric_limits<double>::infinity();
    double absolute = 0; // Σ|value|, not shifted
    double shift = 0;
    double sum1 = 0;
    double sum2 = 0;
    double sum3 = 0;
    double sum4 = 0;
};

// Where the bins are. Bin i takes edges[i] ≤ value < edges[i + 1]; the last also its upper edge. Pointers are not
// owned.
struct BinPlan {
    std::uint32_t bins = 0;
    double lo = 0;
    double perUnit = 0;            // bins / (hi − lo)
    const double* edges = nullptr; // bins + 1, ascending
    bool search = false;           // some edges coincide or the width is not finite: guessing by perUnit does not work
    // The same for float values. thresholds[i] is the smallest float ≥ edges[i], thresholds[bins] the smallest one
    // above the last edge. floatGuess: (value − floatLo) × floatPerUnit is never off by more than floatMargin (< 1/4).
    const float* thresholds = nullptr;
    float floatLo = 0;
    float floatPerUnit = 0;
    float floatMargin = 0;
    bool floatGuess = false;
    // Counts are kept in this many tables of `bins` (a power of two), so that equal neighbours need not wait for each
    // other; which table a value goes to is the kernel's choice.
    std::uint32_t tables = 1;
};

struct BinCounts {
    std::uint32_t* counts = nullptr; // tables × bins, not owned; the caller empties them before 2^32 values
    std::uint64_t below = 0;         // finite values outside the edges
    std::uint64_t above = 0;
};

} // namespace gufo
