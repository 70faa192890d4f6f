// A 2-D slice of a tensor, decoded for the heat map and the value grid.
#pragma once

#include "base/job_context.h"
#include "model/model.h"

#include <array>
#include <vector>

namespace gufo {

// Rows and columns of one matrix of the tensor. Columns run along dims[0]; rows run along dims[1] unless `rowDimension`
// names another dimension. `fixed` gives the index in every other dimension (its entries for 0 and rowDimension are
// ignored).
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
    std::vector<float> values; // [row][column], row-major; NaN for weights that a truncated file lacks
};

// Reads every weight of the range, which has at most 2^24 weights. Errors: NotDecodable, InvalidArgument (outside the
// shape), NotSupported, FileNotFound, FileChangedWhileReading, Cancelled.
[[nodiscard]] Result<Slice> readSlice(const Model& model, TensorIndex tensor, const SliceRequest& request,
                                      const JobContext& job = {});

// Reduces the range to at most maxRows × maxColumns cells. A cell is the value of largest magnitude among its weights
// (so that outliers stay visible), their mean, or their root mean square. NaN weights and those beyond the end of a
// truncated file are ignored; a cell without any other weight is NaN. Cell i of n covers the rows (columns) i·N/n … (i
// + 1)·N/n − 1 of N. Reads the whole range on all threads. Errors: as for readSlice().
enum class SliceReduction : std::uint8_t { LargestMagnitude, Mean, RootMeanSquare };
[[nodiscard]] Result<Slice> reduceSlice(const Model& model, TensorIndex tensor, const SliceRequest& request,
                                        std::uint64_t maxRows, std::uint64_t maxColumns, SliceReduction reduction,
                                        const JobContext& job = {});

} // namespace gufo
