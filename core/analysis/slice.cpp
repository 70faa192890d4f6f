#include "analysis/slice.h"

#include "analysis/slice_fold.h"
#include "base/parallel.h"
#include "tensor/decode.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

namespace gufo {
namespace {

constexpr std::uint64_t kMaxValues = 1U << 24U; // memory that is filled and given back within 50 ms
// Columns taken at once: their sums stay in the first-level cache, and a stop is seen between two such pieces.
constexpr std::uint64_t kPieceColumns = 2048;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// A checked request on the encoded bytes of a tensor.
struct Matrix {
    std::uint32_t typeId = 0;
    ByteOrder order = ByteOrder::Little;
    const ByteSource* source = nullptr;
    Bytes bytes;
    std::uint64_t weights = 0;   // that the bytes hold
    std::uint64_t origin = 0;    // index of the weight at the request's first row and column
    std::uint64_t rowStride = 0; // weights from a row to the next

    // The values of `out.size()` columns of a row; NaN past the end of the bytes.
    void read(std::uint64_t row, std::uint64_t column, std::span<float> out) const {
        const std::uint64_t first = origin + row * rowStride + column;
        const std::uint64_t present = first < weights ? std::min<std::uint64_t>(weights - first, out.size()) : 0;
        if (present != 0) {
            static_cast<void>(decodeRange(typeId, bytes, first, out.first(present), order));
        }
        std::ranges::fill(out.subspan(present), kNaN);
    }
};

std::unexpected<Error> invalid(const TensorInfo& tensor, const char* what) {
    return fail(ErrorCode::InvalidArgument, Place::tensor(std::string(tensor.name)), {what});
}

bool inside(std::uint64_t first, std::uint64_t count, std::uint64_t limit) {
    return first <= limit && count <= limit - first;
}

Result<Matrix> matrixOf(const Model& model, TensorIndex index, const SliceRequest& request) {
    const TensorInfo& tensor = model.tensor(index);
    if (!isDecodable(tensor.typeId)) {
        return fail(ErrorCode::NotDecodable, Place::tensor(std::string(tensor.name)), {tensor.typeName()});
    }
    if (request.rowDimension == 0 || request.rowDimension >= Shape::kMaxDimensions) {
        return invalid(tensor, "row_dimension");
    }
    if (!inside(request.firstColumn, request.columns, tensor.shape[0]) ||
        !inside(request.firstRow, request.rows, tensor.shape[request.rowDimension])) {
        return invalid(tensor, "range");
    }
    const auto bytes = model.bytesOf(tensor);
    if (!bytes) {
        return std::unexpected(bytes.error());
    }
    Matrix matrix;
    matrix.typeId = tensor.typeId;
    matrix.order = model.byteOrder;
    matrix.source = model.sourceOf(tensor);
    matrix.bytes = *bytes;
    matrix.weights = bytes->size() / tensor.type()->blockBytes * tensor.type()->blockSize;
    matrix.origin = request.firstColumn;
    std::uint64_t stride = tensor.shape[0]; // the size is known, so no product overflows
    for (std::size_t dim = 1; dim < Shape::kMaxDimensions; stride *= tensor.shape[dim], ++dim) {
        std::uint64_t at = request.fixed[dim];
        if (dim == request.rowDimension) {
            at = request.firstRow;
            matrix.rowStride = stride;
        } else if (at >= std::max<std::uint64_t>(tensor.shape[dim], 1)) {
            return invalid(tensor, "fixed");
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
    const auto matrix = matrixOf(model, tensor, request);
    if (!matrix) {
        return std::unexpected(matrix.error());
    }
    if (request.rows != 0 && request.columns > kMaxValues / request.rows) {
        return invalid(model.tensor(tensor), "size");
    }
    Slice slice{.rows = request.rows, .columns = request.columns};
    slice.values.resize(request.rows * request.columns);
    const std::uint64_t pieces = (request.columns + kPieceColumns - 1) / kPieceColumns; // of a row
    job.start(slice.values.size());
    const bool complete =
        parallelFor(request.rows * pieces, 16, job, [&](std::uint64_t begin, std::uint64_t end, unsigned) {
            for (std::uint64_t piece = begin; piece < end; ++piece) {
                const std::uint64_t row = piece / pieces;
                const std::uint64_t column = piece % pieces * kPieceColumns;
                const std::uint64_t count = std::min(kPieceColumns, request.columns - column);
                matrix->read(row, column, std::span(slice.values).subspan(row * request.columns + column, count));
                job.advance(count);
            }
        });
    return finished(complete, *matrix, std::move(slice));
}

Result<Slice> reduceSlice(const Model& model, TensorIndex tensor, const SliceRequest& request, std::uint64_t maxRows,
                          std::uint64_t maxColumns, SliceReduction reduction, const JobContext& job) {
    const auto matrix = matrixOf(model, tensor, request);
    if (!matrix) {
        return std::unexpected(matrix.error());
    }
    Slice slice{.rows = std::min(request.rows, maxRows), .columns = std::min(request.columns, maxColumns)};
    if (slice.rows != 0 && slice.columns > kMaxValues / slice.rows) {
        return invalid(model.tensor(tensor), "size");
    }
    slice.values.assign(slice.rows * slice.columns, kNaN);
    if (slice.values.empty()) {
        return slice;
    }
    // A unit of work is a row of cells, or a run of its cells where rows are long.
    const auto share = [](std::uint64_t i, std::uint64_t whole, std::uint64_t cells) {
        return whole / cells * i + whole % cells * i / cells;
    };
    const std::uint64_t cellColumns = (request.columns + slice.columns - 1) / slice.columns;
    const std::uint64_t runCells = std::max<std::uint64_t>(1, kPieceColumns / cellColumns);
    const std::uint64_t runs = (slice.columns + runCells - 1) / runCells;
    const std::uint64_t width = std::min(request.columns, kPieceColumns);
    job.start(slice.values.size());
    const auto reduceRun = [&](std::uint64_t cellRow, std::uint64_t firstCell, std::uint64_t lastCell) {
        const std::uint64_t begin = share(firstCell, request.columns, slice.columns);
        const std::uint64_t end = share(lastCell, request.columns, slice.columns);
        const std::uint64_t endRow = share(cellRow + 1, request.rows, slice.rows);
        std::array<float, kPieceColumns> values;
        SliceFold fold(reduction, width);
        for (std::uint64_t row = share(cellRow, request.rows, slice.rows); row < endRow; ++row) {
            // One piece, but for a single cell that is wider than that.
            for (std::uint64_t column = begin; column < end && !job.stopRequested(); column += width) {
                const std::uint64_t count = std::min(width, end - column);
                matrix->read(row, column, std::span(values).first(count));
                std::fill(values.begin() + count, values.begin() + width, kNaN);
                fold.addRow(values.data());
            }
        }
        float* cells = slice.values.data() + cellRow * slice.columns;
        for (std::uint64_t cell = firstCell; cell < lastCell; ++cell) {
            const std::uint64_t from = share(cell, request.columns, slice.columns) - begin;
            const std::uint64_t to = share(cell + 1, request.columns, slice.columns) - begin;
            cells[cell] = fold.cell(std::min(from, width), std::min(to, width));
        }
        job.advance(lastCell - firstCell);
    };
    const bool complete = parallelFor(slice.rows * runs, 1, job, [&](std::uint64_t unit, std::uint64_t, unsigned) {
        const std::uint64_t firstCell = unit % runs * runCells;
        reduceRun(unit / runs, firstCell, std::min(firstCell + runCells, slice.columns));
    });
    return finished(complete && !job.stopRequested(), *matrix, std::move(slice));
}

} // namespace gufo
