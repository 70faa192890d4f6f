#include "analysis/slice.h"

#include "analysis/slice_fold.h"
#include "base/detail.h"
#include "base/parallel.h"
#include "tensor/decode.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

namespace gufo {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// A validated request together with the encoded bytes of the tensor.
struct Matrix {
    StoredRows rows;
    const ByteSource* source = nullptr;
    std::uint64_t weights = 0;   // number of weights in `rows`
    std::uint64_t origin = 0;    // index of the weight at the request's first row and column
    std::uint64_t rowStride = 0; // stride between rows, in weights

    // Reads `out.size()` columns of a row; NaN beyond the end of the bytes.
    void read(std::uint64_t row, std::uint64_t column, std::span<float> out) const {
        const std::uint64_t first = origin + row * rowStride + column;
        const std::uint64_t present = first < weights ? std::min<std::uint64_t>(weights - first, out.size()) : 0;
        if (present != 0) {
            static_cast<void>(decode(rows, first, out.first(present)));
        }
        std::ranges::fill(out.subspan(present), kNaN);
    }
};

std::unexpected<Error> invalid(const TensorInfo& tensor, Detail why) {
    return fail(ErrorCode::InvalidArgument, Place::tensor(std::string(tensor.name)), {why});
}

bool inside(std::uint64_t first, std::uint64_t count, std::uint64_t limit) {
    return first <= limit && count <= limit - first;
}

Result<Matrix> matrixOf(const Model& model, TensorIndex index, const SliceRequest& request) {
    const TensorInfo& tensor = model.tensor(index);
    const auto rows = GUFO_TRY(model.rowsOf(tensor));
    if (request.rowDimension == 0 || request.rowDimension >= Shape::kMaxDimensions) {
        return invalid(tensor, Detail::RowDimensionInvalid);
    }
    if (!inside(request.firstColumn, request.columns, tensor.shape[0]) ||
        !inside(request.firstRow, request.rows, tensor.shape[request.rowDimension])) {
        return invalid(tensor, Detail::RangeOutsideTensor);
    }
    Matrix matrix{
        .rows = rows, .source = model.sourceOf(tensor), .weights = rows.weights(), .origin = request.firstColumn};
    std::uint64_t stride = tensor.shape[0]; // the size is known, so the products cannot overflow
    for (std::size_t dim = 1; dim < Shape::kMaxDimensions; stride *= tensor.shape[dim], ++dim) {
        std::uint64_t at = request.fixed[dim];
        if (dim == request.rowDimension) {
            at = request.firstRow;
            matrix.rowStride = stride;
        } else if (at >= std::max<std::uint64_t>(tensor.shape[dim], 1)) {
            return invalid(tensor, Detail::FixedIndexInvalid);
        }
        matrix.origin += at * stride;
    }
    return matrix;
}

Result<Slice> finished(bool complete, const Matrix& matrix, Slice slice) {
    if (!complete) {
        return fail(ErrorCode::Cancelled);
    }
    if (const auto damage = matrix.source->damage()) {
        return std::unexpected(*damage);
    }
    return slice;
}

} // namespace

Result<Slice> readSlice(const Model& model, TensorIndex tensor, const SliceRequest& request, const JobContext& job) {
    if (request.rows != 0 && request.columns > kMaxSliceValues / request.rows) {
        return invalid(model.tensor(tensor), Detail::PictureSizeInvalid);
    }
    const auto matrix = GUFO_TRY(matrixOf(model, tensor, request));
    Slice slice{.rows = request.rows, .columns = request.columns};
    slice.values.resize(request.rows * request.columns);
    const std::uint64_t pieces = (request.columns + kPieceColumns - 1) / kPieceColumns; // number of pieces per row
    job.start(slice.values.size());
    const bool complete =
        parallelFor(request.rows * pieces, 16, job, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
            for (std::uint64_t piece = begin; piece < end; ++piece) {
                const std::uint64_t row = piece / pieces;
                const std::uint64_t column = piece % pieces * kPieceColumns;
                const std::uint64_t count = std::min(kPieceColumns, request.columns - column);
                matrix.read(row, column, std::span(slice.values).subspan(row * request.columns + column, count));
                job.advance(count);
            }
        });
    return finished(complete, matrix, std::move(slice));
}

Result<Slice> reduceSlice(const Model& model, TensorIndex tensor, const SliceRequest& request, std::uint64_t maxRows,
                          std::uint64_t maxColumns, SliceReduction reduction, const JobContext& job) {
    const auto matrix = GUFO_TRY(matrixOf(model, tensor, request));
    auto slice = reduceRuns(
        request.rows, request.columns, maxRows, maxColumns, reduction,
        [&](std::uint64_t row, std::uint64_t column, std::span<float> out) { matrix.read(row, column, out); }, job);
    if (!slice) {
        return slice.error().code == ErrorCode::InvalidArgument
                   ? invalid(model.tensor(tensor), Detail::PictureSizeInvalid)
                   : std::unexpected(slice.error());
    }
    return finished(true, matrix, std::move(*slice));
}

} // namespace gufo
