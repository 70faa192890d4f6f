// AVX-512 with VNNI: products of strips of 32 encoded rows with many 8-bit vectors.
//
// A run of a strip is unpacked once into two tiles of sixteen rows. Each lane of a group has four consecutive codes of
// its row, as dpbusd needs them. Then each group of four activations is multiplied with both tiles.
#include "tensor/kernels/avx512/install.h"
#include "tensor/kernels/avx512/strip.h"
#include "tensor/kernels/avx512/transpose.h"
#include "tensor/kernels/avx512/transposed_types.h"
#include "tensor/kernels/portable/unrolled.h"

#include <algorithm>
#include <cstring>

namespace gufo::avx512 {
namespace {

constexpr std::size_t kTogether = 4; // tokens whose sums and totals fit into the registers

struct Tile {
    __m512i codes[64]; // group g: weights 4 g … 4 g + 3 of sixteen rows
    __m512 scales[16]; // one vector per 16 weights
    __m512 minima[16];
};

// Whether scales of 16 weights are multiplied with the codes.
template<typename Type>
constexpr bool kScalesFitCodes = [] {
    constexpr bool kFit = requires(Type run) { run.integerScales(); };
    static_assert(!kFit || (Type::kPer16 && Type::kOffsetShift < 0), "sums of scaled codes have no offset to subtract");
    return kFit;
}();

// Multiplies the codes of a tile (0 … 3) by integer scales: `scales` has one per row and 16 weights. The products with
// each of the four codes are the bytes of a lane, and a shuffle looks them up: the scale 5 makes the lane 0x0F0A'0500.
void scaleCodes(const __m512i (&scales)[16], Tile& tile) {
    const __m512i ofLane = _mm512_broadcast_i32x4(_mm_setr_epi32(0, 0x0404'0404, 0x0808'0808, 0x0C0C'0C0C));
    for (std::size_t part = 0; part < 16; ++part) {
        const __m512i products = _mm512_mullo_epi32(scales[part], _mm512_set1_epi32(0x0302'0100));
        for (std::size_t group = 4 * part; group < 4 * part + 4; ++group) {
            tile.codes[group] = _mm512_shuffle_epi8(products, _mm512_or_si512(tile.codes[group], ofLane));
        }
    }
}

template<typename Type>
void fillTile(const std::byte* const (&rows)[kTileRows], Tile& tile) {
    __m512i parts[4][16];
    __m512i scales[16];
    __m512i minima[16];
    __m512i integers[kScalesFitCodes<Type> ? 16 : 1];
    for (std::size_t r = 0; r < 16; ++r) {
        const Type run(rows[r]);
        for (int part = 0; part < 4; ++part) {
            parts[part][r] = run.codes(part);
        }
        if constexpr (kScalesFitCodes<Type>) {
            integers[r] = _mm512_cvtepu8_epi32(run.integerScales());
            scales[r] = _mm512_castps_si512(run.scale());
        } else {
            scales[r] = _mm512_castps_si512(run.scales());
        }
        if constexpr (Type::kMinima) {
            minima[r] = _mm512_castps_si512(run.minima());
        }
    }
    for (int part = 0; part < 4; ++part) {
        if constexpr (Type::kInOrder) {
            transpose(parts[part], [&](int i) { return &tile.codes[16 * part + i]; });
        } else { // dwords 2 b and 2 b + 1 of a part are weights 32 b + 8 part …, so groups 8 b + 2 part and the next
            transpose(parts[part], [&](int i) { return &tile.codes[8 * (i / 2) + 2 * part + i % 2]; });
        }
    }
    if constexpr (kScalesFitCodes<Type>) {
        __m512i ofParts[16];
        transpose(integers, [&](int i) { return &ofParts[i]; });
        scaleCodes(ofParts, tile);
    }
    transpose(scales, [&](int i) { return &tile.scales[i]; });
    if constexpr (Type::kMinima) {
        transpose(minima, [&](int i) { return &tile.minima[i]; });
    }
}

// Multiplies two tiles with `Tokens` tokens over one run and adds the result to `totals`. A token has one scale per 32
// values, so products of two halves whose weights have scales of their own are joined first.
template<typename Type, std::size_t Tokens>
void multiplyTiles(const Tile* tiles, const Int8Run* x, TokenTotals* totals) {
    constexpr std::size_t kHalves = Type::kPer16 && !kScalesFitCodes<Type> ? 2 : 1;
    constexpr std::size_t kGroups = 8 / kHalves;
    // They subtract the offset of the codes.
    alignas(64) std::int32_t initialSums[Tokens][8 * kHalves];
    if constexpr (Type::kOffsetShift >= 0) {
#pragma GCC unroll kChecked ? 1 : 4
        for (std::size_t t = 0; t < Tokens; ++t) {
            if constexpr (kHalves == 2) {
                _mm512_store_si512(initialSums[t],
                                   _mm512_slli_epi32(_mm512_load_si512(x[t].negated16), Type::kOffsetShift));
            } else {
                _mm256_store_si256(
                    reinterpret_cast<__m256i*>(initialSums[t]),
                    _mm256_slli_epi32(load32(reinterpret_cast<const std::byte*>(x[t].negated32)), Type::kOffsetShift));
            }
        }
    }
    __m512 all[Tokens][2];
#pragma GCC unroll kChecked ? 1 : 4
    for (std::size_t t = 0; t < Tokens; ++t) {
        all[t][0] = totals[t].of[0];
        all[t][1] = totals[t].of[1];
    }
    for (std::size_t block = 0; block < 8; ++block) {
        __m512 joined[Tokens][2];
#pragma GCC unroll kChecked ? 1 : 2
        for (std::size_t half = 0; half < kHalves; ++half) {
            const std::size_t part = 2 * block + half; // of 16 weights
            __m512i sums[Tokens][2];
#pragma GCC unroll kChecked ? 1 : 4
            for (std::size_t t = 0; t < Tokens; ++t) {
                sums[t][0] = _mm512_setzero_si512();
                if constexpr (Type::kOffsetShift >= 0) {
                    sums[t][0] = _mm512_set1_epi32(initialSums[t][kHalves * block + half]);
                }
                sums[t][1] = sums[t][0];
            }
#pragma GCC unroll kChecked ? 1 : 8
            for (std::size_t g = 0; g < kGroups; ++g) {
                const std::size_t group = 8 * block + kGroups * half + g;
                const __m512i first = tiles[0].codes[group];
                const __m512i second = tiles[1].codes[group];
#pragma GCC unroll kChecked ? 1 : 4
                for (std::size_t t = 0; t < Tokens; ++t) {
                    const __m512i four = _mm512_set1_epi32(
                        get<std::int32_t>(reinterpret_cast<const std::byte*>(x[t].values + 4 * group)));
                    sums[t][0] = _mm512_dpbusd_epi32(sums[t][0], first, four);
                    sums[t][1] = _mm512_dpbusd_epi32(sums[t][1], second, four);
                }
            }
#pragma GCC unroll kChecked ? 1 : 4
            for (std::size_t t = 0; t < Tokens; ++t) {
#pragma GCC unroll kChecked ? 1 : 2
                for (std::size_t i = 0; i < 2; ++i) {
                    const __m512 ofHalf = _mm512_cvtepi32_ps(sums[t][i]);
                    const __m512 scales = tiles[i].scales[part];
                    if constexpr (kHalves == 1) { // largest scales are multiplied by small ones first
                        const __m512 tokenScale = _mm512_set1_ps(x[t].scales[part]);
                        all[t][i] = _mm512_fmadd_ps(ofHalf, _mm512_mul_ps(scales, tokenScale), all[t][i]);
                    } else if (half == 0) {
                        joined[t][i] = _mm512_mul_ps(ofHalf, scales);
                    } else {
                        joined[t][i] = _mm512_fmadd_ps(ofHalf, scales, joined[t][i]);
                    }
                    if constexpr (Type::kMinima && Type::kPer16) {
#pragma GCC unroll 2
                        for (std::size_t k = part; k < part + 2 / kHalves; ++k) {
                            all[t][i] = _mm512_fnmadd_ps(tiles[i].minima[k], _mm512_set1_ps(x[t].sums[k]), all[t][i]);
                        }
                    } else if constexpr (Type::kMinima) {
                        all[t][i] =
                            _mm512_fnmadd_ps(tiles[i].minima[part], _mm512_set1_ps(x[t].sums32[block]), all[t][i]);
                    }
                }
            }
        }
        if constexpr (kHalves == 2) {
#pragma GCC unroll kChecked ? 1 : 4
            for (std::size_t t = 0; t < Tokens; ++t) {
                const __m512 tokenScale = _mm512_set1_ps(x[t].scales[2 * block]);
#pragma GCC unroll kChecked ? 1 : 2
                for (std::size_t i = 0; i < 2; ++i) {
                    all[t][i] = _mm512_fmadd_ps(joined[t][i], tokenScale, all[t][i]);
                }
            }
        }
    }
#pragma GCC unroll kChecked ? 1 : 4
    for (std::size_t t = 0; t < Tokens; ++t) {
        totals[t].of[0] = all[t][0];
        totals[t].of[1] = all[t][1];
    }
}

template<typename Type>
void multiplyStrip(const EncodedRows& rows, std::size_t count, const Int8Run* runs, std::size_t tokens, float* y,
                   std::size_t stride, std::byte* scratch) {
    const auto fill = [&](const std::byte* const(&starts)[kTileRows], std::size_t run, Tile& tile) {
        const std::size_t bytes = std::min(Type::kRunBytes, rows.rowBytes - run * Type::kRunBytes);
        const std::byte* at[kTileRows];
        for (std::size_t r = 0; r < kTileRows; ++r) {
            at[r] = starts[r] + run * Type::kRunBytes;
        }
        if (bytes == Type::kRunBytes) {
            fillTile<Type>(at, tile);
        } else { // filled up with zeros, whose scales are 0 or meet activations of 0
            alignas(64) std::byte filled[kTileRows][Type::kRunBytes]{};
            for (std::size_t r = 0; r < kTileRows; ++r) {
                std::memcpy(filled[r], at[r], bytes);
                at[r] = filled[r];
            }
            fillTile<Type>(at, tile);
        }
    };
    multiplyByRuns<Tile, kTogether>(rows, count, runs, tokens, y, stride, scratch, fill,
                                    [&]<std::size_t Tokens>(const Tile* tiles, const Int8Run* x, TokenTotals* totals) {
                                        multiplyTiles<Type, Tokens>(tiles, x, totals);
                                    });
}

} // namespace

void installStripProducts(ProductKernels& products) {
    withTransposedTypes([&]<typename... Type>() { ((products.int8[Type::kType].strip = multiplyStrip<Type>), ...); });
}

} // namespace gufo::avx512
