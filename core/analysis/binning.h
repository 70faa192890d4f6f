// The bins of a histogram, with numpy.histogram's edges, in the form that the kernels need.
#pragma once

#include "analysis/statistics.h"
#include "tensor/kernels/reduce.h"

#include <array>
#include <vector>

namespace gufo {

// The largest number of bins; requests for more are refused.
inline constexpr std::uint32_t kMaxBins = 1U << 20U;

// Errors: InvalidArgument (no bins, too many bins, a range that is not finite or is reversed).
[[nodiscard]] Result<> checkRequest(const HistogramRequest& request);

class Binning {
public:
    // Both bounds are finite, and lo ≤ hi. If they are equal, the range is widened by ±0.5.
    Binning(std::uint32_t bins, double lo, double hi);
    Binning(const Binning&) = delete;
    Binning& operator=(const Binning&) = delete;

    [[nodiscard]] const BinPlan& plan() const { return m_plan; }
    // An empty histogram with this range and number of bins.
    [[nodiscard]] Histogram histogram() const;

private:
    std::vector<double> m_edges;
    BinPlan m_plan;
};

// The counts of one worker.
class BinCounter {
public:
    explicit BinCounter(const BinPlan& plan);
    // At most 2^32 − 1 values may be counted between two calls of empty().
    void count(const float* values, std::size_t count);
    void count(const double* values, std::size_t count);
    void empty();
    // Call empty() before addTo().
    void addTo(Histogram& histogram) const;

private:
    void emptyPairs();

    const BinPlan& m_plan;
    std::vector<std::uint32_t> m_tables;
    std::vector<std::uint16_t> m_pairs;
    std::size_t m_paired = 0; // values that were counted in m_pairs, at most
    std::vector<std::uint64_t> m_totals;
    BinCounts m_counts;
};

} // namespace gufo
