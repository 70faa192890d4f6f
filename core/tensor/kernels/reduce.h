// Arguments and results of the reducing kernels: power sums of values, and counts of values in bins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace gufo {

// Sums in f64 of powers of (value − shift) over the finite values. The extremes are +∞ and −∞ if there is no finite
// value.
struct PowerSums {
    std::uint64_t finite = 0;
    std::uint64_t zeros = 0; // including −0
    std::uint64_t nans = 0;
    std::uint64_t infinities = 0;
    double min = std::numeric_limits<double>::infinity();
    double max = -std::numeric_limits<double>::infinity();
    double absolute = 0; // Σ|value|, without the shift
    double shift = 0;
    double sum1 = 0;
    double sum2 = 0;
    double sum3 = 0;
    double sum4 = 0;
};

// The edges of the bins. Bin i contains edges[i] ≤ value < edges[i + 1]; the last bin also includes its upper edge. The
// pointers are not owned.
struct BinPlan {
    std::uint32_t bins = 0;
    double lo = 0;
    double perUnit = 0;            // bins / (hi − lo)
    const double* edges = nullptr; // bins + 1, ascending
    bool search = false;           // edges coincide or the width is not finite, so perUnit cannot predict the bin
    // For float values: thresholds[i] is the smallest float ≥ edges[i], and thresholds[bins] the smallest float above
    // the last edge. If floatGuess is set, (value − floatLo) × floatPerUnit is never off by more than floatMargin (<
    // 1/4).
    const float* thresholds = nullptr;
    float floatLo = 0;
    float floatPerUnit = 0;
    float floatMargin = 0;
    bool floatGuess = false;
    // The number of tables of `bins` counters (a power of two). Several tables keep equal consecutive values from
    // stalling; the kernel chooses the table for each value.
    std::uint32_t tables = 1;
};

struct BinCounts {
    std::uint32_t* counts = nullptr; // tables × bins, not owned; the caller empties them before 2^32 values are counted
    std::uint64_t below = 0;         // finite values outside the edges
    std::uint64_t above = 0;
};

} // namespace gufo
