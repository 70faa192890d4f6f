// The table of functions that exist once per instruction set. kernels/scalar fills in all of it; the other sets replace
// entries with faster ones. Everything in an instruction set's translation units has internal linkage, so that the
// linker cannot substitute code of one set for another.
#pragma once

#include "base/cpu_features.h"
#include "tensor/kernels/attention.h"
#include "tensor/kernels/pair_sums.h"
#include "tensor/kernels/products.h"
#include "tensor/kernels/recurrence.h"
#include "tensor/kernels/reduce.h"
#include "tensor/kernels/rows.h"
#include "tensor/tensor_type_table.h"

#include <cstddef>
#include <cstdint>

namespace gufo {

struct Kernels {
    // Decodes `count` whole little-endian blocks, at any alignment, to count × blockSize floats. For types without a
    // row header; the blocks may belong to several rows.
    using Decode = void (*)(const std::byte* blocks, std::size_t count, float* out);
    TensorTypeTable<Decode> decode; // null if the type cannot be decoded or has a row header
    // The same for types with a row header. The blocks belong to the row that begins with `header`.
    using DecodeInRow = void (*)(const std::byte* header, const std::byte* blocks, std::size_t count, float* out);
    TensorTypeTable<DecodeInRow> decodeInRow;

    // Encodes `blocks` consecutive whole blocks as little-endian bytes. `importance`, which may be null, gives the cost
    // (≥ 0) of an error in each of `columns` columns (a multiple of the block size). It repeats for every row, and the
    // first weight is in column 0. All weights are finite, except for F16 and BF16, which ignore the importance. For
    // types with a row header, the blocks are one row, and `out` begins with its header.
    using Encode = void (*)(const float* weights, std::size_t blocks, const float* importance, std::size_t columns,
                            std::byte* out);
    TensorTypeTable<Encode> encode; // null if the type cannot be encoded, and for F32

    PowerSums (*sumFloats)(const float* values, std::size_t count, double shift) = nullptr;
    Extremes (*extremes)(const float* values, std::size_t count) = nullptr;
    void (*binFloats)(const float* values, std::size_t count, const BinPlan& plan, BinCounts& counts) = nullptr;
    // Counts how often each of the 65,536 little-endian 16-bit values occurs, and adds this to counts[value].
    void (*countShorts)(const std::byte* values, std::size_t count, std::uint32_t* counts) = nullptr;

    // Sums over the pairs a[i], b[i], which are also counted in `bins` if that is not null. PairSums::maximumIndex is
    // i; it is searched for only if the maximum exceeds `known`.
    PairSums (*sumPairs)(const float* a, const float* b, std::size_t count, double known, PairBins* bins) = nullptr;

    // Column-wise folds that ignore NaN. foldLargest keeps the value of larger magnitude of `largest` and `values` (of
    // equals, the old one; `largest` may start as NaN). foldSums and foldSquares add the values or their squares, and
    // count them.
    void (*foldLargest)(float* largest, const float* values, std::size_t count) = nullptr;
    using FoldSums = void (*)(double* sums, std::uint32_t* counts, const float* values, std::size_t count);
    FoldSums foldSums = nullptr;
    FoldSums foldSquares = nullptr;

    ProductKernels products;
    RowKernels rows;
    AttentionKernels attention;
    RecurrenceKernels recurrence;
};

// Falls back to scalar if the instruction set is not available.
[[nodiscard]] const Kernels& kernelsFor(Isa isa);
// The kernels of activeIsa(), unless others are forced.
[[nodiscard]] const Kernels& activeKernels();

// Substitutes other kernels during its lifetime, for tests and benchmarks. No work may be running when it is created or
// destroyed.
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
void installLevelEncoders(Kernels& kernels);
void installProducts(ProductKernels& products);
void installRows(RowKernels& rows);
void installAttention(AttentionKernels& kernels);
void installRecurrence(RecurrenceKernels& kernels);
} // namespace scalar

// The instruction sets of this build replace entries of the table.
namespace avx2 {
void install(Kernels& kernels);
void installInt8(ProductKernels& products);
void installInt8Vnni(ProductKernels& products);
void installWideProducts(ProductKernels& products);
void installEncoders(Kernels& kernels);
void installAttention(AttentionKernels& kernels);
void installIntegerAttention(AttentionKernels& kernels);
// AttentionKernels::Score with products of floats, which is faster for few rows.
void scoreF16AsFloats(const CachedRows& rows, std::size_t count, const float* queries, std::size_t queryCount,
                      float* scores, std::size_t stride);
void installRecurrence(RecurrenceKernels& kernels);
} // namespace avx2
namespace avx512 {
void install(Kernels& kernels);
void installEncoders(Kernels& kernels);
void installAttention(AttentionKernels& kernels);
void installRecurrence(RecurrenceKernels& kernels);
void installIntegerAttention(AttentionKernels& kernels);
// AttentionKernels::Score with products of floats, which is faster for few rows.
void scoreF16AsFloats(const CachedRows& rows, std::size_t count, const float* queries, std::size_t queryCount,
                      float* scores, std::size_t stride);
} // namespace avx512
namespace neon {
void install(Kernels& kernels);
void installInt8(ProductKernels& products);
void installInt8Dotprod(ProductKernels& products);
void installInt8Matrices(ProductKernels& products);
void installEncoders(Kernels& kernels);
void installAttention(AttentionKernels& kernels);
void installRecurrence(RecurrenceKernels& kernels);
} // namespace neon

} // namespace gufo
