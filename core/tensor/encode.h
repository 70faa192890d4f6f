// Weights to the bytes of a tensor type. Encoders of our own that minimise Σ importance × (weight − decoded)² in each
// block: searches over scales and minima with least-squares refinement (kernels/portable/scale_search.h and
// nested_search.h). Layouts: kernels/scalar.
//
// Threads: pure functions, callable from any thread. All instruction sets write the same bytes.
#pragma once

#include "base/byte_source.h"
#include "tensor/tensor_type.h"

#include <span>

namespace gufo {

// F32, F16, BF16, Q4_0 … Q8_0, the K-quants, IQ4_NL, IQ4_XS, MXFP4.
[[nodiscard]] bool isEncodable(std::uint32_t typeId);
// Those, most bits per weight first.
[[nodiscard]] std::span<const TensorType> encodableTypes();

struct EncodeRequest {
    std::uint32_t typeId = 0;
    std::uint64_t columns = 0; // of a row; a multiple of the type's block
    // How much an error in each column counts: the sums of squared activations of an importance matrix; finite, ≥ 0,
    // any scale. Empty: all the same. Types without blocks do not use it. The weighted error of a block is never larger
    // than without importance: the better of both encodings is kept.
    std::span<const float> importance;
};

// Encodes whole rows to exactly their bytes, little-endian. Errors: NotEncodable; InvalidArgument (rows that are no
// whole blocks, sizes that disagree, importance that is negative or not finite); WeightOutOfRange, with the weight's
// index in the place, where a weight is NaN or infinite and the type has blocks, or is finite and outside of what the
// type holds. Floats keep NaN and infinities.
[[nodiscard]] Result<> encode(const EncodeRequest& request, std::span<const float> rows, std::span<std::byte> out);

} // namespace gufo
