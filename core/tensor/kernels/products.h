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

namespace gufo {

inline constexpr std::size_t kRunWeights = 256;

// A row of activations, filled up with zeros to whole runs.
struct Int8Row {
    const std::int8_t* values = nullptr;     // −127 … 127
    const float* scales = nullptr;           // of each 32
    const float* sums = nullptr;             // of each 16: scale × Σ values
    const std::int32_t* negated4 = nullptr;  // of each 4: −Σ values
    const std::int32_t* negated16 = nullptr; // of each 16
    const std::int32_t* negated32 = nullptr; // of each 32
};

// The same, to be filled.
struct Int8Out {
    std::int8_t* values;
    float* scales;
    float* sums;
    std::int32_t* negated4;
    std::int32_t* negated16;
    std::int32_t* negated32;
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
    // y[t × stride + i] = row i · x[t] for `count` ≤ kStripRows rows; scratch of kStripScratch bytes, aligned to 64.
    using Strip = void (*)(const EncodedRows& rows, std::size_t count, const Int8Row* x, std::size_t tokens, float* y,
                           std::size_t stride, std::byte* scratch);
    struct Int8Products {
        Dot dot = nullptr; // null: not for this type
        Strip strip = nullptr;
    };
    std::array<Int8Products, 64> int8{}; // by type id

    // The same with floats; types: F32, F16, BF16.
    using FloatDot = void (*)(const EncodedRows& rows, std::size_t count, const float* x, float* y);
    std::array<FloatDot, 64> floats{};
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

inline constexpr std::size_t kStripRows = 32;
inline constexpr std::size_t kStripScratch = 96 * 1024;

} // namespace gufo
