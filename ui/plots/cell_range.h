// A rectangle of cells of a matrix. The ranges are inclusive.
#pragma once

#include <cstdint>

namespace gufo::ui {

struct CellRange {
    std::uint64_t firstRow = 0;
    std::uint64_t lastRow = 0;
    std::uint64_t firstColumn = 0;
    std::uint64_t lastColumn = 0;
    [[nodiscard]] bool contains(std::uint64_t row, std::uint64_t column) const {
        return row >= firstRow && row <= lastRow && column >= firstColumn && column <= lastColumn;
    }
};

} // namespace gufo::ui
