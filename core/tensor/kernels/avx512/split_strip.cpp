// AVX-512 with VNNI: strips of 32 rows of 16-bit floats times many vectors, by products of 8 bits.
//
// Weights of a run of a row are rounded to 15 bits of its largest and split into codes and rests, w = scale × (128 code
// + rest), activations likewise for each 32 of them. Of the four products that of the rests, which is below what is
// rounded off, is left out: three products of 8 bits take less time than one of floats.
#include "tensor/kernels/avx512/common.h"
#include "tensor/kernels/avx512/products.h"
#include "tensor/kernels/avx512/strip.h"
#include "tensor/kernels/avx512/transpose.h"
#include "tensor/tensor_type.h"

namespace gufo::avx512 {
namespace {

constexpr int kParts = kRunWeights / 64;
constexpr float kSteps = 127 * 128 + 63; // that the largest weight of a run is rounded to

struct Tile {
    __m512i codes[64]; // group g: weights 4 g … of sixteen rows, moved up by 128
    __m512i rests[64]; // likewise
    __m512 scales;
};

// Sixteen floats from `at` on, those of the mask.
struct Halves {
    static constexpr TensorType kType = TensorType::F16;
    static __m512 load(const std::byte* at, __mmask16 mask) {
        return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(mask, at));
    }
};
struct Brains {
    static constexpr TensorType kType = TensorType::BF16;
    static __m512 load(const std::byte* at, __mmask16 mask) {
        const __m256i bits = _mm256_maskz_loadu_epi16(mask, at);
        return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16));
    }
};

// Codes and rests of `count` ≤ 256 weights, 64 of them in each vector: weights 16 k + 4 l … in dword 4 l + k. Returns
// the scale of the codes.
template<typename Numbers>
float splitRun(const std::byte* run, std::size_t count, __m512i (&codes)[kParts], __m512i (&rests)[kParts]) {
    __m512 weights[4 * kParts];
    __m512 largest = _mm512_setzero_ps();
    for (std::size_t i = 0; i < 4 * kParts; ++i) {
        const std::size_t left = count - std::min(count, 16 * i);
        const auto mask = static_cast<__mmask16>(left >= 16 ? 0xFFFF : (1U << left) - 1);
        weights[i] = Numbers::load(run + 32 * i, mask);
        largest = _mm512_max_ps(largest, _mm512_abs_ps(weights[i]));
    }
    const float most = _mm512_reduce_max_ps(largest);
    const __m512 inverse = _mm512_set1_ps(most > 0 ? kSteps / most : 0);
    const __m512i moved = _mm512_set1_epi8(static_cast<char>(0x80));
    for (std::size_t part = 0; part < kParts; ++part) {
        __m512i high[2];
        __m512i low[2];
        for (std::size_t half = 0; half < 2; ++half) {
            const auto steps = [&](std::size_t i) {
                return _mm512_cvtps_epi32(_mm512_mul_ps(weights[4 * part + 2 * half + i], inverse));
            };
            const __m512i both = _mm512_packs_epi32(steps(0), steps(1));
            high[half] = _mm512_srai_epi16(_mm512_add_epi16(both, _mm512_set1_epi16(64)), 7);
            low[half] = _mm512_sub_epi16(both, _mm512_slli_epi16(high[half], 7));
        }
        codes[part] = _mm512_xor_si512(_mm512_packs_epi16(high[0], high[1]), moved);
        rests[part] = _mm512_xor_si512(_mm512_packs_epi16(low[0], low[1]), moved);
    }
    return most / kSteps;
}

