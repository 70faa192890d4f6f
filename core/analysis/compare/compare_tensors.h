// Compares two tensors or parts of tensors: the figures of one pass over both mapped files, and what the drill-down
// needs. Weights are decoded in pieces that stay in the L1 cache; no tensor is ever decoded as a whole.
//
// a is the reference. Pairs with a non-finite value are excluded and counted. Parts must have the same number of
// weights; a truncated tensor is compared as far as the bytes of both reach.
//
// Threads: any but the UI thread, because mapped files are read. The functions use JobContext::threads workers.
//
// Errors of all functions: NotDecodable, NotSupported (size unknown), FileNotFound (missing shard), InvalidArgument
// (parts of different size, a request outside its limits), FileChangedWhileReading, Cancelled.
#pragma once

#include "analysis/compare/pair_figures.h"
#include "analysis/slice.h"
#include "analysis/statistics.h"
#include "analysis/tensor_part.h"
#include "base/job_context.h"

#include <span>

namespace gufo {

// A part and the model that it belongs to.
struct PartOf {
    const Model* model = nullptr; // not owned
    TensorPart part;
};

struct TensorComparison {
    bool identical = false; // same type and bytes, and complete
    bool truncated = false; // one of the files ends before the end of its tensor
    ComparedSums sums;
    ErrorProfile profile; // empty if identical

    [[nodiscard]] PairFigures figures() const { return figuresOf(sums); }
    [[nodiscard]] Likeness likeness() const { return likenessOf(sums, identical, truncated); }
};

// Computes all figures. Progress is in pairs.
[[nodiscard]] Result<TensorComparison> compareTensors(const PartOf& a, const PartOf& b, const JobContext& job = {});

// The sums of each row, or of at most `maxRows` groups of rows: group i of n covers the rows i·R/n … (i + 1)·R/n − 1 of
// R. The indices of the largest errors are relative to the part.
struct RowErrors {
    std::uint64_t rows = 0; // of the part
    std::vector<PairSums> groups;
};
[[nodiscard]] Result<RowErrors> compareRows(const PartOf& a, const PartOf& b, std::size_t maxRows,
                                            const JobContext& job = {});

// The sums of each block of b in a run of weights of the part, at most 2^16 blocks. If b's type has no blocks, runs of
// 32 weights serve as blocks.
struct BlockErrors {
    std::uint32_t blockSize = 0;
    std::uint64_t firstBlock = 0; // counted from the start of the part
    std::vector<PairSums> blocks;
};
[[nodiscard]] Result<BlockErrors> compareBlocks(const PartOf& a, const PartOf& b, std::uint64_t firstWeight,
                                                std::uint64_t weights, const JobContext& job = {});

// Reduces a rectangle of a − b to at most maxRows × maxColumns cells for a heat map, as reduceSlice() does. A cell
// without a finite pair is NaN.
struct ErrorTileRequest {
    std::uint64_t firstRow = 0; // of the part
    std::uint64_t rows = 0;
    std::uint64_t firstColumn = 0;
    std::uint64_t columns = 0;
};
[[nodiscard]] Result<Slice> errorTile(const PartOf& a, const PartOf& b, const ErrorTileRequest& request,
                                      std::uint64_t maxRows, std::uint64_t maxColumns, SliceReduction reduction,
                                      const JobContext& job = {});

// The exact histogram of b − a with equal bins. The default range is −max|a − b| to +max|a − b|, which takes another
// pass.
[[nodiscard]] Result<Histogram> errorHistogram(const PartOf& a, const PartOf& b, const HistogramRequest& request = {},
                                               const JobContext& job = {});

// The number of pairs in each cell of a grid over a (columns) and b (rows). Both axes have the same edges.
struct PairDensity {
    double lo = 0;
    double hi = 0;
    std::size_t bins = 0;              // number of bins along each axis
    std::vector<std::uint64_t> counts; // [b][a]
    std::uint64_t outside = 0;         // finite pairs outside [lo, hi]
    [[nodiscard]] double edge(std::size_t i) const { return binEdge(lo, hi, bins, i); }
};
// `request.bins` is at most 1024. By default, the range spans all finite values of both parts, and finding it takes
// another pass.
[[nodiscard]] Result<PairDensity> pairDensity(const PartOf& a, const PartOf& b, const HistogramRequest& request = {},
                                              const JobContext& job = {});

// The histograms of the values of each part, all with the same edges. The default range spans all finite values of all
// parts.
[[nodiscard]] Result<std::vector<Histogram>>
valueHistograms(std::span<const PartOf> parts, const HistogramRequest& request = {}, const JobContext& job = {});

} // namespace gufo
