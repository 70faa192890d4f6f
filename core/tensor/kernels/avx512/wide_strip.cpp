// AVX-512 with VNNI: products of strips of 32 rows of 16-bit floats with many vectors, in 16-bit integers (Int16Run).
//
// The weights of a run of a row are rounded to 15 bits relative to its largest. Pairs of such products are as fast as
// products of 16-bit floats and twice as fast as products of 32-bit floats, and they are more exact than rounding the
// activation to either 16-bit float format.
#include "tensor/kernels/avx512/common.h"
#include "tensor/kernels/avx512/install.h"
#include "tensor/kernels/avx512/strip.h"
#include "tensor/kernels/avx512/transpose.h"
#include "tensor/tensor_type.h"

namespace gufo::avx512 {
namespace {

constexpr std::size_t kPairs = kRunWeights / 2;
constexpr std::size_t kParts = kRunWeights / 32;

struct Tile {
    __m512i pairs[kPairs]; // weights 2 i and 2 i + 1 of sixteen rows
    __m512 scales;
};

struct Halves {
    static constexpr TensorType kType = TensorType::F16;
    static __m512 floats(__m256i numbers) { return _mm512_cvtph_ps(numbers); }
};
struct Brains {
    static constexpr TensorType kType = TensorType::BF16;
    static __m512 floats(__m256i numbers) {
        return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(numbers), 16));
    }
};

// The largest of several magnitudes, which sort like their bits.
template<typename Numbers>
float largestOf(__m512i magnitudes) {
    const __m256i halves =
        _mm256_max_epu16(_mm512_castsi512_si256(magnitudes), _mm512_extracti64x4_epi64(magnitudes, 1));
    const __m128i eight = _mm_max_epu16(lower(halves), upper(halves));
    const __m128i inverted = _mm_minpos_epu16(_mm_xor_si128(eight, _mm_set1_epi16(-1)));
    const __m128i largest = _mm_xor_si128(inverted, _mm_set1_epi16(-1));
    return _mm512_cvtss_f32(Numbers::floats(_mm256_zextsi128_si256(largest)));
}

// Rounds 256 weights to multiples of the returned scale; weights beyond `count` are 0. Each vector has 32 weights in
// the order of packs_epi32, which interleaves groups of four of the first and second sixteen:
//
//   dwords  [w0 w1] [w2 w3] [w16 w17] [w18 w19] │ [w4 w5] [w6 w7] [w20 w21] [w22 w23] │ …
template<typename Numbers, bool whole>
float roundRun(const std::byte* run, std::size_t count, __m512i (&steps)[kParts]) {
    __m512i numbers[kParts];
    __m512i largest = _mm512_setzero_si512();
    for (std::size_t part = 0; part < kParts; ++part) {
        if constexpr (whole) {
            numbers[part] = load64(run + 64 * part);
        } else {
            const std::size_t left = count - std::min(count, 32 * part);
            const auto mask = static_cast<__mmask32>(left >= 32 ? ~0U : (1U << left) - 1);
            numbers[part] = _mm512_maskz_loadu_epi16(mask, run + 64 * part);
        }
        largest = _mm512_max_epu16(largest, _mm512_and_si512(numbers[part], _mm512_set1_epi16(0x7FFF)));
    }
    const float largestMagnitude = largestOf<Numbers>(largest);
    constexpr auto kSteps = static_cast<float>(Int16Run::kMaxWeight);
    const float scale = largestMagnitude / kSteps;
    const __m512 inverse = _mm512_set1_ps(scale >= std::numeric_limits<float>::min() ? 1 / scale : 0);
    for (std::size_t part = 0; part < kParts; ++part) {
        const auto round = [&](__m256i half) {
            return _mm512_cvtps_epi32(_mm512_mul_ps(Numbers::floats(half), inverse));
        };
        steps[part] = _mm512_packs_epi32(round(_mm512_castsi512_si256(numbers[part])),
                                         round(_mm512_extracti64x4_epi64(numbers[part], 1)));
    }
    return scale;
}

