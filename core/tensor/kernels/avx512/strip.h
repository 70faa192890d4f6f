// The common part of products of strips with many vectors: for each run of 256 weights, sixteen rows are unpacked into
// each of two tiles, with which all tokens are multiplied. Everything has internal linkage.
#pragma once

#include "tensor/kernels/avx512/common.h"
#include "tensor/kernels/products.h"

#include <algorithm>

namespace gufo::avx512 {
namespace {

constexpr std::size_t kTileRows = 16;
static_assert(kStripRows == 2 * kTileRows);

// The accumulators of one token for the rows of both tiles. They are contiguous, because rows of y may be so far apart
// that they evict each other from the cache.
struct TokenTotals {
    __m512 of[2];
};

// Prefetches what will be unpacked next while the current tiles are multiplied: a share of the cache lines of the next
// run of each row. GCC takes a function that only prefetches for one without effect and drops calls that are not
// inlined early.
[[gnu::always_inline]] inline void prefetchShare(const EncodedRows& rows, std::size_t count, std::size_t run,
                                                 std::size_t share, std::size_t shares) {
    const std::size_t runs = (rows.columns + kRunWeights - 1) / kRunWeights;
    const std::size_t begin = rows.rowBytes * run / runs;
    const std::size_t end = rows.rowBytes * (run + 1) / runs;
    for (std::size_t r = count * share / shares; r < count * (share + 1) / shares; ++r) {
        for (std::size_t at = begin; at < end + 63; at += 64) {
            _mm_prefetch(reinterpret_cast<const char*>(rows.data + r * rows.rowBytes + at), _MM_HINT_T1);
        }
    }
}

// fill(rows, run, tile) unpacks a run of sixteen rows. multiply.operator()<Tokens>(tiles, x, totals) adds the products
// of a run with `Tokens` tokens: `groupTokens`, a quarter of that, or one.
template<typename Tile, std::size_t groupTokens, typename Run, typename Fill, typename Multiply>
inline void multiplyByRuns(const EncodedRows& rows, std::size_t count, const Run* runs, std::size_t tokens, float* y,
                           std::size_t stride, std::byte* scratch, const Fill& fill, const Multiply& multiply) {
    auto* tiles = reinterpret_cast<Tile*>(scratch);
    auto* totals = reinterpret_cast<TokenTotals*>(scratch + 2 * sizeof(Tile));
    constexpr std::size_t kMaxTokens = (kStripScratch - 2 * sizeof(Tile)) / sizeof(TokenTotals);
    static_assert(kMaxTokens >= 512);
    const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << count) - 1);
    for (std::size_t first = 0; first < tokens; first += kMaxTokens) {
        const std::size_t tokenCount = std::min(kMaxTokens, tokens - first);
        std::fill_n(totals, tokenCount, TokenTotals{{_mm512_setzero_ps(), _mm512_setzero_ps()}});
        for (std::size_t run = 0; run * kRunWeights < rows.columns; ++run) {
            for (std::size_t tile = 0; tile < 2; ++tile) {
                const std::byte* starts[kTileRows];
                for (std::size_t r = 0; r < kTileRows; ++r) { // the last row replaces missing ones
                    starts[r] = rows.data + std::min(kTileRows * tile + r, count - 1) * rows.rowBytes;
                }
                fill(starts, run, tiles[tile]);
            }
            const bool more = (run + 1) * kRunWeights < rows.columns;
            if (more && tokenCount < groupTokens) {
                prefetchShare(rows, count, run + 1, 0, 1);
            }
            std::size_t t = 0;
            const auto by = [&]<std::size_t Tokens>() {
                for (; t + Tokens <= tokenCount; t += Tokens) {
                    if (more && Tokens == groupTokens) {
                        prefetchShare(rows, count, run + 1, t / groupTokens, tokenCount / groupTokens);
                    }
                    multiply.template operator()<Tokens>(tiles, runs + run * tokens + first + t, totals + t);
                }
            };
            by.template operator()<groupTokens>();
            by.template operator()<groupTokens / 4>();
            by.template operator()<1>();
        }
        for (std::size_t t = 0; t < tokenCount; ++t) {
            float* to = y + (first + t) * stride;
            _mm512_mask_storeu_ps(to, static_cast<__mmask16>(mask), totals[t].of[0]);
            _mm512_mask_storeu_ps(to + kTileRows, static_cast<__mmask16>(mask >> 16U), totals[t].of[1]);
        }
    }
}

} // namespace
} // namespace gufo::avx512
