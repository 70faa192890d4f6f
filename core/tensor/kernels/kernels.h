// The functions that exist once per instruction set, as a table of pointers. kernels/scalar fills all of it; the other
// sets replace what they do faster. Everything in an instruction set's translation units has internal linkage, so that
// the linker cannot give one set's code to another.
#pragma once

#include "base/cpu_features.h"
#include "tensor/kernels/attention.h"
#include "tensor/kernels/pair_sums.h"
#include "tensor/kernels/products.h"
#include "tensor/kernels/reduce.h"
#include "tensor/kernels/rows.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace gufo {

struct Kernels {
    // `count` whole little-endian blocks, at any alignment, to count × blockSize floats.
    using Decode = void (*)(const std::byte* blocks, std::size_t count, float* out);
    std::array<Decode, 64> decode{}; // by type id; null where the type cannot be decoded

    // `blocks` whole blocks that stand one after the other to little-endian bytes. `importance`, if not null, says for
    // each of `columns` columns (a multiple of the block size) how much an error there counts, ≥ 0; it repeats row by
    // row, and the first weight stands in column 0. Finite weights only.
    using Encode = void (*)(const float* weights, std::size_t blocks, const float* importance, std::size_t columns,
                            std::byte* out);
    std::array<Encode, 64> encode{}; // by type id; null where the type is not written

    PowerSums (*sumFloats)(const float* values, std::size_t count, double shift) = nullptr;
    void (*binFloats)(const float* values, std::size_t count, const BinPlan& plan, BinCounts& counts) = nullptr;
    // Values of 16 bits, little-endian: how often each of the 65,536 occurs, added to counts[value].
    void (*countShorts)(const std::byte* values, std::size_t count, std::uint32_t* counts) = nullptr;

    // Sums over a[i], b[i]; added to `bins` too where that is not null. PairSums::maximumIndex is i, looked for only
    // where the maximum is above `known`.
    PairSums (*sumPairs)(const float* a, const float* b, std::size_t count, double known, PairBins* bins) = nullptr;

    // Column by column, NaN aside: the value of larger magnitude of each `largest` and `values` (the old one of equals;
    // `largest` may start as NaN); sums of values or of their squares, with how many there were.
    void (*foldLargest)(float* largest, const float* values, std::size_t count) = nullptr;
    using FoldSums = void (*)(double* sums, std::uint32_t* counts, const float* values, std::size_t count);
    FoldSums foldSums = nullptr;
    FoldSums foldSquares = nullptr;

    ProductKernels products;
    RowKernels rows;
    AttentionKernels attention;
};

// One that is not available falls back to scalar.
[[nodiscard]] const Kernels& kernelsFor(Isa isa);
// Those of activeIsa(), unless forced.
[[nodiscard]] const Kernels& activeKernels();

// For tests and benchmarks: other kernels while it lives. No work may be running when it comes or goes.
class ForcedKernels {
public:
    explicit ForcedKernels(const Kernels& kernels);
    ~ForcedKernels();
    ForcedKernels(const ForcedKernels&) = delete;
    ForcedKernels& operator=(const ForcedKernels&) = delete;

private:
    const Kernels* m_before;
};

namespace scalar {
[[nodiscard]] const Kernels& kernels();
void installEncoders(Kernels& kernels);
void installProducts(ProductKernels& products);
void installRows(RowKernels& rows);
void installAttention(AttentionKernels& kernels);
} // namespace scalar

// Those that exist in this build replace entries of the table.
namespace avx2 {
void install(Kernels& kernels);
void installInt8(ProductKernels& products);
void installInt8Vnni(ProductKernels& products);
void installEncoders(Kernels& kernels);
void installAttention(AttentionKernels& kernels);
} // namespace avx2
namespace avx512 {
void install(Kernels& kernels);
void installEncoders(Kernels& kernels);
void installAttention(AttentionKernels& kernels);
void installAttentionF16(AttentionKernels& kernels);
void installAttentionQ8(AttentionKernels& kernels);
} // namespace avx512
namespace neon {
void install(Kernels& kernels);
void installInt8(ProductKernels& products);
void installInt8Dotprod(ProductKernels& products);
void installInt8Matrices(ProductKernels& products);
void installEncoders(Kernels& kernels);
void installAttention(AttentionKernels& kernels);
} // namespace neon

} // namespace gufo
