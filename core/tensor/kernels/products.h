// Products of encoded weights and activations, on which inference spends most of its time.
//
// Activations are rounded to eight bits with one scale per 32 values, once for all matrices that share them. Products
// of codes are then summed exactly as integers, and the sums are scaled in float. Types without such a product go
// through decode().
//
// The unit of a product is a run: 256 weights, which are one super-block or eight blocks of 32. Their codes are bytes
// that represent the levels plus an offset of the type, so that instructions for unsigned bytes can be used. Sums of
// activations remove the offset from the sums of products.
#pragma once

#include "tensor/tensor_type_table.h"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace gufo {

inline constexpr std::size_t kRunWeights = 256;

// 256 activations; activations beyond the end of the row are 0. Sums are stored negated, because they are used to
// subtract an offset.
struct alignas(64) Int8Run {
    std::int8_t values[256];    // −127 … 127
    float scales[16];           // one per 16 values; both of a block of 32 are equal
    float sums[16];             // per 16 values: scale × Σ values
    std::int32_t negated16[16]; // per 16 values: −Σ values
    std::int32_t negated32[8];  // per 32 values
    float sums32[8];            // per 32 values: the sum of both sums
};

// The same in sixteen bits, for products with 16-bit weights. The scale of a block of 32 keeps each value in range and
// the sum of their magnitudes below kMaxMagnitude, so that products with weights of up to kMaxWeight can be summed in
// 32 bits.
struct alignas(64) Int16Run {
    std::int16_t values[256];
    float scales[8]; // per 32 values

    static constexpr float kMaxValue = 32767;
    static constexpr float kMaxMean = 4093; // mean of the magnitudes of a block
    static constexpr std::int64_t kMaxMagnitude = 32 * 4093 + 32;
    static constexpr std::int64_t kMaxWeight = 16383;
    static_assert(kMaxMagnitude * kMaxWeight <= std::numeric_limits<std::int32_t>::max());
};

// An Int8Run as a transposed matrix, for products with one vector or a few. A run is an 8 × 4 matrix of groups of eight
// values (block b of 32, group g); transposing it moves the products of each block into two 32-bit lanes of their own,
// so that they are summed without shuffles.
//
//   Int8Run            b0g0 b0g1 b0g2 b0g3   b1g0 b1g1 b1g2 b1g3   …   b7g3
//   Int8TransposedRun  b0g0 b1g0 b2g0 … b7g0   b0g1 b1g1 … b7g1   …   b7g3     four vectors of 64 bytes
//
// It also repeats the scales and sums of the run, so that products read nothing else. In an Int8Run they lie 512 bytes
// apart, in a fourth of the sets of an L1 cache, and the weights that pass through the cache displace them: with rows
// of 8,192 weights and 32 KiB of L1 cache, products were 7 % slower.
struct alignas(64) Int8TransposedRun {
    std::int8_t values[256];
    float scales[16];
    float sums[16];
    // For each 32-bit lane, the negated sum over the first halves of blocks (vectors 0 and 1), the second halves, and
    // both.
    std::int32_t negatedLanes[3][16];

    // For products of pairs of rows whose codes alternate (avx512/int8_vector.cpp); other sets than AVX-512 leave it
    // out. Each group of four values twice, first those in the even lanes of a vector of `values`, then those in its
    // odd lanes, so that all products of a block and a row of weights are in one lane. The sums are repeated for both
    // rows; they are of the first halves of blocks, the second halves, and both.
    struct {
        std::int8_t values[512];
        float sums[3][16];
        std::int32_t negated[3][16];
    } duplicated;
};
// The index of value i of a run in the transposed run.
constexpr std::size_t transposedIndex(std::size_t i) { return i % 32 / 8 * 64 + i / 32 * 8 + i % 8; }

// A row of rounded activations.
struct Int8Row {
    const Int8Run* runs = nullptr;
    const Int8TransposedRun* transposed = nullptr;
};
// Several of them, each `stride` runs after the one before.
struct Int8Rows {
    const Int8Run* runs = nullptr;
    const Int8TransposedRun* transposed = nullptr;
    std::size_t stride = 0;
    std::size_t count = 1;
    [[gnu::always_inline]] [[nodiscard]] Int8Row operator[](std::size_t i) const {
        return {runs + i * stride, transposed + i * stride};
    }
};
// The destination of rounded activations. Runs of rows that are multiplied together are stored next to each other.
struct Int8Out {
    Int8Run* runs = nullptr;
    std::size_t stride = 1;                  // distance between consecutive runs of this row
    Int8TransposedRun* transposed = nullptr; // may be null
};

