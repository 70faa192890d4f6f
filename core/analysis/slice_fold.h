// Many rows folded into one, column by column, then columns into cells: how reduceSlice() makes its cells.
#pragma once

#include "analysis/slice.h"

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

} // namespace gufo
