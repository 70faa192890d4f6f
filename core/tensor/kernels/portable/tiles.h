// Scores of queries and transposed rows. A vector holds the same element of many rows, so that products with an element
// of a query need no horizontal sums. Included by attention.h.
#pragma once

#include "tensor/kernels/attention.h"
#include "tensor/kernels/portable/codes16.h"
#include "tensor/kernels/portable/floats.h"
#include "tensor/kernels/portable/prefetch.h"

namespace {

// Reads the elements of kFloats rows, kColumns elements at a time. `tile` is the start of the tile and `row` the number
// of the first row in it. Reading beyond the length of a row gives unspecified values.
template<std::size_t bytes, Floats (*widen)(const std::byte*)>
struct NumberTile {
    static constexpr std::size_t kColumns = 1;
    static constexpr std::size_t kBytes = bytes; // bytes of an element
    [[gnu::always_inline]] static void load(const std::byte* tile, std::size_t row, std::size_t j, Floats* out) {
        out[0] = widen(tile + (j * gufo::kTileRows + row) * bytes);
    }
};
inline Floats floatsOf(const std::byte* from) { return loadFloats(from); }
using F32Tile = NumberTile<4, floatsOf>;
using BF16Tile = NumberTile<2, loadBf16>;
struct F16Tile {
    static constexpr std::size_t kColumns = 2;
    static constexpr std::size_t kBytes = 2;
    [[gnu::always_inline]] static void load(const std::byte* tile, std::size_t row, std::size_t j, Floats* out) {
        Ints pairs;
        std::memcpy(&pairs, tile + j * 2 * gufo::kTileRows + 4 * row, sizeof pairs);
        const Floats scales = scalesOf(tile + j / gufo::kBlock16 * gufo::kBlock16 * 2 * gufo::kTileRows, row);
        out[0] = __builtin_convertvector((pairs << 16) >> 16, Floats) * scales;
        out[1] = __builtin_convertvector(pairs >> 16, Floats) * scales;
    }
    // Returns the scales of kFloats rows of a block, as scaleOfCodes() does. `first` and `second` have two codes of a
    // row in each lane; the pairs of bits 2, 1 in the former and 3, 1 in the latter are the exponent 118.
    [[gnu::always_inline]] static Floats scalesOf(const std::byte* block, std::size_t row) {
        Ints first;
        Ints second;
        std::memcpy(&first, block + 4 * row, sizeof first);
        std::memcpy(&second, block + 4 * (gufo::kTileRows + row), sizeof second);
        const Ints exponents = (first & 3) | ((first >> 14) & 0x0C) | ((second & 3) << 4) | ((second >> 10) & 0xC0);
        constexpr int kShift = kCodeBits - 1;
        const Ints bits = ((exponents - kShift) << 23) & (exponents > kShift);
        const Ints none = exponents == static_cast<int>(kNoExponent);
        return reinterpret_cast<Floats>((bits & ~none) | (none & 0x7FC0'0000));
    }
};
struct Q8Tile {
    static constexpr std::size_t kColumns = 4;
    static constexpr std::size_t kBytes = 1; // approximately, because scales are ignored
    [[gnu::always_inline]] static void load(const std::byte* tile, std::size_t row, std::size_t j, Floats* out) {
        const std::byte* group = tile + j / 32 * 34 * gufo::kTileRows;
        Ints codes;
        std::memcpy(&codes, group + gufo::kTileRows * (2 + j % 32) + row * 4, sizeof codes);
        const Floats scales = loadF16(group + 2 * row);
        unrolled(Times<kColumns>(), [&](std::size_t e) GUFO_INLINE {
            const Ints code = (codes << static_cast<int>(24 - 8 * e)) >> 24;
            out[e] = __builtin_convertvector(code, Floats) * scales;
        });
    }
};

// Computes the scores of `queryCount` queries and 2 × kFloats rows: scores[q × 2 × kFloats + i]. Prefetches as many
// bytes as it reads, from `prefetchFrom` on.
template<typename Tile, std::size_t queryCount>
inline void scorePair(const std::byte* const (&tiles)[2], const std::size_t (&rows)[2], std::size_t length,
                      const float* queries, float* scores, const std::byte* prefetchFrom,
                      gufo::PrefetchRange& upcoming) {
    Floats sums[queryCount][2]{};
    const auto add = [&](const Floats(&elements)[2][Tile::kColumns], std::size_t e, std::size_t j) GUFO_INLINE {
        unrolled(Times<queryCount>(), [&](std::size_t q) GUFO_INLINE {
            const Floats x = splat(queries[q * length + j]);
            sums[q][0] = multiplyAdd(elements[0][e], x, sums[q][0]);
            sums[q][1] = multiplyAdd(elements[1][e], x, sums[q][1]);
        });
    };
    Floats elements[2][Tile::kColumns];
    std::size_t j = 0;
    for (; j + Tile::kColumns <= length; j += Tile::kColumns) {
        Tile::load(tiles[0], rows[0], j, elements[0]);
        Tile::load(tiles[1], rows[1], j, elements[1]);
        prefetchFar(prefetchFrom + j * Tile::kBytes * 2 * kFloats);
        if (j % 2 == 0) {
            prefetchLine(upcoming);
        }
        unrolled(Times<Tile::kColumns>(), [&](std::size_t e) GUFO_INLINE { add(elements, e, j + e); });
    }
    if (j < length) {
        Tile::load(tiles[0], rows[0], j, elements[0]);
        Tile::load(tiles[1], rows[1], j, elements[1]);
        for (std::size_t e = 0; e < length - j; ++e) {
            add(elements, e, j + e);
        }
    }
    unrolled(Times<queryCount>(), [&](std::size_t q) GUFO_INLINE {
        storeFloats(scores + q * 2 * kFloats, sums[q][0]);
        storeFloats(scores + q * 2 * kFloats + kFloats, sums[q][1]);
    });
}

// Calls work(first, index_sequence<count>()) for groups of queries that fit in registers, at most kTogether.
template<typename Work>
[[gnu::always_inline]] inline void forQueries(std::size_t count, const Work& work) {
    std::size_t q = 0;
    const auto runGroups = [&]<std::size_t together>(std::index_sequence<together> number) {
        for (; q + together <= count; q += together) {
            work(q, number);
        }
    };
    runGroups(std::index_sequence<kTogether>());
    runGroups(std::index_sequence<kTogether / 2>());
    runGroups(std::index_sequence<kTogether / 4>());
    runGroups(std::index_sequence<1>());
}

template<typename Tile>
void scoreTiles(const gufo::CachedTiles& tiles, std::size_t first, std::size_t count, const float* queries,
                std::size_t queryCount, float* scores, std::size_t stride) {
    constexpr std::size_t kPair = 2 * kFloats;
    const std::size_t end = first + count;
    const std::size_t rowBytes = tiles.bytes / gufo::kTileRows;
    const PrefetchWindow window{tiles.data, end * rowBytes, tiles.next};
    gufo::PrefetchRange upcoming = tiles.upcoming != nullptr ? *tiles.upcoming : gufo::PrefetchRange();
    for (std::size_t row = first / kFloats * kFloats; row < end; row += kPair) {
        const std::size_t second = row + kFloats < end ? row + kFloats : row; // missing: repeat the first
        const std::byte* const pair[2] = {tiles.data + row / gufo::kTileRows * tiles.bytes,
                                          tiles.data + second / gufo::kTileRows * tiles.bytes};
        const std::size_t rows[2] = {row % gufo::kTileRows, second % gufo::kTileRows};
        const std::size_t begin = row > first ? row : first;
        const std::size_t rowCount = (end < row + kPair ? end : row + kPair) - begin;
        forQueries(queryCount, [&]<std::size_t together>(std::size_t q, std::index_sequence<together> /*count*/) {
            float each[together * kPair];
            scorePair<Tile, together>(pair, rows, tiles.length, queries + q * tiles.length, each,
                                      window.addressFor(row * rowBytes), upcoming);
            for (std::size_t k = 0; k < together; ++k) {
                std::memcpy(scores + (q + k) * stride + begin - first, each + k * kPair + begin - row,
                            rowCount * sizeof(float));
            }
        });
    }
    if (tiles.upcoming != nullptr) {
        *tiles.upcoming = upcoming;
    }
}

} // namespace