template<typename Numbers, bool whole>
void fillTile(const std::byte* const (&rows)[kTileRows], std::size_t run, std::size_t count, Tile& tile) {
    __m512i steps[kParts][kTileRows];
    alignas(64) float scales[kTileRows];
    for (std::size_t r = 0; r < kTileRows; ++r) {
        __m512i rowSteps[kParts];
        scales[r] = roundRun<Numbers, whole>(rows[r] + run * kRunWeights * 2, count, rowSteps);
        for (std::size_t part = 0; part < kParts; ++part) {
            steps[part][r] = rowSteps[part];
        }
    }
    tile.scales = _mm512_load_ps(scales);
    for (std::size_t part = 0; part < kParts; ++part) {
        // Dword i in the order of roundRun() is this pair of weights.
        transpose(steps[part], [&](int i) {
            return &tile.pairs[16 * part + static_cast<std::size_t>(i % 4 / 2 * 8 + i / 4 * 2 + i % 2)];
        });
    }
}

// Multiplies two tiles with `Tokens` tokens over one run and adds the result to `totals`.
template<std::size_t Tokens>
void multiplyTiles(const Tile* tiles, const Int16Run* x, TokenTotals* totals) {
    __m512 products[Tokens][2];
    for (std::size_t t = 0; t < Tokens; ++t) {
        products[t][0] = products[t][1] = _mm512_setzero_ps();
    }
    for (std::size_t part = 0; part < kParts; ++part) {
        __m512i sums[Tokens][2];
        for (std::size_t t = 0; t < Tokens; ++t) {
            sums[t][0] = sums[t][1] = _mm512_setzero_si512();
        }
#pragma GCC unroll 16
        for (std::size_t p = 0; p < 16; ++p) {
            const std::size_t pair = 16 * part + p;
            const __m512i first = tiles[0].pairs[pair];
            const __m512i second = tiles[1].pairs[pair];
#pragma GCC unroll 8
            for (std::size_t t = 0; t < Tokens; ++t) {
                const __m512i two =
                    _mm512_set1_epi32(get<std::int32_t>(reinterpret_cast<const std::byte*>(x[t].values + 2 * pair)));
                sums[t][0] = _mm512_dpwssd_epi32(sums[t][0], first, two);
                sums[t][1] = _mm512_dpwssd_epi32(sums[t][1], second, two);
            }
        }
#pragma GCC unroll 8
        for (std::size_t t = 0; t < Tokens; ++t) {
            const __m512 tokenScale = _mm512_set1_ps(x[t].scales[part]);
            for (std::size_t i = 0; i < 2; ++i) {
                products[t][i] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sums[t][i]), tokenScale, products[t][i]);
            }
        }
    }
    for (std::size_t t = 0; t < Tokens; ++t) {
        for (std::size_t i = 0; i < 2; ++i) {
            totals[t].of[i] = _mm512_fmadd_ps(products[t][i], tiles[i].scales, totals[t].of[i]);
        }
    }
}

template<typename Numbers>
void multiplyStrip(const EncodedRows& rows, std::size_t count, const Int16Run* runs, std::size_t tokens, float* y,
                   std::size_t stride, std::byte* scratch) {
    multiplyByRuns<Tile, 8>(
        rows, count, runs, tokens, y, stride, scratch,
        [&](const std::byte* const(&starts)[kTileRows], std::size_t run, Tile& tile) {
            const std::size_t left = rows.columns - run * kRunWeights;
            if (left >= kRunWeights) {
                fillTile<Numbers, true>(starts, run, kRunWeights, tile);
            } else {
                fillTile<Numbers, false>(starts, run, left, tile);
            }
        },
        [&]<std::size_t Tokens>(const Tile* tiles, const Int16Run* x, TokenTotals* totals) {
            multiplyTiles<Tokens>(tiles, x, totals);
        });
}

} // namespace

void installWideProducts(ProductKernels& products) {
    products.int16[Halves::kType] = multiplyStrip<Halves>;
    products.int16[Brains::kType] = multiplyStrip<Brains>;
}

} // namespace gufo::avx512
