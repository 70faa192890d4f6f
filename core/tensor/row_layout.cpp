#include "tensor/row_layout.h"

#include <algorithm>

namespace gufo {

std::optional<Strides> Strides::of(std::span<const std::uint64_t> dims, std::span<const std::uint64_t> strides) {
    Strides result;
    result.count = dims.size();
    result.weights = 1;
    const bool empty = std::ranges::find(dims, 0U) != dims.end();
    std::optional<std::uint64_t> furthest = 0;
    std::optional<std::uint64_t> weights = empty ? 0 : 1;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        result.dims[i] = dims[i];
        result.strides[i] = strides[i];
        if (empty) {
            continue;
        }
        const auto reach = checkedMultiply(dims[i] - 1, strides[i]);
        furthest = furthest && reach ? checkedAdd(*furthest, *reach) : std::nullopt;
        weights = weights ? checkedMultiply(*weights, dims[i]) : std::nullopt;
    }
    const auto extent = furthest && !empty ? checkedAdd(*furthest, 1) : furthest;
    if (!weights || !extent) {
        return std::nullopt;
    }
    result.weights = *weights;
    result.extent = *extent;
    return result;
}

bool Strides::inOrder() const {
    std::uint64_t expected = 1;
    for (std::size_t i = 0; i < count && weights != 0; ++i) {
        if (dims[i] != 1 && strides[i] != expected) {
            return false;
        }
        expected *= dims[i];
    }
    return true;
}

std::optional<RowLayout> RowLayout::strided(const TensorTypeFact& type, const Strides& strides) {
    const std::uint64_t columns = strides.count == 0 ? 1 : strides.dims[0];
    auto layout = type.blockSize == 1 && type.rowHeaderBytes == 0 ? of(type, columns) : std::nullopt;
    if (!layout || !checkedMultiply(strides.extent, type.blockBytes)) {
        return std::nullopt;
    }
    layout->m_strides = &strides;
    return layout;
}

std::optional<RowLayout> RowLayout::of(const TensorTypeFact& type, std::uint64_t columns) {
    if (columns % type.blockSize != 0) {
        return std::nullopt;
    }
    const auto blocks = checkedMultiply(columns / type.blockSize, type.blockBytes);
    const auto row = blocks ? checkedAdd(*blocks, type.rowHeaderBytes) : std::nullopt;
    return row ? std::optional(RowLayout(type, columns, *row)) : std::nullopt;
}

std::uint64_t RowLayout::weightsIn(std::uint64_t bytes) const {
    if (m_strides != nullptr) {
        return bytes / m_type->blockBytes >= m_strides->extent ? m_strides->weights : 0;
    }
    if (m_type->rowHeaderBytes == 0) {
        return bytes / m_type->blockBytes * m_type->blockSize;
    }
    const std::uint64_t rest = bytes % m_rowBytes;
    const std::uint64_t blocks =
        rest < m_type->rowHeaderBytes ? 0 : (rest - m_type->rowHeaderBytes) / m_type->blockBytes;
    return bytes / m_rowBytes * m_columns + blocks * m_type->blockSize;
}

std::optional<std::uint64_t> rowBytes(const TensorTypeFact& type, std::uint64_t columns) {
    const auto layout = RowLayout::of(type, columns);
    return layout ? std::optional(layout->rowBytes()) : std::nullopt;
}

std::optional<std::uint64_t> tensorBytes(const TensorTypeFact& type, std::uint64_t columns, std::uint64_t rows) {
    const auto row = rowBytes(type, columns);
    return row ? checkedMultiply(*row, rows) : std::nullopt;
}

} // namespace gufo
