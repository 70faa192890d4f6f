// The common part of products of strips with many vectors: for each run of 256 weights, all rows are unpacked once into
// tiles that have as many rows as a vector has lanes (kLanes), with which groups of tokens (kTokens) are multiplied.
#pragma once

#include "tensor/kernels/products.h"

#include <algorithm>
#include <cstring>

namespace {

constexpr std::size_t kTiles = gufo::kStripRows / kLanes;

// The accumulators of one token for all rows. They are contiguous, because rows of y may be so far apart that they
// evict each other from the cache.
struct TokenTotals {
    Floats of[kTiles];
};

// A type of weights.
template<typename Tile>
struct StripType {
    std::size_t runBytes;
    void (*fill)(const std::byte* const* rows, Tile& tile);
};

// Prefetches what will be unpacked next while the current tiles are multiplied: a share of the cache lines of the next
// run of each row.
[[gnu::always_inline]] inline void fetchShare(const gufo::EncodedRows& rows, std::size_t count, std::size_t run,
                                              std::size_t runBytes, std::size_t share, std::size_t shares) {
    for (std::size_t r = count * share / shares; r < count * (share + 1) / shares; ++r) {
        const std::byte* at = rows.data + r * rows.rowBytes + run * runBytes;
        for (std::size_t line = 0; line < runBytes + 63; line += 64) {
            __builtin_prefetch(at + line, 0, 2);
        }
    }
}

// Unpacks a run of all rows. The last row takes the place of missing ones.
template<typename Tile>
inline void fillTiles(const StripType<Tile>& type, const gufo::EncodedRows& rows, std::size_t count, std::size_t run,
                      std::size_t tileCount, Tile* tiles) {
    constexpr std::size_t kLongestRun = 512;
    const std::size_t left = rows.rowBytes - run * type.runBytes;
    for (std::size_t tile = 0; tile < tileCount; ++tile) {
        const std::byte* at[kLanes];
        alignas(64) std::byte filled[kLanes][kLongestRun];
        for (std::size_t r = 0; r < kLanes; ++r) {
            const std::size_t row = std::min(kLanes * tile + r, count - 1);
            at[r] = rows.data + row * rows.rowBytes + run * type.runBytes;
            if (left < type.runBytes) { // filled up with zeros, whose scales are 0 or meet activations of 0
                std::memset(filled[r] + left, 0, type.runBytes - left);
                std::memcpy(filled[r], at[r], left);
                at[r] = filled[r];
            }
        }
        type.fill(at, tiles[tile]);
    }
}

// multiply.operator()<together>(tiles, tileCount, x, totals) adds the products of a run with `together` tokens:
// kTokens, two or one. The number of tiles is even.
template<typename Tile, typename Run, typename Multiply>
[[gnu::always_inline]] inline void multiplyByRuns(const StripType<Tile>& type, const gufo::EncodedRows& rows,
                                                  std::size_t count, const Run* runs, std::size_t tokens, float* y,
                                                  std::size_t stride, std::byte* scratch, const Multiply& multiply) {
    using gufo::kRunWeights;
    auto* tiles = reinterpret_cast<Tile*>(scratch);
    auto* totals = reinterpret_cast<TokenTotals*>(scratch + kTiles * sizeof(Tile));
    constexpr std::size_t kMaxTokens = (gufo::kStripScratch - kTiles * sizeof(Tile)) / sizeof(TokenTotals);
    static_assert(kMaxTokens >= 512);
    const std::size_t tileCount = (count + 2 * kLanes - 1) / (2 * kLanes) * 2;
    for (std::size_t first = 0; first < tokens; first += kMaxTokens) {
        const std::size_t tokenCount = std::min(tokens - first, kMaxTokens);
        std::memset(totals, 0, tokenCount * sizeof(TokenTotals));
        for (std::size_t run = 0; run * kRunWeights < rows.columns; ++run) {
            fillTiles(type, rows, count, run, tileCount, tiles);
            const bool more = (run + 1) * kRunWeights < rows.columns;
            std::size_t t = 0;
            const auto by = [&]<std::size_t together>() {
                for (; t + together <= tokenCount; t += together) {
                    if (more && together == kTokens) {
                        fetchShare(rows, count, run + 1, type.runBytes, t / kTokens, tokenCount / kTokens);
                    }
                    multiply.template operator()<together>(tiles, tileCount, runs + run * tokens + first + t,
                                                           totals + t);
                }
            };
            by.template operator()<kTokens>();
            by.template operator()<2>();
            by.template operator()<1>();
        }
        for (std::size_t t = 0; t < tokenCount; ++t) {
            std::memcpy(y + (first + t) * stride, totals + t, count * sizeof(float));
        }
    }
}

// Activations in blocks of 32: the block that begins at `begin`. Numbers beyond the end of a vector, up to the end of a
// run, are zeros. `filled` provides the room for one that is not whole.
inline const float* paddedBlock(const float* from, std::size_t columns, std::size_t begin, float (&filled)[32]) {
    if (begin + 32 <= columns) {
        return from + begin;
    }
    std::memset(filled, 0, sizeof filled);
    if (begin < columns) {
        std::memcpy(filled, from + begin, (columns - begin) * sizeof(float));
    }
    return filled;
}

} // namespace
