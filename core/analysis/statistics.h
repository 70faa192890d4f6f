// Statistics and exact histograms of tensors, streamed over the mapped file: two passes (range and moments, then bins),
// all threads, no sampling, pages released behind.
//
// Definitions (DESIGN.md §6): moments in f64 over finite values, population (ddof 0), excess kurtosis; −0 counts as
// zero; NaN and ±Inf are counted only. Histogram edges are numpy.histogram's: equal widths, last bin closed.
// Threads: may run on any thread; they use JobContext::threads workers.
#pragma once

#include "base/job_context.h"
#include "model/model.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace gufo {

struct Statistics {
    std::uint64_t count = 0; // weights, finite or not
    std::uint64_t zeros = 0;
    std::uint64_t nans = 0;
    std::uint64_t infinities = 0;
    // Nothing where there is no finite value; skew and kurtosis also where the deviation is 0.
    std::optional<double> min{};
    std::optional<double> max{};
    std::optional<double> mean{};
    std::optional<double> std{};
    std::optional<double> absMean{};
    std::optional<double> skew{};
    std::optional<double> kurtosis{};
    std::optional<std::uint64_t> firstNonFinite{}; // index of the first NaN or Inf
};

// Edge i (0 … bins) of equal bins on [lo, hi].
[[nodiscard]] double binEdge(double lo, double hi, std::size_t bins, std::size_t i);

struct Histogram {
    double lo = 0;
    double hi = 0;
    std::vector<std::uint64_t> counts;
    std::uint64_t below = 0; // finite values outside [lo, hi], when a range was asked for
    std::uint64_t above = 0;

    // Edge 0 … counts.size(), as numpy.linspace rounds it.
    [[nodiscard]] double edge(std::size_t i) const { return binEdge(lo, hi, counts.size(), i); }
};

struct HistogramRequest {
    std::uint32_t bins = 256;                     // 1 … 1,048,576
    std::optional<std::array<double, 2>> range{}; // nothing: [min, max], and lo = hi widened by ±0.5
};

struct TensorAnalysis {
    Statistics statistics;
    Histogram histogram;
};

// Errors: NotDecodable; NotSupported (size unknown); FileNotFound (shard missing); FileChangedWhileReading; Cancelled;
// InvalidArgument (the request).
// A truncated tensor is analysed as far as its bytes reach (Statistics::count says how far).
// Progress is in bytes read: all passes together (16-bit floats need one).
[[nodiscard]] Result<TensorAnalysis> analyseTensor(const Model& model, TensorIndex tensor,
                                                   const HistogramRequest& request = {}, const JobContext& job = {});

// Bins only, exactly, in a range: what a zoom asks for. One pass.
[[nodiscard]] Result<Histogram> countHistogram(const Model& model, TensorIndex tensor, const HistogramRequest& request,
                                               const JobContext& job = {});

// All decodable tensors as one population; those of missing shards and of types that cannot be decoded are left out.
// Statistics::firstNonFinite stays empty.
[[nodiscard]] Result<TensorAnalysis> analyseModel(const Model& model, const HistogramRequest& request = {},
                                                  const JobContext& job = {});

// For block types: the distribution of the effective sub-block scales, and how often each code is used. A range in the
// request serves scales and minima alike.
struct BlockAnalysis {
    TensorAnalysis scales;
    std::optional<TensorAnalysis> minima{}; // types that subtract a minimum
    std::vector<std::uint64_t> codeCounts;
};
// Errors: as analyseTensor; NotSupported for types without blocks. Statistics::firstNonFinite stays empty.
[[nodiscard]] Result<BlockAnalysis> analyseBlocks(const Model& model, TensorIndex tensor,
                                                  const HistogramRequest& request = {}, const JobContext& job = {});

} // namespace gufo
