// Scores of queries and turned rows: a vector holds one element of many rows, so that products with an element of a
// query need no sums across a vector. Included by attention.h.
#pragma once

#include "tensor/kernels/attention.h"
#include "tensor/kernels/portable/ahead.h"
#include "tensor/kernels/portable/floats.h"

namespace {

// How the elements of kFloats rows are read, kColumns at once; `from` is where the first of the rows begins in its
// tile, all of whose rows are of `row`, the first one's number. Past the length of a row there is nothing of use.
template<std::size_t bytes, Floats (*widen)(const std::byte*)>
struct NumberTile {
    static constexpr std::size_t kColumns = 1;
    static constexpr std::size_t kBytes = bytes; // of an element
    [[gnu::always_inline]] static void load(const std::byte* tile, std::size_t row, std::size_t j, Floats* out) {
        out[0] = widen(tile + (j * gufo::kTileRows + row) * bytes);
    }
};
inline Floats floatsOf(const std::byte* from) { return loadFloats(from); }
using F32Tile = NumberTile<4, floatsOf>;
using F16Tile = NumberTile<2, halves>;
using BF16Tile = NumberTile<2, brains>;
struct Q8Tile {
    static constexpr std::size_t kColumns = 4;
    static constexpr std::size_t kBytes = 1; // and a little
    [[gnu::always_inline]] static void load(const std::byte* tile, std::size_t row, std::size_t j, Floats* out) {
        const std::byte* group = tile + j / 32 * 34 * gufo::kTileRows;
        Ints codes;
        std::memcpy(&codes, group + gufo::kTileRows * (2 + j % 32) + row * 4, sizeof codes);
        const Floats scales = halves(group + 2 * row);
        unrolled(Times<kColumns>(), [&](std::size_t e) GUFO_INLINE {
            const Ints code = (codes << static_cast<int>(24 - 8 * e)) >> 24;
            out[e] = __builtin_convertvector(code, Floats) * scales;
        });
    }
};

// Scores of `queryCount` queries and two times kFloats rows: scores[q × 2 × kFloats + i]. As many bytes are fetched
// from `ahead` on.
template<typename Tile, std::size_t queryCount>
inline void scorePair(const std::byte* const (&tiles)[2], const std::size_t (&rows)[2], std::size_t length,
                      const float* queries, float* scores, const std::byte* ahead, gufo::Later& later) {
    Floats sums[queryCount][2]{};
    const auto add = [&](const Floats(&own)[2][Tile::kColumns], std::size_t e, std::size_t j) GUFO_INLINE {
        unrolled(Times<queryCount>(), [&](std::size_t q) GUFO_INLINE {
            const Floats x = splat(queries[q * length + j]);
            sums[q][0] = multiplyAdd(own[0][e], x, sums[q][0]);
            sums[q][1] = multiplyAdd(own[1][e], x, sums[q][1]);
        });
    };
    Floats own[2][Tile::kColumns];
    std::size_t j = 0;
    for (; j + Tile::kColumns <= length; j += Tile::kColumns) {
        Tile::load(tiles[0], rows[0], j, own[0]);
        Tile::load(tiles[1], rows[1], j, own[1]);
        __builtin_prefetch(ahead + j * Tile::kBytes * 2 * kFloats);
        if (j % 2 == 0) {
            fetch(later);
        }
        unrolled(Times<Tile::kColumns>(), [&](std::size_t e) GUFO_INLINE { add(own, e, j + e); });
    }
    if (j < length) {
        Tile::load(tiles[0], rows[0], j, own[0]);
        Tile::load(tiles[1], rows[1], j, own[1]);
        for (std::size_t e = 0; e < length - j; ++e) {
            add(own, e, j + e);
        }
    }
    unrolled(Times<queryCount>(), [&](std::size_t q) GUFO_INLINE {
        storeFloats(scores + q * 2 * kFloats, sums[q][0]);
        storeFloats(scores + q * 2 * kFloats + kFloats, sums[q][1]);
    });
}

// Calls work(first, index_sequence<count>()) for as many queries together as fit the registers, kTogether at most.
template<typename Work>
[[gnu::always_inline]] inline void forQueries(std::size_t count, const Work& work) {
    std::size_t q = 0;
    const auto some = [&]<std::size_t together>(std::index_sequence<together> number) {
        for (; q + together <= count; q += together) {
            work(q, number);
        }
    };
    some(std::index_sequence<kTogether>());
    some(std::index_sequence<kTogether / 2>());
    some(std::index_sequence<kTogether / 4>());
    some(std::index_sequence<1>());
}

template<typename Tile>
void scoreTiles(const gufo::CachedTiles& tiles, std::size_t first, std::size_t count, const float* queries,
                std::size_t queryCount, float* scores, std::size_t stride) {
    constexpr std::size_t kPair = 2 * kFloats;
    const std::size_t end = first + count;
    const std::size_t rowBytes = tiles.bytes / gufo::kTileRows;
    const Ahead ahead{tiles.data, end * rowBytes, tiles.next};
    gufo::Later later = tiles.later != nullptr ? *tiles.later : gufo::Later();
    for (std::size_t row = first / kFloats * kFloats; row < end; row += kPair) {
        const std::size_t second = row + kFloats < end ? row + kFloats : row; // none: the first again, for nothing
        const std::byte* const own[2] = {tiles.data + row / gufo::kTileRows * tiles.bytes,
                                         tiles.data + second / gufo::kTileRows * tiles.bytes};
        const std::size_t rows[2] = {row % gufo::kTileRows, second % gufo::kTileRows};
        const std::size_t begin = row > first ? row : first;
        const std::size_t here = (end < row + kPair ? end : row + kPair) - begin;
        forQueries(queryCount, [&]<std::size_t together>(std::size_t q, std::index_sequence<together> /*count*/) {
            float each[together * kPair];
            scorePair<Tile, together>(own, rows, tiles.length, queries + q * tiles.length, each,
                                      ahead.of(row * rowBytes), later);
            for (std::size_t k = 0; k < together; ++k) {
                std::memcpy(scores + (q + k) * stride + begin - first, each + k * kPair + begin - row,
                            here * sizeof(float));
            }
        });
    }
    if (tiles.later != nullptr) {
        *tiles.later = later;
    }
}

} // namespace
