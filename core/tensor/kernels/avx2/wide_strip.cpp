// AVX2: products of strips of 16-bit floats with many vectors, in 16-bit integers (Int16Run). One instruction
// multiplies twice as many of them as of 32-bit floats. The weights of a run of a row are rounded to 15 bits relative
// to its largest.
#include "tensor/kernels/avx2/tiles.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/portable/strip.h"
#include "tensor/tensor_type.h"

#include <limits>

namespace {

using gufo::Int16Run;
using gufo::kRunWeights;
using gufo::TensorType;

struct Tile {
    __m256i pairs[kRunWeights / 2]; // weights 2 i and 2 i + 1 of eight rows
    Floats scales;
};

struct Halves {
    static constexpr TensorType kType = TensorType::F16;
    static F32x8 floats(const std::byte* eight) { return eightHalves(eight); }
};
struct Brains {
    static constexpr TensorType kType = TensorType::BF16;
    static F32x8 floats(const std::byte* eight) { return eightBrains(eight); }
};

inline __m256i rounded(F32x8 v) { return _mm256_cvtps_epi32(reinterpret_cast<__m256>(v)); }

// The largest magnitude of a run. Magnitudes sort like their bits.
template<typename Numbers>
float largestOf(const std::byte* run) {
    __m256i largest = _mm256_setzero_si256();
    for (std::size_t i = 0; i < kRunWeights; i += 16) {
        const __m256i bits = get<__m256i>(run + 2 * i);
        largest = _mm256_max_epu16(largest, _mm256_and_si256(bits, _mm256_set1_epi16(0x7FFF)));
    }
    const __m128i eight = _mm_max_epu16(_mm256_castsi256_si128(largest), _mm256_extracti128_si256(largest, 1));
    const __m128i ones = _mm_set1_epi16(-1);
    const __m128i one = _mm_xor_si128(_mm_minpos_epu16(_mm_xor_si128(eight, ones)), ones);
    return Numbers::floats(reinterpret_cast<const std::byte*>(&one))[0];
}

// Rounds a run of eight rows to multiples of the scales. Each row of the matrix has sixteen weights in the order of
// packs_epi32:
//
//   dwords  [w0 w1] [w2 w3] [w8 w9] [w10 w11] │ [w4 w5] [w6 w7] [w12 w13] [w14 w15]
template<typename Numbers>
void fillTile(const std::byte* const* rows, Tile& tile) {
    constexpr std::size_t kPairOf[8]{0, 1, 4, 5, 2, 3, 6, 7};
    F32x8 inverses[kLanes];
    for (std::size_t r = 0; r < kLanes; ++r) {
        const float scale = largestOf<Numbers>(rows[r]) / static_cast<float>(Int16Run::kMaxWeight);
        tile.scales[r] = scale;
        inverses[r] = allLanes(scale >= std::numeric_limits<float>::min() ? 1 / scale : 0);
    }
    for (std::size_t first = 0; first < kRunWeights; first += 16) {
        __m256i matrix[kLanes];
        for (std::size_t r = 0; r < kLanes; ++r) {
            const std::byte* at = rows[r] + 2 * first;
            matrix[r] = _mm256_packs_epi32(rounded(Numbers::floats(at) * inverses[r]),
                                           rounded(Numbers::floats(at + 16) * inverses[r]));
        }
        __m256i columns[8];
        transpose(matrix, columns);
        for (std::size_t i = 0; i < 8; ++i) {
            tile.pairs[first / 2 + kPairOf[i]] = columns[i];
        }
    }
}

// Multiplies two tiles with `tokens` tokens over one run and adds the result to totals[t].of[tile] and the next.
template<std::size_t tokens>
inline void multiplyTiles(const Tile* tiles, std::size_t tile, const Int16Run* x, TokenTotals* totals) {
    Floats products[tokens][2]{};
    for (std::size_t block = 0; block < kRunWeights / 32; ++block) {
        Ints sums[tokens][2];
        repeated<16>([&](std::size_t i) GUFO_INLINE {
            const std::size_t pair = 16 * block + i;
            const __m256i weights[2]{kept(tiles[0].pairs[pair]), kept(tiles[1].pairs[pair])};
            forTokensAndTiles<tokens>([&](std::size_t t, std::size_t k) GUFO_INLINE {
                const __m256i two = _mm256_set1_epi32(get<std::int32_t>(x[t].values + 2 * pair));
                const Ints product = asInts(_mm256_madd_epi16(weights[k], two));
                sums[t][k] = kept(i == 0 ? product : sums[t][k] + product);
            });
        });
        forTokensAndTiles<tokens>([&](std::size_t t, std::size_t k) GUFO_INLINE {
            products[t][k] = multiplyAdd(toFloats(sums[t][k]), allLanes(x[t].scales[block]), products[t][k]);
        });
    }
    forTokensAndTiles<tokens>([&](std::size_t t, std::size_t k) GUFO_INLINE {
        Floats& total = totals[t].of[tile + k];
        total = multiplyAdd(products[t][k], tiles[k].scales, total);
    });
}

template<typename Numbers>
void multiplyStrip(const gufo::EncodedRows& rows, std::size_t count, const Int16Run* runs, std::size_t tokens, float* y,
                   std::size_t stride, std::byte* scratch) {
    constexpr StripType<Tile> kType{2 * kRunWeights, fillTile<Numbers>};
    multiplyByRuns(
        kType, rows, count, runs, tokens, y, stride, scratch,
        []<std::size_t together>(const Tile* tiles, std::size_t tileCount, const Int16Run* x, TokenTotals* totals) {
            for (std::size_t tile = 0; tile < tileCount; tile += 2) {
                multiplyTiles<together>(tiles + tile, tile, x, totals);
            }
        });
}

// --- rounding of activations

inline F32x8 sizeOf(F32x8 v) { return reinterpret_cast<F32x8>(reinterpret_cast<I32x8>(v) & 0x7FFF'FFFF); }

// Folds the lanes pairwise: lanes 4 … 7 with 0 … 3, then 2, 3 with 0, 1, then 1 with 0.
template<typename Fold>
inline float folded(F32x8 v, const Fold& fold) {
    v = fold(v, __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3));
    v = fold(v, __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5));
    return fold(v, __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6))[0];
}

