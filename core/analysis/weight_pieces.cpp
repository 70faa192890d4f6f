#include "analysis/weight_pieces.h"

#include <algorithm>

namespace gufo {

WeightPieces::WeightPieces(const Shape& shape, std::uint64_t maxWeights, LongRows longRows)
    : m_columns(shape[0])
    , m_matrixWeights(shape[0] * shape[1]) {
    const std::uint64_t weights = shape.weights().value_or(0);
    if (weights == 0) {
        return;
    }
    const bool divided = m_columns > maxWeights && longRows == LongRows::Divided;
    m_pieceWeights = divided ? maxWeights : std::max<std::uint64_t>(1, maxWeights / m_columns) * m_columns;
    m_unit = divided ? m_columns : m_matrixWeights;
    m_perUnit = (m_unit - 1) / m_pieceWeights + 1;
    m_count = weights / m_unit * m_perUnit;
}

WeightPiece WeightPieces::at(std::uint64_t index) const {
    const std::uint64_t within = index % m_perUnit * m_pieceWeights;
    WeightPiece piece;
    piece.first = index / m_perUnit * m_unit + within;
    piece.weights = std::min(m_pieceWeights, m_unit - within);
    piece.columns = std::min(m_columns, piece.weights);
    piece.column = piece.first % m_columns;
    piece.matrix = piece.first / m_matrixWeights;
    return piece;
}

} // namespace gufo
