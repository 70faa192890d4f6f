// What strips of rows times many vectors have in common: run by run of 256 weights, sixteen rows are unpacked into each
// of two tiles, which all tokens are multiplied with. Everything has internal linkage.
#pragma once

#include "tensor/kernels/avx512/common.h"
#include "tensor/kernels/products.h"

#include <algorithm>

namespace gufo::avx512 {
namespace {

constexpr std::size_t kTileRows = 16;
static_assert(kStripRows == 2 * kTileRows);

// Of a token: of the rows of both tiles. Beside each other, since rows of y may stand so far apart that they would
// evict each other from the caches.
struct TokenTotals {
    __m512 of[2];
};

// Asks for what is unpacked next while the present tiles are multiplied: a share of the lines of a run of each row.
inline void prefetchShare(const EncodedRows& rows, std::size_t count, std::size_t run, std::size_t share,
                          std::size_t shares) {
    const std::size_t runs = (rows.columns + kRunWeights - 1) / kRunWeights;
    const std::size_t begin = rows.rowBytes * run / runs;
    const std::size_t end = rows.rowBytes * (run + 1) / runs;
    for (std::size_t r = count * share / shares; r < count * (share + 1) / shares; ++r) {
        for (std::size_t at = begin; at < end + 63; at += 64) {
            _mm_prefetch(reinterpret_cast<const char*>(rows.data + r * rows.rowBytes + at), _MM_HINT_T1);
        }
    }
}

// fill(rows, run, tile) unpacks a run of sixteen rows; multiply.operator()<Tokens>(tiles, x, totals) adds the products
// with a run of so many tokens, `most` of them, a quarter or one.
template<typename Tile, std::size_t most, typename Run, typename Fill, typename Multiply>
inline void multiplyByRuns(const EncodedRows& rows, std::size_t count, const Run* runs, std::size_t tokens, float* y,
                           std::size_t stride, std::byte* scratch, const Fill& fill, const Multiply& multiply) {
    auto* tiles = reinterpret_cast<Tile*>(scratch);
    auto* totals = reinterpret_cast<TokenTotals*>(scratch + 2 * sizeof(Tile));
    constexpr std::size_t kMostTokens = (kStripScratch - 2 * sizeof(Tile)) / sizeof(TokenTotals);
    static_assert(kMostTokens >= 512);
    const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << count) - 1);
    for (std::size_t first = 0; first < tokens; first += kMostTokens) {
        const std::size_t some = std::min(kMostTokens, tokens - first);
        std::fill_n(totals, some, TokenTotals{{_mm512_setzero_ps(), _mm512_setzero_ps()}});
        for (std::size_t run = 0; run * kRunWeights < rows.columns; ++run) {
            for (std::size_t tile = 0; tile < 2; ++tile) {
                const std::byte* starts[kTileRows];
                for (std::size_t r = 0; r < kTileRows; ++r) { // rows that are not there repeat the last
                    starts[r] = rows.data + std::min(kTileRows * tile + r, count - 1) * rows.rowBytes;
                }
                fill(starts, run, tiles[tile]);
            }
            const bool more = (run + 1) * kRunWeights < rows.columns;
            std::size_t t = 0;
            const auto by = [&]<std::size_t Tokens>() {
                for (; t + Tokens <= some; t += Tokens) {
                    if (more && Tokens == most) {
                        prefetchShare(rows, count, run + 1, t / most, some / most);
                    }
                    multiply.template operator()<Tokens>(tiles, runs + run * tokens + first + t, totals + t);
                }
            };
            by.template operator()<most>();
            by.template operator()<most / 4>();
            by.template operator()<1>();
        }
        for (std::size_t t = 0; t < some; ++t) {
            float* to = y + (first + t) * stride;
            _mm512_mask_storeu_ps(to, static_cast<__mmask16>(mask), totals[t].of[0]);
            _mm512_mask_storeu_ps(to + kTileRows, static_cast<__mmask16>(mask >> 16U), totals[t].of[1]);
        }
    }
}

} // namespace
} // namespace gufo::avx512
