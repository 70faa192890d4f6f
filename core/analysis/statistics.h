// Statistics and exact histograms of tensors, streamed over the mapped file on all threads without sampling: one pass
// for the range and one for moments and bins. Pages are released after use.
//
// Definitions: moments are computed in f64 over finite values, for the population (ddof 0), with excess kurtosis; −0
// counts as zero; NaN and ±Inf are only counted. Histograms have the edges of numpy.histogram: equal widths, last bin
// closed.
//
// Threads: any. The functions use JobContext::threads workers.
#pragma once

#include "base/job_context.h"
#include "model/model.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace gufo {

struct Statistics {
    std::uint64_t count = 0; // all weights, finite or not
    std::uint64_t zeros = 0;
    std::uint64_t nans = 0;
    std::uint64_t infinities = 0;
    // No value if there is no finite weight; skew and kurtosis also if the deviation is 0.
    std::optional<double> min{};
    std::optional<double> max{};
    std::optional<double> mean{};
    std::optional<double> std{};
    std::optional<double> absMean{};
    std::optional<double> skew{};
    std::optional<double> kurtosis{};
    std::optional<std::uint64_t> firstNonFinite{}; // index of the first NaN or Inf
};

// Edge number i (0 … bins) of equal bins on [lo, hi].
[[nodiscard]] double binEdge(double lo, double hi, std::size_t bins, std::size_t i);

struct Histogram {
    double lo = 0;
    double hi = 0;
    std::vector<std::uint64_t> counts;
    std::uint64_t below = 0; // finite values outside a requested range [lo, hi]
    std::uint64_t above = 0;

    // Edge number 0 … counts.size(), rounded like numpy.linspace.
    [[nodiscard]] double edge(std::size_t i) const { return binEdge(lo, hi, counts.size(), i); }
};

struct HistogramRequest {
    std::uint32_t bins = 256;                     // 1 … 1,048,576
    std::optional<std::array<double, 2>> range{}; // default: [min, max]; if both are equal, widened by ±0.5
};

struct TensorAnalysis {
    Statistics statistics;
    Histogram histogram;
};

// Analyses a tensor. A truncated tensor is analysed as far as its bytes reach (Statistics::count says how far).
// Progress is in bytes read, over all passes (16-bit numbers, FP4 types and TQ1_0 need one). Errors: NotDecodable;
// NotSupported (size unknown); FileNotFound (shard missing); FileChangedWhileReading; Cancelled; InvalidArgument (the
// request).
[[nodiscard]] Result<TensorAnalysis> analyseTensor(const Model& model, TensorIndex tensor,
                                                   const HistogramRequest& request = {}, const JobContext& job = {});

// Counts only the bins in a range, exactly and in one pass. Zooming uses it.
[[nodiscard]] Result<Histogram> countHistogram(const Model& model, TensorIndex tensor, const HistogramRequest& request,
                                               const JobContext& job = {});

// Analyses all decodable tensors as one population. Tensors of missing shards or of types that cannot be decoded are
// left out. Statistics::firstNonFinite stays empty.
[[nodiscard]] Result<TensorAnalysis> analyseModel(const Model& model, const HistogramRequest& request = {},
                                                  const JobContext& job = {});

// For block types: the distribution of the effective sub-block scales, and how often each code is used. The range of
// the request applies to both scales and minima.
struct BlockAnalysis {
    TensorAnalysis scales;
    std::optional<TensorAnalysis> minima{}; // only for types that subtract a minimum
    std::vector<std::uint64_t> codeCounts;
};
// Errors: as for analyseTensor(); NotSupported for types without blocks. Statistics::firstNonFinite stays empty.
[[nodiscard]] Result<BlockAnalysis> analyseBlocks(const Model& model, TensorIndex tensor,
                                                  const HistogramRequest& request = {}, const JobContext& job = {});

} // namespace gufo
