// Products of encoded weights with activations: what inference spends its time on.
//
// Activations are rounded to eight bits, 32 of them to a scale, once for all the matrices that share them; products of
// codes are then summed as integers, exactly, and scaled in float. Types without such a product go through decode().
//
// The codes of 256 weights (a run: one super-block, or eight blocks of 32) are taken as bytes from 0 to 255 that stand
// for code − kOffset; sums with the offset come from sums of activations.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace gufo {

inline constexpr std::size_t kRunWeights = 256;

// 256 activations, those behind the end of a row 0. Sums are negated, since that is what takes an offset away.
struct alignas(64) Int8Run {
    std::int8_t values[256];    // −127 … 127
    float scales[16];           // for each 16; those of a block of 32 are equal
    float sums[16];             // of each 16: scale × Σ values
    std::int32_t negated16[16]; // of each 16: −Σ values
    std::int32_t negated32[8];  // of each 32
};

// The same in sixteen bits, for products with weights of as many: those of a block of 32 are whole steps of a scale
// that keeps both each of them in range and the sum of their magnitudes below kMostMagnitude, so that their products
// with weights of up to kMostWeight can be summed in 32 bits.
struct alignas(64) Int16Run {
    std::int16_t values[256];
    float scales[8]; // of each 32

    static constexpr float kMostValue = 32767;
    static constexpr float kMostMean = 4093; // of a block's magnitudes
    static constexpr std::int64_t kMostMagnitude = 32 * 4093 + 32;
    static constexpr std::int64_t kMostWeight = 16383;
    static_assert(kMostMagnitude * kMostWeight <= std::numeric_limits<std::int32_t>::max());
};

// The same in turned order, which products of one vector want: of each of the eight blocks of 32 the first eight, then
// of each the second eight, and so on. Products of a block then are summed in lanes of their own.
struct alignas(64) Int8TurnedRun {
    std::int8_t values[256];
    std::int32_t negated4[64]; // of each 4 as they stand in the row
    // Of the 32-bit lanes: sums of the first halves of blocks, of the second halves, of both.
    std::int32_t negatedLanes[3][16];
};
// Where value i of a run stands.
constexpr std::size_t turnedPlace(std::size_t i) { return i % 32 / 8 * 64 + i / 32 * 8 + i % 8; }

// A row of activations.
struct Int8Row {
    const Int8Run* runs = nullptr;
    const Int8TurnedRun* turned = nullptr;
};
// One to be filled; runs of rows that are multiplied together stand beside each other.
struct Int8Out {
    Int8Run* runs = nullptr;
    std::size_t between = 1;         // from run to run
    Int8TurnedRun* turned = nullptr; // null: not wanted
};

// Rows of a matrix, one after another, `columns` weights each: whole blocks.
struct EncodedRows {
    const std::byte* data = nullptr;
    std::size_t rowBytes = 0;
    std::size_t columns = 0;
};

struct ProductKernels {
    // `columns` floats, finite, to whole runs: 32 to a scale of largest / 127, ties to even.
    void (*toInt8)(const float* from, std::size_t columns, const Int8Out& to) = nullptr;

    // y[i] = row i · x for `count` rows.
    using Dot = void (*)(const EncodedRows& rows, std::size_t count, const Int8Row& x, float* y);
    // The same of rows in kStreams stretches, the begins of which are `apart` rows apart: y[s × apart + i]. Memory
    // answers several streams faster than one.
    using DotStreams = void (*)(const EncodedRows& rows, std::size_t count, std::size_t apart, const Int8Row& x,
                                float* y);
    // y[t × stride + i] = row i · x[t] for `count` ≤ kStripRows rows; run r of x[t] is runs[r × tokens + t]; scratch of
    // kStripScratch bytes, aligned to 64.
    using Strip = void (*)(const EncodedRows& rows, std::size_t count, const Int8Run* runs, std::size_t tokens,
                           float* y, std::size_t stride, std::byte* scratch);
    struct Int8Products {
        Dot dot = nullptr; // null: not for this type
        Strip strip = nullptr;
        DotStreams dotStreams = nullptr; // null: none, use dot
        // Vectors up to which dotStreams with one after the other, rows being in the nearest cache, takes less time
        // than the strip's tiles: fewer where it is taking codes apart that takes time. Likewise of floats:
        // kFewVectors.
        std::size_t few = 1;
    };
    std::array<Int8Products, 64> int8{}; // by type id

    // `columns` floats, finite, to whole runs `between` apart: 32 to a scale, ties to even. The scale is the larger of
    // largest / kMostValue and mean / kMostMean of their magnitudes; below the smallest normal number all is 0.
    void (*toInt16)(const float* from, std::size_t columns, Int16Run* to, std::size_t between) = nullptr;
    // As Strip; weights are rounded to whole steps of largest / kMostWeight of their run.
    using WideStrip = void (*)(const EncodedRows& rows, std::size_t count, const Int16Run* runs, std::size_t tokens,
                               float* y, std::size_t stride, std::byte* scratch);
    std::array<WideStrip, 64> int16{}; // by type id; null: not for this type

    // The same with floats; types: F32, F16, BF16.
    using FloatDot = void (*)(const EncodedRows& rows, std::size_t count, const float* x, float* y);
    std::array<FloatDot, 64> floats{};
    using FloatDotStreams = void (*)(const EncodedRows& rows, std::size_t count, std::size_t apart, const float* x,
                                     float* y);
    std::array<FloatDotStreams, 64> floatStreams{}; // null: none
    // y[t × stride + i] += row i · x[t × xStride] of floats, for `count` ≤ kStripRows rows that are `rowStride` floats
    // apart.
    void (*floatStrip)(const float* rows, std::size_t rowStride, std::size_t count, std::size_t columns, const float* x,
                       std::size_t xStride, std::size_t tokens, float* y, std::size_t stride,
                       std::byte* scratch) = nullptr;

    // To measure with. Reads all bytes with the widest loads; the result depends on all of them.
    std::uint64_t (*readBytes)(const std::byte* from, std::size_t count) = nullptr;
    // Sums products of codes without loading any for some milliseconds; how many. Null where there is no such product.
    std::uint64_t (*peakInt8)() = nullptr;
};

inline constexpr std::size_t kStreams = 4;
inline constexpr std::size_t kFewVectors = 4;
inline constexpr std::size_t kStripRows = 32;
inline constexpr std::size_t kStripScratch = 96 * 1024;

} // namespace gufo
