// Products of strips of encoded rows with many 8-bit vectors, based on the types (int8_types.h) and the primitives of
// an instruction set.
//
// In each group of a tile, every lane holds four consecutive codes of its row (storeGroups()).
#pragma once

#include "tensor/kernels/portable/int8_types.h"
#include "tensor/kernels/portable/strip.h"
#include "tensor/kernels/portable/unrolled.h"
#include "tensor/kernels/products.h"

#include <bit>

namespace {

struct Tile {
    TileBytes codes[64 * kMostVectors];
    float scales[16][kLanes]; // one per 16 weights, or per 32 weights in the first eight
    float negatedMinima[16][kLanes];
};

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

template<typename Of>
void multiplyKind(const StripType<Tile>& type, const gufo::EncodedRows& rows, std::size_t count,
                  const gufo::Int8Run* runs, std::size_t tokens, float* y, std::size_t stride, std::byte* scratch) {
    multiplyByRuns(type, rows, count, runs, tokens, y, stride, scratch,
                   []<std::size_t together>(const Tile* tiles, std::size_t tileCount, const gufo::Int8Run* x,
                                            TokenTotals* totals) {
                       const Activations<Of::kPairSums, together> activations{x};
                       for (std::size_t tile = 0; tile < tileCount; tile += 2) {
                           multiplyTiles<Of, together>(tiles, tile, x, activations, totals);
                       }
                   });
}

template<typename Type>
void multiplyStrip(const gufo::EncodedRows& rows, std::size_t count, const gufo::Int8Run* runs, std::size_t tokens,
                   float* y, std::size_t stride, std::byte* scratch) {
    constexpr StripType<Tile> kType{Type::kRunBytes, fillTile<Type>};
    multiplyKind<KindOf<Type>>(kType, rows, count, runs, tokens, y, stride, scratch);
}

} // namespace
