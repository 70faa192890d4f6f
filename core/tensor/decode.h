// Encoded weights to numbers. The scalar decoders (kernels/scalar) are the specification; the other instruction sets
// give the same values, bit for bit or within 1 ulp where a product and a sum fuse.
//
// Threads: pure functions, callable from any thread. The instruction set is activeIsa() unless one is named.
#pragma once

#include "base/byte_order.h"
#include "base/byte_source.h"
#include "base/cpu_features.h"
#include "tensor/tensor_type.h"

#include <span>

namespace gufo {

// True for every type that decode() takes: all of ggml's present types, also Q8_1 and Q8_K.
[[nodiscard]] bool isDecodable(std::uint32_t typeId);

// True where float loses bits of the stored value: F64, I32, I64. decode64() does not.
[[nodiscard]] bool needsDouble(std::uint32_t typeId);

// Decodes whole blocks: `out.size()` weights, a multiple of the type's block size, from `out.size() / blockSize *
// blockBytes` bytes. A type with a row header is not decodable. Errors: NotDecodable, InvalidArgument (sizes disagree).
[[nodiscard]] Result<> decode(std::uint32_t typeId, Bytes blocks, std::span<float> out,
                              ByteOrder order = ByteOrder::Little);
[[nodiscard]] Result<> decode(Isa isa, std::uint32_t typeId, Bytes blocks, std::span<float> out,
                              ByteOrder order = ByteOrder::Little);
[[nodiscard]] Result<> decode64(std::uint32_t typeId, Bytes blocks, std::span<double> out,
                                ByteOrder order = ByteOrder::Little);

// Any run of weights [first, first + out.size()) of a tensor whose encoded bytes are `tensor`: decodes the blocks that
// the run touches. Errors: as decode(); RangeOutsideFile where the bytes end before the run does.
[[nodiscard]] Result<> decodeRange(std::uint32_t typeId, Bytes tensor, std::uint64_t first, std::span<float> out,
                                   ByteOrder order = ByteOrder::Little);

// Swaps the byte order of every field of whole blocks, from `in` to `out` of the same size. Its own inverse.
[[nodiscard]] Result<> swapByteOrder(std::uint32_t typeId, Bytes in, std::span<std::byte> out);

} // namespace gufo
