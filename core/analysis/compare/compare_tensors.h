// Two tensors (or parts of them) against each other: the figures of one pass over both mapped files, and what a
// drill-down asks for. Pieces are decoded into memory that stays in the first-level cache; no tensor is ever held
// whole.
//
// a is the reference. Pairs with a non-finite value are excluded and counted (DESIGN.md §6). Parts must have the same
// number of weights; a truncated tensor is compared as far as the bytes of both reach.
// Threads: any; they read mapped files, so never the UI thread. They use JobContext::threads workers.
// Errors of all: NotDecodable, NotSupported (size unknown), FileNotFound (missing shard), InvalidArgument (parts of
// different size, a request outside its limits), FileChangedWhileReading, Cancelled.
#pragma once

#include "analysis/compare/pair_figures.h"
#include "analysis/slice.h"
#include "analysis/statistics.h"
#include "analysis/tensor_part.h"
#include "base/job_context.h"

#include <span>

namespace gufo {

// A part with the model it belongs to.
struct PartOf {
    const Model* model = nullptr; // not owned
    TensorPart part;
};

struct TensorComparison {
    bool identical = false; // same type, same bytes, complete
    bool truncated = false; // one of the files ends before its tensor
    PairSums sums;
    ErrorProfile profile; // empty where identical

    [[nodiscard]] PairFigures figures() const { return figuresOf(sums); }
};

// The whole set of figures. Progress in pairs.
[[nodiscard]] Result<TensorComparison> compareTensors(const PartOf& a, const PartOf& b, const JobContext& job = {});

// Sums of each row; at most `maxRows` of them: group i of n covers rows i·R/n … (i + 1)·R/n − 1 of R. Indexes of the
// largest errors are those of the part.
struct RowErrors {
    std::uint64_t rows = 0; // of the part
    std::vector<PairSums> groups;
};
[[nodiscard]] Result<RowErrors> compareRows(const PartOf& a, const PartOf& b, std::size_t maxRows,
                                            const JobContext& job = {});

// Sums of each block of b (of its type; of runs of 32 weights where it is not quantised) in a run of weights of the
// part; at most 2^16 blocks.
struct BlockErrors {
    std::uint32_t blockSize = 0;
    std::uint64_t firstBlock = 0; // counted from the start of the part
    std::vector<PairSums> blocks;
};
[[nodiscard]] Result<BlockErrors> compareBlocks(const PartOf& a, const PartOf& b, std::uint64_t firstWeight,
                                                std::uint64_t weights, const JobContext& job = {});

// A rectangle of a − b reduced to at most maxRows × maxColumns cells, for a heat map; as reduceSlice(). NaN where no
// pair is finite.
struct ErrorTileRequest {
    std::uint64_t firstRow = 0; // of the part
    std::uint64_t rows = 0;
    std::uint64_t firstColumn = 0;
    std::uint64_t columns = 0;
};
[[nodiscard]] Result<Slice> errorTile(const PartOf& a, const PartOf& b, const ErrorTileRequest& request,
                                      std::uint64_t maxRows, std::uint64_t maxColumns, SliceReduction reduction,
                                      const JobContext& job = {});

// Exact histogram of b − a with equal bins (DESIGN.md §6); without a range from −max|a − b| to +max|a − b|, which takes
// a pass more.
[[nodiscard]] Result<Histogram> errorHistogram(const PartOf& a, const PartOf& b, const HistogramRequest& request = {},
                                               const JobContext& job = {});

// How many pairs fall into each cell of a grid over a (columns) and b (rows), both axes with the same edges.
struct PairDensity {
    double lo = 0;
    double hi = 0;
    std::size_t bins = 0;              // along each axis
    std::vector<std::uint64_t> counts; // [b][a]
    std::uint64_t outside = 0;         // finite pairs outside [lo, hi]
    [[nodiscard]] double edge(std::size_t i) const { return binEdge(lo, hi, bins, i); }
};
// `request.bins` at most 1024. Without a range: that of all finite values of both, which takes a pass more.
[[nodiscard]] Result<PairDensity> pairDensity(const PartOf& a, const PartOf& b, const HistogramRequest& request = {},
                                              const JobContext& job = {});

// Histograms of the values of each part on one set of edges: without a range from the smallest to the largest finite
// value of all.
[[nodiscard]] Result<std::vector<Histogram>>
valueHistograms(std::span<const PartOf> parts, const HistogramRequest& request = {}, const JobContext& job = {});

} // namespace gufo
