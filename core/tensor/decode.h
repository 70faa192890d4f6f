// Decodes weights. The scalar decoders (kernels/scalar) are the specification; the other instruction sets give the same
// values, bit for bit or within 1 ulp if they fuse a product and a sum.
//
// The unit of decoding is the row, because a few types keep a scale in the header of each row (row_layout.h). For types
// without a row header, the functions that take one row accept the whole blocks of any number of rows.
//
// Threads: pure functions, thread-safe. They use activeIsa() unless an instruction set is given.
#pragma once

#include "base/byte_order.h"
#include "base/byte_source.h"
#include "base/cpu_features.h"
#include "tensor/block_fields.h"
#include "tensor/row_layout.h"

#include <span>

namespace gufo {

// Whether decode() accepts the type: all current types of ggml, including Q8_1 and Q8_K, and the types of ik_llama.cpp
// that are listed in TensorType.
[[nodiscard]] bool isDecodable(std::uint32_t typeId);

// Whether a float cannot hold all bits of the stored value: F64 and integers of 32 and 64 bits. decode64() keeps them,
// except 64-bit integers above 2^53.
[[nodiscard]] bool needsDouble(std::uint32_t typeId);

// Encoded rows in memory: the present part of a tensor, or some of its rows. Does not own the bytes.
struct StoredRows {
    RowLayout layout;
    Bytes bytes;
    ByteOrder order = ByteOrder::Little;

    // Errors: NotDecodable; InvalidArgument (a row of `columns` weights is not a whole number of blocks).
    [[nodiscard]] static Result<StoredRows> of(std::uint32_t typeId, std::uint64_t columns, Bytes bytes,
                                               ByteOrder order = ByteOrder::Little);

    [[nodiscard]] const TensorTypeFact& type() const { return layout.type(); }
    // As of(), for weights that are not stored in order. `bytes` begins with the first weight. `strides` must outlive
    // the result.
    [[nodiscard]] static Result<StoredRows> strided(std::uint32_t typeId, const Strides& strides, Bytes bytes,
                                                    ByteOrder order = ByteOrder::Little);
    // The number of weights in complete blocks.
    [[nodiscard]] std::uint64_t weights() const { return layout.weightsIn(bytes.size()); }
    // The block that contains a weight, which must be present.
    [[nodiscard]] StoredBlock block(std::uint64_t weight) const;
};

// Decodes any run of weights [first, first + out.size()). Errors: RangeOutsideFile if the bytes end before the run.
[[nodiscard]] Result<> decode(const StoredRows& rows, std::uint64_t first, std::span<float> out);
// Copies the stored weights [first, first + count) of a type of one weight per block to `out`, which has their size,
// one after the other. Errors: RangeOutsideFile, InvalidArgument (another type or size).
[[nodiscard]] Result<> copyStored(const StoredRows& rows, std::uint64_t first, std::uint64_t count,
                                  std::span<std::byte> out);
// As decode(), with the precision of double.
[[nodiscard]] Result<> decode64(const StoredRows& rows, std::uint64_t first, std::span<double> out);

// Decodes one row of `out.size()` weights. Errors: NotDecodable, InvalidArgument (the sizes do not match).
[[nodiscard]] Result<> decode(std::uint32_t typeId, Bytes row, std::span<float> out,
                              ByteOrder order = ByteOrder::Little);
[[nodiscard]] Result<> decode(Isa isa, std::uint32_t typeId, Bytes row, std::span<float> out,
                              ByteOrder order = ByteOrder::Little);
[[nodiscard]] Result<> decode64(std::uint32_t typeId, Bytes row, std::span<double> out,
                                ByteOrder order = ByteOrder::Little);

// Swaps the byte order of every field of whole blocks, from `in` to `out`, which has the same size. `in` begins at
// layout.offset(first) of the tensor. The function is its own inverse. Errors: NotDecodable; InvalidArgument (`in` does
// not end with a block).
[[nodiscard]] Result<> swapByteOrder(const RowLayout& layout, std::uint64_t first, Bytes in, std::span<std::byte> out);
// Swaps the byte order of one row.
[[nodiscard]] Result<> swapByteOrder(std::uint32_t typeId, Bytes row, std::span<std::byte> out);

} // namespace gufo
