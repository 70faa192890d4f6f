// The bins of a histogram: numpy.histogram's edges, made ready for the kernels.
#pragma once

#include "analysis/statistics.h"
#include "tensor/kernels/reduce.h"

#include <array>
#include <vector>

namespace gufo {

// More bins than a screen or a file will ever want; a request for more is refused.
inline constexpr std::uint32_t kMaxBins = 1U << 20U;

// Errors: InvalidArgument (no bins, too many, a range that is not finite or upside down).
[[nodiscard]] Result<> checkRequest(const HistogramRequest& request);

class Binning {
public:
    // lo = hi is widened by ±0.5. Both finite, lo ≤ hi.
    Binning(std::uint32_t bins, double lo, double hi);
    Binning(const Binning&) = delete;
    Binning& operator=(const Binning&) = delete;

    [[nodiscard]] const BinPlan& plan() const { return m_plan; }
    // Empty, with the right range and number of bins.
    [[nodiscard]] Histogram histogram() const;

private:
    std::vector<double> m_edges;
    std::vector<float> m_thresholds;
    BinPlan m_plan;
};

// One worker's counts.
class BinCounter {
public:
    explicit BinCounter(const BinPlan& plan);
    // What the kernels add to; at most 2^32 − 1 values between two calls of empty().
    [[nodiscard]] BinCounts& counts() { return m_counts; }
    void empty();
    // counts() must be empty.
    void addTo(Histogram& histogram) const;

private:
    const BinPlan& m_plan;
    std::vector<std::uint32_t> m_tables;
    std::vector<std::uint64_t> m_totals;
    BinCounts m_counts;
};

} // namespace gufo
