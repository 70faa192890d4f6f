// Products of strips of encoded rows with many 8-bit vectors, based on the types (int8_types.h) and the primitives of
// an instruction set.
//
// A run of a strip is unpacked once into tiles that have as many rows as a vector has lanes. In each group of a tile,
// every lane holds four consecutive codes of its row (storeGroups()). Then all tokens are multiplied with two tiles at
// a time.
#pragma once

#include "tensor/kernels/portable/int8_types.h"
#include "tensor/kernels/portable/unrolled.h"
#include "tensor/kernels/products.h"

#include <bit>

namespace {

struct Tile {
    TileBytes codes[64 * kMostVectors];
    float scales[16][kLanes]; // one per 16 weights, or per 32 weights in the first eight
    float negatedMinima[16][kLanes];
};
constexpr std::size_t kTiles = gufo::kStripRows / kLanes;

template<typename Type, std::size_t... r>
inline void fillCodes(const std::byte* const* rows, Tile& tile, std::index_sequence<r...> /*rows*/) {
    const Type runs[kLanes]{Type(rows[r])...};
    for (std::size_t block = 0; block < 8; ++block) {
        const Bytes rowCodes[kLanes]{tileCodes<Type>(runs[r].codes(block))...};
        storeGroups<Type>(rowCodes, block, tile.codes);
    }
}
// The same with less code, for kChecked.
template<typename Type>
inline void fillCodes(const std::byte* const* rows, Tile& tile) {
    for (std::size_t block = 0; block < 8; ++block) {
        Bytes rowCodes[kLanes];
        for (std::size_t r = 0; r < kLanes; ++r) {
            rowCodes[r] = tileCodes<Type>(Type(rows[r]).codes(block));
        }
        storeGroups<Type>(rowCodes, block, tile.codes);
    }
}

template<typename Type>
void fillTile(const std::byte* const* rows, Tile& tile) {
    constexpr std::size_t kHalves = Type::kPer16 ? 2 : 1;
    if constexpr (kChecked) {
        fillCodes<Type>(rows, tile);
    } else {
        fillCodes<Type>(rows, tile, std::make_index_sequence<kLanes>());
    }
    for (std::size_t row = 0; row < kLanes; ++row) {
        const Type run(rows[row]);
        for (std::size_t half_ = 0; half_ < kHalves; ++half_) {
            const F32x8 scales = run.scales(half_);
            for (std::size_t i = 0; i < 8; ++i) {
                tile.scales[8 * half_ + i][row] = scales[i];
            }
            if constexpr (Type::kMinima) {
                const F32x8 minima = run.minima(half_);
                for (std::size_t i = 0; i < 8; ++i) {
                    tile.negatedMinima[8 * half_ + i][row] = -minima[i];
                }
            }
        }
    }
}

// The properties that decide how types are multiplied. Types of equal kind share one instantiation.
template<bool per16, bool minima_, int pairSums, unsigned offset>
struct Kind {
    static constexpr bool kPer16 = per16;
    static constexpr bool kMinima = minima_;
    static constexpr int kPairSums = pairSums;
    static constexpr unsigned kOffset = offset; // of the codes in tiles: 0 or a power of two
};
template<typename Type>
using KindOf = Kind<Type::kPer16, Type::kMinima, kPairSums<Type>, kTileOffset<Type>>;

// The accumulators of one token for all rows. They are contiguous, because rows of y may be so far apart that they
// evict each other from the cache.
struct TokenTotals {
    Floats of[kTiles];
};

// Multiplies tiles `tile` and `tile` + 1 with `tokens` tokens over one run and adds the result to `totals`.
template<typename Of, std::size_t tokens>
inline void multiplyTiles(const Tile* tiles, std::size_t tile, const gufo::Int8Run* x,
                          const Activations<Of::kPairSums, tokens>& activations, TokenTotals* totals) {
    constexpr std::size_t kParts = Of::kPer16 ? 16 : 8;
    constexpr std::size_t kGroups = 64 / kParts;
    constexpr std::size_t kSixteens = 16 / kParts;
    const TileBytes* const codes[2]{tiles[tile].codes, tiles[tile + 1].codes};
    for (std::size_t part = 0; part < kParts; ++part) {
        Ints sums[tokens][2];
        const auto withoutOffset = [&](std::size_t t) GUFO_INLINE {
            const std::int32_t* negated = Of::kPer16 ? x[t].negated16 : x[t].negated32;
            return Of::kOffset == 0 ? Ints{} : allLanes(negated[part]) << std::countr_zero(Of::kOffset);
        };
        sumGroups<Of::kPairSums, kGroups>(codes, part * kGroups, activations, withoutOffset, sums);
        const Floats scales[2]{get<Floats>(tiles[tile].scales[part]), get<Floats>(tiles[tile + 1].scales[part])};
        const Floats minima[2]{get<Floats>(tiles[tile].negatedMinima[part]),
                               get<Floats>(tiles[tile + 1].negatedMinima[part])};
#pragma GCC unroll kChecked ? 1 : 8
        for (std::size_t t = 0; t < tokens; ++t) {
            const Floats scale = allLanes(x[t].scales[part * kSixteens]);
            const Floats sum = allLanes(Of::kPer16 ? x[t].sums[part] : x[t].sums32[part]);
#pragma GCC unroll kChecked ? 1 : 2
            for (std::size_t i = 0; i < 2; ++i) {
                Floats& total = totals[t].of[tile + i];
                total = multiplyAdd(toFloats(sums[t][i]), scales[i] * scale, total);
                if constexpr (Of::kMinima) {
                    total = multiplyAdd(minima[i], sum, total);
                }
            }
        }
    }
}

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

struct StripType {
    std::size_t runBytes;
    void (*fill)(const std::byte* const* rows, Tile& tile);
};

// Unpacks a run of all rows. The last row takes the place of missing ones.
inline void fillTiles(const StripType& type, const gufo::EncodedRows& rows, std::size_t count, std::size_t run,
                      std::size_t tileCount, Tile* tiles) {
    constexpr std::size_t kLongestRun = 292;
    const std::size_t left = rows.rowBytes - run * type.runBytes;
    for (std::size_t tile = 0; tile < tileCount; ++tile) {
        const std::byte* at[kLanes];
        alignas(64) std::byte filled[kLanes][kLongestRun];
        for (std::size_t r = 0; r < kLanes; ++r) {
            const std::size_t row = kLanes * tile + r < count ? kLanes * tile + r : count - 1;
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

template<typename Of>
void multiplyByRuns(const StripType& type, const gufo::EncodedRows& rows, std::size_t count, const gufo::Int8Run* runs,
                    std::size_t tokens, float* y, std::size_t stride, std::byte* scratch) {
    using gufo::kRunWeights;
    auto* tiles = reinterpret_cast<Tile*>(scratch);
    auto* totals = reinterpret_cast<TokenTotals*>(scratch + kTiles * sizeof(Tile));
    constexpr std::size_t kMaxTokens = (gufo::kStripScratch - kTiles * sizeof(Tile)) / sizeof(TokenTotals);
    static_assert(kMaxTokens >= 512);
    const std::size_t tileCount = (count + 2 * kLanes - 1) / (2 * kLanes) * 2;
    for (std::size_t first = 0; first < tokens; first += kMaxTokens) {
        const std::size_t tokenCount = tokens - first < kMaxTokens ? tokens - first : kMaxTokens;
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
                    const gufo::Int8Run* x = runs + run * tokens + first + t;
                    const Activations<Of::kPairSums, together> activations{x};
                    for (std::size_t tile = 0; tile < tileCount; tile += 2) {
                        multiplyTiles<Of, together>(tiles, tile, x, activations, totals + t);
                    }
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

template<typename Type>
void multiplyStrip(const gufo::EncodedRows& rows, std::size_t count, const gufo::Int8Run* runs, std::size_t tokens,
                   float* y, std::size_t stride, std::byte* scratch) {
    constexpr StripType kType{Type::kRunBytes, fillTile<Type>};
    multiplyByRuns<KindOf<Type>>(kType, rows, count, runs, tokens, y, stride, scratch);
}

} // namespace
