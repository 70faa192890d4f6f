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
inline constexpr std::size_t kRunLanes = 48; // of Int8Fields::negatedLanes

// Where weight i of a row stands in turned order: of each run the first eight of each of its eight blocks of 32, then
// the second eight, and so on. Products of a block then are summed in a place of their own.
constexpr std::size_t turnedPlace(std::size_t i) {
    return i / kRunWeights * kRunWeights + i % 32 / 8 * 64 + i % kRunWeights / 32 * 8 + i % 8;
}

// A row of activations, filled up with zeros to whole runs. Sums negated, since that is what takes an offset away.
template<typename Byte, typename Real, typename Integer>
struct Int8Fields {
    Byte* values = nullptr;       // −127 … 127
    Real* scales = nullptr;       // for each 16; those of a block of 32 are equal
    Real* sums = nullptr;         // of each 16: scale × Σ values
    Integer* negated16 = nullptr; // of each 16: −Σ values
    Integer* negated32 = nullptr; // of each 32
    // For products of one vector; null: not wanted.
    Byte* turned = nullptr;      // the values in turned order
    Integer* negated4 = nullptr; // of each 4
    // Of the 32-bit lanes of turned order, of each run: sixteen sums of the first halves of blocks, sixteen of the
    // second halves, sixteen of both.
    Integer* negatedLanes = nullptr;
    // What rounding to `values` left, in 128ths, −64 … 64: x ≈ scale × (value + rest / 128). Null: not wanted.
    Byte* rest = nullptr;
    Integer* negatedRest32 = nullptr;

    [[nodiscard]] Int8Fields<const std::int8_t, const float, const std::int32_t> row() const {
        return {values, scales, sums, negated16, negated32, turned, negated4, negatedLanes, rest, negatedRest32};
    }
};
using Int8Row = Int8Fields<const std::int8_t, const float, const std::int32_t>;
using Int8Out = Int8Fields<std::int8_t, float, std::int32_t>; // to be filled

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
        bool rest = false; // the strip takes Int8Fields::rest too: 16-bit floats, split likewise
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