template<typename Numbers>
void fillTile(const std::byte* const (&rows)[kTileRows], std::size_t run, std::size_t count, Tile& tile) {
    __m512i codes[kParts][kTileRows];
    __m512i rests[kParts][kTileRows];
    alignas(64) float scales[kTileRows];
    for (std::size_t r = 0; r < kTileRows; ++r) {
        __m512i own[kParts];
        __m512i ownRests[kParts];
        scales[r] = splitRun<Numbers>(rows[r] + run * kRunWeights * 2, count, own, ownRests);
        for (std::size_t part = 0; part < kParts; ++part) {
            codes[part][r] = own[part];
            rests[part][r] = ownRests[part];
        }
    }
    tile.scales = _mm512_load_ps(scales);
    for (std::size_t part = 0; part < kParts; ++part) {
        const auto place = [&](int i) { return 16 * part + static_cast<std::size_t>(i % 4 * 4 + i / 4); };
        transpose(codes[part], [&](int i) { return &tile.codes[place(i)]; });
        transpose(rests[part], [&](int i) { return &tile.rests[place(i)]; });
    }
}

// Two tiles by `Tokens` tokens over one run, added to `totals`.
template<std::size_t Tokens>
void multiplyTiles(const Tile* tiles, const Int8Run* x, TokenTotals* totals) {
    __m512 products[Tokens][2];
    for (std::size_t t = 0; t < Tokens; ++t) {
        products[t][0] = products[t][1] = _mm512_setzero_ps();
    }
    for (std::size_t part = 0; part < 8; ++part) { // 32 weights
        __m512i sums[Tokens][2];                   // of codes
        __m512i cross[Tokens][2];                  // of codes and rests
        for (std::size_t t = 0; t < Tokens; ++t) {
            const int negated = x[t].negated32[part];
            const int negatedRest = x[t].negatedRest32[part];
            sums[t][0] = sums[t][1] = _mm512_set1_epi32(negated * 128);
            cross[t][0] = cross[t][1] = _mm512_set1_epi32((negated + negatedRest) * 128);
        }
#pragma GCC unroll 8
        for (std::size_t g = 0; g < 8; ++g) {
            const std::size_t group = 8 * part + g;
#pragma GCC unroll 4
            for (std::size_t t = 0; t < Tokens; ++t) {
                const __m512i four =
                    _mm512_set1_epi32(get<std::int32_t>(reinterpret_cast<const std::byte*>(x[t].values + 4 * group)));
                const __m512i rest =
                    _mm512_set1_epi32(get<std::int32_t>(reinterpret_cast<const std::byte*>(x[t].rest + 4 * group)));
#pragma GCC unroll 2
                for (std::size_t i = 0; i < 2; ++i) {
                    sums[t][i] = _mm512_dpbusd_epi32(sums[t][i], tiles[i].codes[group], four);
                    cross[t][i] = _mm512_dpbusd_epi32(cross[t][i], tiles[i].rests[group], four);
                    cross[t][i] = _mm512_dpbusd_epi32(cross[t][i], tiles[i].codes[group], rest);
                }
            }
        }
        for (std::size_t t = 0; t < Tokens; ++t) {
            const __m512 own = _mm512_set1_ps(x[t].scales[2 * part]);
            for (std::size_t i = 0; i < 2; ++i) {
                const __m512i sum = _mm512_add_epi32(_mm512_slli_epi32(sums[t][i], 7), cross[t][i]);
                products[t][i] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sum), own, products[t][i]);
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
void multiplyStrip(const EncodedRows& rows, std::size_t count, const Int8Run* runs, std::size_t tokens, float* y,
                   std::size_t stride, std::byte* scratch) {
    multiplyByRuns<Tile, 4>(
        rows, count, runs, tokens, y, stride, scratch,
        [&](const std::byte* const(&starts)[kTileRows], std::size_t run, Tile& tile) {
            fillTile<Numbers>(starts, run, std::min(kRunWeights, rows.columns - run * kRunWeights), tile);
        },
        [&]<std::size_t Tokens>(const Tile* tiles, const Int8Run* x, TokenTotals* totals) {
            multiplyTiles<Tokens>(tiles, x, totals);
        });
}

} // namespace

void installSplitProducts(ProductKernels& products) {
    products.int8[static_cast<std::size_t>(Halves::kType)] = {nullptr, multiplyStrip<Halves>, true};
    products.int8[static_cast<std::size_t>(Brains::kType)] = {nullptr, multiplyStrip<Brains>, true};
}

} // namespace gufo::avx512
