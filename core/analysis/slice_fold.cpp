#include "analysis/slice_fold.h"

#include "base/detail.h"
#include "base/parallel.h"
#include "tensor/kernels/kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gufo {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

} // namespace

SliceFold::SliceFold(SliceReduction reduction, std::size_t columns)
    : m_reduction(reduction) {
    if (reduction == SliceReduction::LargestMagnitude) {
        m_largest.assign(columns, std::numeric_limits<float>::quiet_NaN());
    } else {
        m_sums.resize(columns);
        m_count.resize(columns);
    }
}

void SliceFold::addRow(const float* values) {
    const Kernels& kernels = activeKernels();
    switch (m_reduction) {
    case SliceReduction::LargestMagnitude:
        kernels.foldLargest(m_largest.data(), values, m_largest.size());
        break;
    case SliceReduction::Mean:
        kernels.foldSums(m_sums.data(), m_count.data(), values, m_sums.size());
        break;
    case SliceReduction::RootMeanSquare:
        kernels.foldSquares(m_sums.data(), m_count.data(), values, m_sums.size());
        break;
    }
}

float SliceFold::cell(std::size_t begin, std::size_t end) const {
    if (m_reduction == SliceReduction::LargestMagnitude) {
        float largest = std::numeric_limits<float>::quiet_NaN();
        for (std::size_t i = begin; i < end; ++i) {
            activeKernels().foldLargest(&largest, &m_largest[i], 1);
        }
        return largest;
    }
    double sum = 0;
    std::uint64_t count = 0;
    for (std::size_t i = begin; i < end; ++i) {
        sum += m_sums[i];
        count += m_count[i];
    }
    const double mean = sum / static_cast<double>(count); // NaN if the count is 0
    return static_cast<float>(m_reduction == SliceReduction::RootMeanSquare ? std::sqrt(mean) : mean);
}

Result<Slice> reduceRuns(std::uint64_t rows, std::uint64_t columns, std::uint64_t maxRows, std::uint64_t maxColumns,
                         SliceReduction reduction, const ReadRun& read, const JobContext& job) {
    Slice slice{.rows = std::min(rows, maxRows), .columns = std::min(columns, maxColumns)};
    if (slice.rows != 0 && slice.columns > kMaxSliceValues / slice.rows) {
        return fail(ErrorCode::InvalidArgument, {}, {Detail::PictureSizeInvalid});
    }
    slice.values.assign(slice.rows * slice.columns, kNaN);
    if (slice.values.empty()) {
        return slice;
    }
    // A unit of work is a row of cells or, if rows are long, a run of its cells.
    const auto share = [](std::uint64_t i, std::uint64_t whole, std::uint64_t cells) {
        return whole / cells * i + whole % cells * i / cells;
    };
    const std::uint64_t cellColumns = (columns + slice.columns - 1) / slice.columns;
    const std::uint64_t runCells = std::max<std::uint64_t>(1, kPieceColumns / cellColumns);
    const std::uint64_t runs = (slice.columns + runCells - 1) / runCells;
    const std::uint64_t width = std::min(columns, kPieceColumns);
    job.start(rows * columns);
    const auto reduceRun = [&](std::uint64_t cellRow, std::uint64_t firstCell, std::uint64_t lastCell) {
        const std::uint64_t begin = share(firstCell, columns, slice.columns);
        const std::uint64_t end = share(lastCell, columns, slice.columns);
        const std::uint64_t endRow = share(cellRow + 1, rows, slice.rows);
        std::array<float, kPieceColumns> values;
        SliceFold fold(reduction, width);
        for (std::uint64_t row = share(cellRow, rows, slice.rows); row < endRow; ++row) {
            // There is one piece, unless a single cell is wider than a piece.
            for (std::uint64_t column = begin; column < end && !job.stopRequested(); column += width) {
                const std::uint64_t count = std::min(width, end - column);
                read(row, column, std::span(values).first(count));
                std::fill(values.begin() + count, values.begin() + width, kNaN);
                fold.addRow(values.data());
                job.advance(count);
            }
        }
        float* cells = slice.values.data() + cellRow * slice.columns;
        for (std::uint64_t cell = firstCell; cell < lastCell; ++cell) {
            const std::uint64_t from = share(cell, columns, slice.columns) - begin;
            const std::uint64_t to = share(cell + 1, columns, slice.columns) - begin;
            cells[cell] = fold.cell(std::min(from, width), std::min(to, width));
        }
    };
    const bool complete = parallelFor(slice.rows * runs, 1, job, [&](std::uint64_t unit, std::uint64_t, unsigned) {
        const std::uint64_t firstCell = unit % runs * runCells;
        reduceRun(unit / runs, firstCell, std::min(firstCell + runCells, slice.columns));
    });
    if (!complete || job.stopRequested()) {
        return fail(ErrorCode::Cancelled);
    }
    return slice;
}

} // namespace gufo
