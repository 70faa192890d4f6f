// Many rows folded into one, column by column, then columns into cells: how reduceSlice() makes its cells.
#pragma once

#include "analysis/slice.h"

#include <functional>
#include <span>
#include <vector>

namespace gufo {

// Folds into the largest magnitude, or into sums. NaN does not count.
class SliceFold {
public:
    SliceFold(SliceReduction reduction, std::size_t columns);

    void addRow(const float* values); // `columns` of them
    // The cell of columns [begin, end) over all rows so far.
    [[nodiscard]] float cell(std::size_t begin, std::size_t end) const;

private:
    SliceReduction m_reduction;
    std::vector<float> m_largest;       // LargestMagnitude: so far, NaN where none
    std::vector<double> m_sums;         // else: of values or of squares
    std::vector<std::uint32_t> m_count; // values in m_sums
};

inline constexpr std::uint64_t kMaxSliceValues = 1U << 24U; // memory that is filled and given back within 50 ms
// Columns taken at once: their sums stay in the first-level cache, and a stop is seen between two such pieces.
inline constexpr std::uint64_t kPieceColumns = 2048;

// Rows × columns of values that `read` gives for any row and run of columns, reduced as reduceSlice() says. `read` is
// called by several workers at once. Errors: Cancelled; InvalidArgument for more than 2^24 cells.
using ReadRun = std::function<void(std::uint64_t row, std::uint64_t column, std::span<float> out)>;
[[nodiscard]] Result<Slice> reduceRuns(std::uint64_t rows, std::uint64_t columns, std::uint64_t maxRows,
                                       std::uint64_t maxColumns, SliceReduction reduction, const ReadRun& read,
                                       const JobContext& job);

} // namespace gufo