// The result equals the result of kernels/scalar bit for bit, because both sum in the same order.
inline void roundBlock(const float* from, std::size_t block, Int16Run& run) {
    F32x8 vectors[4];
    F32x8 sizes[4];
    F32x8 parts[4];
    for (std::size_t i = 0; i < 4; ++i) {
        vectors[i] = get<F32x8>(from + 8 * i);
        sizes[i] = sizeOf(vectors[i]);
        parts[i] = sizes[i] * (1.0F / 32);
    }
    const auto largerOf = [](F32x8 a, F32x8 b) { return larger(a, b); };
    const auto sumOf = [](F32x8 a, F32x8 b) { return a + b; };
    const float largest = folded(larger(larger(sizes[0], sizes[1]), larger(sizes[2], sizes[3])), largerOf);
    const float mean = folded((parts[0] + parts[2]) + (parts[1] + parts[3]), sumOf);
    const float wanted = std::max(largest / Int16Run::kMaxValue, mean / Int16Run::kMaxMean);
    const float scale = wanted < std::numeric_limits<float>::min() ? 0 : wanted;
    const float inverse = scale > 0 ? 1 / scale : 0;
    run.scales[block] = scale;
    for (std::size_t i = 0; i < 4; i += 2) {
        const __m256i both = _mm256_packs_epi32(rounded(vectors[i] * inverse), rounded(vectors[i + 1] * inverse));
        const __m256i inOrder = _mm256_permute4x64_epi64(both, 0xD8);
        std::memcpy(run.values + 32 * block + 8 * i, &inOrder, sizeof inOrder);
    }
}

void toInt16(const float* from, std::size_t columns, Int16Run* to, std::size_t stride) {
    for (std::size_t begin = 0; begin < columns; begin += kRunWeights) {
        Int16Run& run = to[begin / kRunWeights * stride];
        for (std::size_t block = 0; block < kRunWeights / 32; ++block) {
            float filled[32];
            roundBlock(paddedBlock(from, columns, begin + 32 * block, filled), block, run);
        }
    }
}

} // namespace

namespace gufo::avx2 {

void installWideProducts(ProductKernels& products) {
    products.toInt16 = toInt16;
    products.int16[Halves::kType] = multiplyStrip<Halves>;
    products.int16[Brains::kType] = multiplyStrip<Brains>;
}

} // namespace gufo::avx2
