// Folds many rows into one, column by column, and then columns into cells. reduceSlice() computes its cells this way.
#pragma once

#include "analysis/slice.h"

#include <functional>
#include <span>
#include <vector>

namespace gufo {

// Accumulates the largest magnitude, or sums. NaN is ignored.
class SliceFold {
public:
    SliceFold(SliceReduction reduction, std::size_t columns);

    void addRow(const float* values); // has `columns` values
    // The value of the cell that covers columns [begin, end) of all rows so far.
    [[nodiscard]] float cell(std::size_t begin, std::size_t end) const;

private:
    SliceReduction m_reduction;
    std::vector<float> m_largest;       // for LargestMagnitude; NaN if there is none yet
    std::vector<double> m_sums;         // otherwise sums of values or of squares
    std::vector<std::uint32_t> m_count; // number of values in m_sums
};

inline constexpr std::uint64_t kMaxSliceValues = 1U << 24U; // this much memory can be filled and released within 50 ms
// The number of columns processed at a time: their sums stay in the L1 cache, and the stop token is checked after each
// piece.
inline constexpr std::uint64_t kPieceColumns = 2048;

// Reduces a matrix of rows × columns values as reduceSlice() describes. `read` returns the values of any row and run of
// columns; several workers call it at once. Errors: Cancelled; InvalidArgument for more than 2^24 cells.
using ReadRun = std::function<void(std::uint64_t row, std::uint64_t column, std::span<float> out)>;
[[nodiscard]] Result<Slice> reduceRuns(std::uint64_t rows, std::uint64_t columns, std::uint64_t maxRows,
                                       std::uint64_t maxColumns, SliceReduction reduction, const ReadRun& read,
                                       const JobContext& job);

} // namespace gufo
