// The 8-bit products, based on the types (int8_types.h) and the primitives of the including instruction set: rounding
// of activations, products of strips of rows with many vectors, and the installation of both. Products with one vector
// or a few are dotRows<ForVectors<Type>> and dotStreams<ForVectors<Type>>; kFew is Int8Products::few.
#pragma once

#include "tensor/kernels/portable/int8_code_books.h"
#include "tensor/kernels/portable/int8_types.h"
#include "tensor/kernels/portable/prefetch_ahead.h"
#include "tensor/kernels/portable/strip.h"
#include "tensor/kernels/portable/unrolled.h"
#include "tensor/kernels/products.h"

#include <bit>

namespace {

// --- rounding activations to eight bits. The result equals the result of kernels/scalar bit for bit

inline F32x8 largerOf(F32x8 a, F32x8 b) { return a > b ? a : b; }
inline F32x8 sizeOf(F32x8 v) { return reinterpret_cast<F32x8>(reinterpret_cast<I32x8>(v) & 0x7FFF'FFFF); }
inline float largestOf(F32x8 v) {
    float largest = 0;
    for (int i = 0; i < 8; ++i) {
        largest = v[i] > largest ? v[i] : largest;
    }
    return largest;
}

inline void putBytes(std::int8_t* to, Bytes v) { std::memcpy(to, &v, sizeof v); }

// Rounds block `block` of 32 activations. Returns the sum of each group of four values.
inline I32x8 roundBlock(const float* from, std::size_t block, gufo::Int8Run& run) {
    F32x8 vectors[4];
    F32x8 sizes{};
    for (std::size_t i = 0; i < 4; ++i) {
        vectors[i] = get<F32x8>(from + 8 * i);
        sizes = largerOf(sizes, sizeOf(vectors[i]));
    }
    const float largest = largestOf(sizes);
    const float inverse = largest > 0 ? 127 / largest : 0;
    I32x8 values[4];
    for (std::size_t i = 0; i < 4; ++i) {
        values[i] = rounded(vectors[i] * inverse);
    }
    const Bytes bytes = narrowed(values);
    putBytes(run.values + 32 * block, bytes);
    const auto total = [](I32x8 fours, int first) {
        return (fours[first] + fours[first + 1]) + (fours[first + 2] + fours[first + 3]);
    };
    const I32x8 fours = sumFours(bytes);
    const float scale = largest / 127;
    for (int part = 0; part < 2; ++part) {
        const int sum = total(fours, 4 * part);
        const std::size_t at = 2 * block + static_cast<std::size_t>(part);
        run.scales[at] = scale;
        run.sums[at] = scale * static_cast<float>(sum);
        run.negated16[at] = -sum;
    }
    run.negated32[block] = run.negated16[2 * block] + run.negated16[2 * block + 1];
    run.sums32[block] = run.sums[2 * block] + run.sums[2 * block + 1];
    return fours;
}

inline void transposeBlock(const gufo::Int8Run& run, std::size_t block, I32x8 fours, gufo::Int8TransposedRun& to) {
    for (std::size_t part = 0; part < 4; ++part) {
        std::memcpy(to.values + 64 * part + 8 * block, run.values + 32 * block + 8 * part, 8);
    }
    const I32x8 negated = -fours;
    for (int lane = 0; lane < 2; ++lane) {
        const std::size_t at = 2 * block + static_cast<std::size_t>(lane);
        to.scales[at] = run.scales[at];
        to.sums[at] = run.sums[at];
        to.negatedLanes[0][at] = negated[lane] + negated[lane + 2];
        to.negatedLanes[1][at] = negated[lane + 4] + negated[lane + 6];
        to.negatedLanes[2][at] = to.negatedLanes[0][at] + to.negatedLanes[1][at];
    }
}

void toInt8(const float* from, std::size_t columns, const gufo::Int8Out& to) {
    using gufo::kRunWeights;
    for (std::size_t begin = 0; begin < columns; begin += kRunWeights) {
        const std::size_t index = begin / kRunWeights;
        gufo::Int8Run& run = to.runs[index * to.stride];
        for (std::size_t block = 0; block < 8; ++block) {
            float filled[32];
            const I32x8 fours = roundBlock(paddedBlock(from, columns, begin + 32 * block, filled), block, run);
            if (to.transposed != nullptr) {
                transposeBlock(run, block, fours, to.transposed[index]);
            }
        }
    }
}

// --- products of strips of encoded rows with many 8-bit vectors. In each group of a tile, every lane holds four
// consecutive codes of its row (storeGroups()).

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

// --- installation

template<typename... Type>
inline void installTypes(gufo::ProductKernels& products) {
    ((products.int8[Type::kType] = {dotRows<ForVectors<Type>>, multiplyStrip<Type>, dotStreams<ForVectors<Type>>,
                                    kFew}),
     ...);
}

// Reads as many streams alternately as the products do.
std::uint64_t readBytes(const std::byte* from, std::size_t count) {
    U64x4 sums[4]{};
    const std::size_t streamBytes = count / gufo::kStreams / 128 * 128;
    for (std::size_t i = 0; i < streamBytes; i += 128) {
        for (std::size_t s = 0; s < gufo::kStreams; ++s) {
            const std::byte* at = from + s * streamBytes + i;
            prefetchAhead<128>(at);
            for (std::size_t k = 0; k < 4; ++k) {
                sums[k] += get<U64x4>(at + 32 * k);
            }
        }
    }
    const U64x4 all4 = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    std::uint64_t total = (all4[0] + all4[1]) + (all4[2] + all4[3]);
    for (std::size_t i = gufo::kStreams * streamBytes; i < count; ++i) {
        total += static_cast<std::uint64_t>(from[i]);
    }
    return total;
}

inline void installPortableInt8(gufo::ProductKernels& products) {
    products.toInt8 = toInt8;
    products.readBytes = readBytes;
    products.peakInt8 = multiplyFoursOften;
    installTypes<Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q8_1, MXFP4, NVFP4>(products);
    installTypes<Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, Q8_K, IQ4_NL, IQ4_XS>(products);
    installTypes<IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS, IQ3_S, IQ1_S, IQ1_M>(products);
    installTypes<TQ1_0, TQ2_0, Q1_0, Q2_0>(products);
}

} // namespace
