// Encodes weights in a tensor type. The encoders are the project's own and minimise Σ importance × (weight − decoded)²
// in each block, or in each row if the type has a row header, by searching over scales and minima, with least-squares
// refinement (kernels/portable/scale_search.h and factor_search.h; for types with code books of several weights,
// code_book_search.h). Layouts: kernels/scalar.
//
// Threads: pure functions, thread-safe. All instruction sets write the same bytes.
#pragma once

#include "base/byte_source.h"
#include "tensor/tensor_type.h"

#include <span>

namespace gufo {

// Whether encode() accepts the type: F32, F16, BF16, Q4_0 … Q8_0, the K-quants, IQ1 … IQ4, TQ1_0, TQ2_0, MXFP4, and of
// ik_llama.cpp's types IQ2_K … IQ6_K, IQ2_KS … IQ5_KS, IQ4_KSS and IQ2_KL. These are the rows of one table
// (encode.cpp).
[[nodiscard]] bool isEncodable(std::uint32_t typeId);
// Whether the type has so few bits that models quantised to it without importance are usually ruined.
[[nodiscard]] bool needsImportance(std::uint32_t typeId);
// All such types, in descending order of bits per weight.
[[nodiscard]] std::span<const TensorType> encodableTypes();
// The size of the encoding of `weights` weights in whole rows of `columns`. The type is known, and the size of the rows
// as floats fits memory. Types without a row header need no columns.
[[nodiscard]] std::uint64_t encodedBytes(std::uint32_t typeId, std::uint64_t columns, std::uint64_t weights);

struct EncodeRequest {
    std::uint32_t typeId = 0;
    std::uint64_t columns = 0; // weights per row; a multiple of the type's block size
    // The cost of an error in each column: the sums of squared activations of an importance matrix, finite and ≥ 0, in
    // any unit. Empty means that all columns are equal. Types without blocks ignore it. The weighted error of a block
    // (of a row, if the type has a row header) is never larger than without importance, because the better of both
    // encodings is kept.
    std::span<const float> importance;
};

// Encodes whole rows to little-endian bytes; `out` has exactly the right size. Errors: NotEncodable; InvalidArgument
// (rows that are not whole blocks, sizes that do not match, importance that is negative or not finite);
// WeightOutOfRange, with the weight's index in the place, if the type has blocks and a weight is NaN or infinite, or if
// a finite weight is outside the range of the type. Floating-point types keep NaN and infinities.
[[nodiscard]] Result<> encode(const EncodeRequest& request, std::span<const float> rows, std::span<std::byte> out);

} // namespace gufo
