// A tensor cut into pieces to be encoded: whole rows or, where a row is longer than a piece, parts of one; never across
// matrices, which have an importance each.
#pragma once

#include "model/tensor_info.h"

namespace gufo {

struct WeightPiece {
    std::uint64_t first = 0; // weight of the tensor
    std::uint64_t weights = 0;
    std::uint64_t columns = 0; // of the rows it holds, or of the part of a row that it is
    std::uint64_t column = 0;  // of its first weight
    std::uint64_t matrix = 0;  // counted over all dimensions above the second
};

class WeightPieces {
public:
    // `most`: weights in a piece, a multiple of every block size. Where a row is longer than that, its parts are whole
    // blocks.
    WeightPieces(const Shape& shape, std::uint64_t most);

    [[nodiscard]] std::uint64_t count() const { return m_count; }
    [[nodiscard]] WeightPiece at(std::uint64_t index) const;

private:
    std::uint64_t m_columns;
    std::uint64_t m_matrixWeights;
    std::uint64_t m_pieceWeights = 0;
    std::uint64_t m_unit = 0; // weights after which a piece ends anyway: a matrix, or a long row
    std::uint64_t m_perUnit = 0;
    std::uint64_t m_count = 0;
};

} // namespace gufo