// Consecutive rows of a matrix with `columns` weights each, which are whole blocks.
struct EncodedRows {
    const std::byte* data = nullptr;
    std::size_t rowBytes = 0;
    std::size_t columns = 0;
};

struct ProductKernels {
    // Rounds `columns` finite floats to whole runs: one scale of largest / 127 per 32 values, ties to even.
    void (*toInt8)(const float* from, std::size_t columns, const Int8Out& to) = nullptr;

    // y[i] = row i · x, for `count` rows.
    using Dot = void (*)(const EncodedRows& rows, std::size_t count, const Int8Row& x, float* y);
    // The same for kStreams ranges of rows whose beginnings are `streamStride` rows apart, and for up to kFewVectors
    // vectors x[t], for which weights are unpacked only once: y[t × stride + s × streamStride + i]. Reading several
    // streams gives a higher memory bandwidth than reading one. A product does not depend on the other vectors.
    using DotStreams = void (*)(const EncodedRows& rows, std::size_t count, std::size_t streamStride, const Int8Rows& x,
                                float* y, std::size_t stride);
    // y[t × stride + i] = row i · x[t], for `count` ≤ kStripRows rows. Run r of x[t] is runs[r × tokens + t]. `scratch`
    // has kStripScratch bytes, aligned to 64.
    using Strip = void (*)(const EncodedRows& rows, std::size_t count, const Int8Run* runs, std::size_t tokens,
                           float* y, std::size_t stride, std::byte* scratch);
    struct Int8Products {
        Dot dot = nullptr; // null: the type is not supported
        Strip strip = nullptr;
        DotStreams dotStreams = nullptr; // null: use dot
        // Up to this number of vectors, at most kFewVectors, dotStreams is faster than the tiles of the strip. The
        // equivalent for floats is kFewFloatVectors.
        std::size_t few = 1;
    };
    TensorTypeTable<Int8Products> int8;

    // Rounds `columns` finite floats to whole runs that are `stride` apart, with one scale per 32 values, ties to even.
    // The scale is the larger of largest / kMaxValue and mean / kMaxMean of their magnitudes. If it is below the
    // smallest normal number, all values become 0.
    void (*toInt16)(const float* from, std::size_t columns, Int16Run* to, std::size_t stride) = nullptr;
    // As Strip. Weights are rounded to multiples of largest / kMaxWeight of their run.
    using WideStrip = void (*)(const EncodedRows& rows, std::size_t count, const Int16Run* runs, std::size_t tokens,
                               float* y, std::size_t stride, std::byte* scratch);
    TensorTypeTable<WideStrip> int16; // null: the type is not supported

    // The same with float activations. Types: F32, F16, BF16.
    using FloatDot = void (*)(const EncodedRows& rows, std::size_t count, const float* x, float* y);
    TensorTypeTable<FloatDot> floats;
    // As DotStreams, with up to kFewFloatVectors vectors that are `xStride` floats apart.
    using FloatDotStreams = void (*)(const EncodedRows& rows, std::size_t count, std::size_t streamStride,
                                     const float* x, std::size_t xStride, std::size_t vectors, float* y,
                                     std::size_t stride);
    TensorTypeTable<FloatDotStreams> floatStreams; // null: use FloatDot
    // y[t × stride + i] += row i · x[t × xStride], for `count` ≤ kStripRows rows of floats that are `rowStride` floats
    // apart.
    void (*floatStrip)(const float* rows, std::size_t rowStride, std::size_t count, std::size_t columns, const float* x,
                       std::size_t xStride, std::size_t tokens, float* y, std::size_t stride,
                       std::byte* scratch) = nullptr;

    // For measurements: reads all bytes with the widest loads. The result depends on all of them.
    std::uint64_t (*readBytes)(const std::byte* from, std::size_t count) = nullptr;
    // For measurements: multiplies codes in registers for some milliseconds and returns the number of products. Null if
    // there is no such product.
    std::uint64_t (*peakInt8)() = nullptr;
    std::uint64_t (*peakFloats)() = nullptr; // the same for 32-bit floats
};

inline constexpr std::size_t kStreams = 4;
inline constexpr std::size_t kFewVectors = 16;
inline constexpr std::size_t kFewFloatVectors = 8;
inline constexpr std::size_t kStripRows = 32;
inline constexpr std::size_t kStripScratch = 96 * 1024;

} // namespace gufo
