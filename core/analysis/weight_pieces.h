// Divides a tensor into pieces for encoding: whole rows or, if a row is longer than a piece, parts of a row. A piece
// never spans two matrices, because each matrix has its own importance.
#pragma once

#include "model/tensor_info.h"

namespace gufo {

struct WeightPiece {
    std::uint64_t first = 0; // index of its first weight in the tensor
    std::uint64_t weights = 0;
    std::uint64_t columns = 0; // columns per row, or the length of the part of a row
    std::uint64_t column = 0;  // column of its first weight
    std::uint64_t matrix = 0;  // number of the matrix, counted over all dimensions above the second
};

// What becomes of rows that are longer than a piece.
enum class LongRows : std::uint8_t {
    Divided,
    Whole, // a piece is a row, as for types whose header of each row depends on all of its weights
};
[[nodiscard]] constexpr LongRows longRowsOf(const TensorTypeFact& type) {
    return type.rowHeaderBytes == 0 ? LongRows::Divided : LongRows::Whole;
}

class WeightPieces {
public:
    // `maxWeights` is the maximum number of weights in a piece, a multiple of every block size, unless a whole row is
    // longer. Parts of a row consist of whole blocks.
    WeightPieces(const Shape& shape, std::uint64_t maxWeights, LongRows longRows = LongRows::Divided);

    [[nodiscard]] std::uint64_t count() const { return m_count; }
    [[nodiscard]] WeightPiece at(std::uint64_t index) const;

private:
    std::uint64_t m_columns;
    std::uint64_t m_matrixWeights;
    std::uint64_t m_pieceWeights = 0;
    std::uint64_t m_unit = 0; // number of weights after which a piece always ends: a matrix or a long row
    std::uint64_t m_perUnit = 0;
    std::uint64_t m_count = 0;
};

} // namespace gufo
