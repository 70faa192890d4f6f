// A 2-D piece of a tensor, decoded for the heat map and the value grid.
#pragma once

#include "base/job_context.h"
#include "model/model.h"

#include <array>
#include <vector>

namespace gufo {

// Rows and columns of one matrix of the tensor. Columns run along dims[0]; rows along dims[1] unless `rowDimension`
// names another; `fixed` gives the index of every other dimension (entries for dims 0 and rowDimension are not read).
struct SliceRequest {
    std::uint64_t firstRow = 0;
    std::uint64_t rows = 0;
    std::uint64_t firstColumn = 0;
    std::uint64_t columns = 0;
    std::size_t rowDimension = 1;
    std::array<std::uint64_t, Shape::kMaxDimensions> fixed{};
};

struct Slice {
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    std::vector<float> values; // [row][column], row-major; NaN where the file is truncated
};

// Every weight of the range, at most 2^24 of them (a larger one is asked for in parts). Errors: NotDecodable,
// InvalidArgument (outside the shape), NotSupported, FileNotFound, FileChangedWhileReading, Cancelled.
[[nodiscard]] Result<Slice> readSlice(const Model& model, TensorIndex tensor, const SliceRequest& request,
                                      const JobContext& job = {});

// The range reduced to at most maxRows × maxColumns cells: each cell holds the value of largest magnitude among its
// weights (so that an outlier stays visible), the mean, or the root of the mean square. NaN weights and those past the
// end of a truncated file do not count; a cell without any other is NaN. Cell i of n covers rows (columns) i·N/n …
// (i + 1)·N/n − 1 of N. Reads all of the range, multi-threaded. Errors: as readSlice.
enum class SliceReduction : std::uint8_t { LargestMagnitude, Mean, RootMeanSquare };
[[nodiscard]] Result<Slice> reduceSlice(const Model& model, TensorIndex tensor, const SliceRequest& request,
                                        std::uint64_t maxRows, std::uint64_t maxColumns, SliceReduction reduction,
                                        const JobContext& job = {});

} // namespace gufo
