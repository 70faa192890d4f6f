// The layout of a tensor in memory. A row consists of its header, which few types have, and its blocks; rows follow
// each other without gaps. This is the only place that converts numbers of weights to numbers of bytes.
#pragma once

#include "base/byte_source.h"
#include "base/checked.h"
#include "tensor/tensor_type.h"

#include <array>
#include <cstdint>
#include <optional>

namespace gufo {

// The size of the whole blocks that contain `weights` weights, without row headers. The product must be known to fit.
[[nodiscard]] constexpr std::uint64_t blocksBytes(const TensorTypeFact& type, std::uint64_t weights) {
    return weights / type.blockSize * type.blockBytes;
}

// The dimensions of a tensor whose weights are not stored in order: a transposed matrix, a part of a larger tensor, or
// rows that are repeated. Weight {i, j, …} is i × strides[0] + j × strides[1] + … weights after the first one.
struct Strides {
    std::array<std::uint64_t, 8> dims{}; // fastest first
    std::array<std::uint64_t, 8> strides{};
    std::size_t count = 0;
    std::uint64_t weights = 0; // the product of the dimensions
    std::uint64_t extent = 0;  // the number of weights from the first to the furthest one, both included; 0 if there
                               // are none

    // Computes `weights` and `extent` from the other members. Returns nothing if they overflow.
    [[nodiscard]] static std::optional<Strides> of(std::span<const std::uint64_t> dims,
                                                   std::span<const std::uint64_t> strides);
    // Whether the weights are stored in order after all.
    [[nodiscard]] bool inOrder() const;
    // The position of a weight.
    [[nodiscard]] std::uint64_t position(std::uint64_t index) const {
        std::uint64_t at = 0;
        for (std::size_t i = 0; i < count; ++i) {
            at += index % dims[i] * strides[i];
            index /= dims[i];
        }
        return at;
    }
};

class RowLayout {
public:
    // Returns nothing if a row of `columns` weights is not a whole number of blocks, or if its size overflows.
    [[nodiscard]] static std::optional<RowLayout> of(const TensorTypeFact& type, std::uint64_t columns);
    // The layout of a tensor of one weight per block whose weights have these positions. `strides` must outlive it.
    // Returns nothing for other types.
    [[nodiscard]] static std::optional<RowLayout> strided(const TensorTypeFact& type, const Strides& strides);

    [[nodiscard]] const TensorTypeFact& type() const { return *m_type; }
    [[nodiscard]] std::uint64_t columns() const { return m_columns; }
    [[nodiscard]] std::uint64_t rowBytes() const { return m_rowBytes; }
    // Null if the weights are stored in order.
    [[nodiscard]] const Strides* strides() const { return m_strides; }

    // In the functions below, `index` counts weights from the start of the first row. The caller has checked that the
    // tensor fits 64 bits.

    // The offset of the block of a weight or, for the first block of a row, of the row header. If a and b are the first
    // weights of their blocks, the weights [a, b) occupy the bytes [offset(a), offset(b)), unless there are strides.
    [[nodiscard]] std::uint64_t offset(std::uint64_t index) const {
        if (m_type->rowHeaderBytes == 0) {
            return blocksBytes(*m_type, placeOf(index));
        }
        return columnOf(index) < m_type->blockSize ? headerOffset(index) : blockOffset(index);
    }
    // The offset of the block of a weight.
    [[nodiscard]] std::uint64_t blockOffset(std::uint64_t index) const {
        return blocksBytes(*m_type, placeOf(index)) + (rowsBefore(index) + 1) * m_type->rowHeaderBytes;
    }
    // Bytes that contain a run of weights, which begins and ends with a block. With strides, these are all bytes.
    [[nodiscard]] ByteRange range(std::uint64_t first, std::uint64_t count) const {
        return m_strides != nullptr ? ByteRange{0, m_strides->extent * m_type->blockBytes}
                                    : ByteRange{offset(first), offset(first + count) - offset(first)};
    }
    // The offset of the header of a weight's row.
    [[nodiscard]] std::uint64_t headerOffset(std::uint64_t index) const { return rowsBefore(index) * m_rowBytes; }
    // The number of weights from this one to the end of its row. For types without a row header, where rows need not be
    // distinguished, it is unlimited.
    [[nodiscard]] std::uint64_t weightsTogether(std::uint64_t index) const {
        return m_type->rowHeaderBytes == 0 ? ~std::uint64_t{0} : m_columns - columnOf(index);
    }

    // The number of weights in the complete blocks of the first `bytes` bytes. With strides, it is either the number of
    // all weights or 0.
    [[nodiscard]] std::uint64_t weightsIn(std::uint64_t bytes) const;

private:
    RowLayout(const TensorTypeFact& type, std::uint64_t columns, std::uint64_t rowBytes)
        : m_type(&type)
        , m_columns(columns)
        , m_rowBytes(rowBytes) {}
    [[nodiscard]] std::uint64_t placeOf(std::uint64_t index) const {
        return m_strides == nullptr ? index : m_strides->position(index);
    }
    [[nodiscard]] std::uint64_t rowsBefore(std::uint64_t index) const {
        return m_type->rowHeaderBytes == 0 || m_columns == 0 ? 0 : index / m_columns;
    }
    [[nodiscard]] std::uint64_t columnOf(std::uint64_t index) const { return m_columns == 0 ? 0 : index % m_columns; }

    const TensorTypeFact* m_type;
    std::uint64_t m_columns;
    std::uint64_t m_rowBytes;
    const Strides* m_strides = nullptr;
};

// The size of a row of `columns` weights in bytes, or nothing as for RowLayout::of().
[[nodiscard]] std::optional<std::uint64_t> rowBytes(const TensorTypeFact& type, std::uint64_t columns);
// The size of `rows` such rows in bytes; also nothing if it overflows.
[[nodiscard]] std::optional<std::uint64_t> tensorBytes(const TensorTypeFact& type, std::uint64_t columns,
                                                       std::uint64_t rows);

} // namespace gufo
