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

// The extremes of the finite values; +∞ and −∞ if there is none.
struct Extremes {
    float smallest = std::numeric_limits<float>::infinity();
    float largest = -std::numeric_limits<float>::infinity();
};

// The edges of the bins. Bin i contains edges[i] ≤ value < edges[i + 1]; the last bin also includes its upper edge. The
// pointer is not owned.
struct BinPlan {
    std::uint32_t bins = 0;
    double lo = 0;
    double perUnit = 0;            // bins / (hi − lo)
    const double* edges = nullptr; // bins + 1, ascending
    bool search = false;           // edges coincide or the width is not finite, so perUnit cannot predict the bin
    // For float values: `first` is the smallest float ≥ edges[0], and `end` the smallest float above the last edge. If
    // floatGuess is set, (value − floatLo) × floatPerUnit is never off by more than floatMargin (< 1/4), and edges[i]
    // is i × step + lo for i < bins.
    float first = 0;
    float end = 0;
    double step = 0;
    float floatLo = 0;
    float floatPerUnit = 0;
    float floatMargin = 0;
    bool floatGuess = false;
    // The number of tables of `bins` counters (a power of two). Several tables keep equal consecutive values from
    // stalling; the kernel chooses the table for each value.
    std::uint32_t tables = 1;
};

// If there are at most 256 bins, kernels count pairs of bins, which takes half as many increments.
inline constexpr std::uint32_t kPairedBins = 256;
// The number of values after which a count of pairs might not fit in sixteen bits.
inline constexpr std::size_t kMaxPairedValues = 2 * std::numeric_limits<std::uint16_t>::max();

struct BinCounts {
    // Not owned; the caller empties both before 2^32 values are counted.
    std::uint32_t* counts = nullptr; // tables × bins
    // kPairedBins²: two values in bins a ≥ b increment [a × kPairedBins + b]. The caller empties it before
    // kMaxPairedValues are exceeded. May be null, and is if there are more than kPairedBins bins or several tables.
    std::uint16_t* pairs = nullptr;
    std::uint64_t below = 0; // finite values outside the edges
    std::uint64_t above = 0;
};

} // namespace gufo
