// AVX-512 with VNNI: products of encoded rows with one 8-bit vector or a few, for which a run is unpacked only once.
//
// In a transposed run (kernels/products.h) all products of a block are summed in its own two 32-bit lanes, so that a
// run needs only one conversion to float. Types with one scale per 16 weights need two: the first half of each block is
// in parts 0 and 1, the second in parts 2 and 3.
//
//   lane    0  1    2  3    …  14 15
//   part g  b0 b0   b1 b1   …  b7 b7      four products of group g of the block in each lane
//
// The two lanes of a block are added as integers. A run alone would then fill half a vector, so two rows share one from
// there on: the even lanes belong to the first row, the odd lanes to the second.
#include "tensor/kernels/avx512/install.h"
#include "tensor/kernels/avx512/transposed_types.h"
#include "tensor/kernels/portable/few_vectors.h"

#include <algorithm>

namespace gufo::avx512 {
namespace {

// The initial value of the sums, which subtracts the offset of the codes.
template<typename Type>
inline __m512i beginning(const std::int32_t* negated) {
    if constexpr (Type::kOffsetShift >= 0) {
        return _mm512_slli_epi32(_mm512_load_si512(negated), Type::kOffsetShift);
    } else {
        return _mm512_setzero_si512();
    }
}

// Transposes codes in normal order. The permutation joins two groups of four blocks each:
//
//   in order   b0g0 b0g1 b0g2 b0g3 b1g0 …   b2g0 …
//   low        b0g0 b1g0 b2g0 b3g0 b0g1 b1g1 b2g1 b3g1      high: groups 2 and 3
inline void transposeCodes(const __m512i (&inOrder)[4], __m512i (&codes)[4]) {
    const auto groups = [&](std::size_t first, long long group) {
        const __m512i places = _mm512_add_epi64(_mm512_setr_epi64(0, 4, 8, 12, 1, 5, 9, 13), _mm512_set1_epi64(group));
        return _mm512_permutex2var_epi64(inOrder[first], places, inOrder[first + 1]);
    };
    const __m512i low[2]{groups(0, 0), groups(2, 0)};
    const __m512i high[2]{groups(0, 2), groups(2, 2)};
    codes[0] = _mm512_shuffle_i64x2(low[0], low[1], 0x44);
    codes[1] = _mm512_shuffle_i64x2(low[0], low[1], 0xEE);
    codes[2] = _mm512_shuffle_i64x2(high[0], high[1], 0x44);
    codes[3] = _mm512_shuffle_i64x2(high[0], high[1], 0xEE);
}

// A type of weights for dotStreamed().
template<typename Type>
struct OfType {
    static constexpr std::size_t kRunBytes = Type::kRunBytes;
    static constexpr bool kRowPairs = true;
    using Total = __m512;

    struct Whole {
        static __m512 kept(__m512 ofParts) { return ofParts; }
    };
    struct First {
        __mmask16 parts;
        explicit First(std::size_t weights)
            : parts(static_cast<__mmask16>((1U << weights / 16) - 1)) {}
        [[nodiscard]] __m512 kept(__m512 ofParts) const { return _mm512_maskz_mov_ps(parts, ofParts); }
    };

    static constexpr __mmask16 kEven = 0x5555;
    static constexpr __mmask16 kOdd = 0xAAAA;
    static constexpr std::size_t kParts = Type::kPer16 ? 2 : 1; // of a block, with scales and minima of their own

    static constexpr std::size_t kFirstSum = Type::kPer16 ? 0 : 2; // of the sums over parts of blocks

    static constexpr bool kInterleaved = requires(Type run) { run.both; }; // scales and minima of blocks

    // The even lanes of `a` for the first row and the even lanes of `b` for the second, or the odd lanes.
    static __m512 evenLanes(__m512 a, __m512 b) { return _mm512_mask_moveldup_ps(a, kOdd, b); }
    static __m512 oddLanes(__m512 a, __m512 b) { return _mm512_mask_movehdup_ps(b, kEven, a); }
    // Adds neighbouring lanes: the even results belong to `a`, the odd ones to `b`.
    static __m512i addLanes(__m512i a, __m512i b) {
        const __m512i straight = _mm512_mask_mov_epi32(a, kOdd, b);
        const __m512i crossed = _mm512_mask_mov_epi32(b, kOdd, a);
        return _mm512_add_epi32(straight, _mm512_shuffle_epi32(crossed, _MM_PERM_CDAB));
    }

    struct Run {
        __m512i codes[4]; // transposed
        __m512 scales;    // or, if kInterleaved, the scale and the minimum of each block
        __m512 minima;

        template<typename Extent>
        GUFO_INLINE_UNCHECKED Run(const std::byte* at, const Extent& extent) {
            const Type run(at);
            const __m512i parts[4]{run.codes(0), run.codes(1), run.codes(2), run.codes(3)};
            if constexpr (Type::kInOrder) {
                transposeCodes(parts, codes);
            } else {
                std::copy(parts, parts + 4, codes);
            }
            if constexpr (kInterleaved) {
                scales = extent.kept(run.both);
            } else {
                scales = extent.kept(run.scales());
                if constexpr (Type::kMinima) {
                    minima = extent.kept(run.minima());
                }
            }
        }
    };

    // The scales and minima of two rows.
    struct PairScales {
        __m512 scales[kParts];
        __m512 minima[kParts];

        GUFO_INLINE_UNCHECKED PairScales(const Run& a, const Run& b) {
            scales[0] = evenLanes(a.scales, b.scales);
            if constexpr (kInterleaved) {
                minima[0] = oddLanes(a.scales, b.scales);
            } else if constexpr (Type::kMinima) {
                minima[0] = evenLanes(a.minima, b.minima);
            }
            if constexpr (kParts == 2) {
                scales[1] = oddLanes(a.scales, b.scales);
                if constexpr (Type::kMinima) {
                    minima[1] = oddLanes(a.minima, b.minima);
                }
            }
        }

        // The total of the products of the halves of blocks, or of whole blocks.
        GUFO_INLINE_UNCHECKED __m512 applied(const __m512i (&products)[kParts], const Int8TransposedRun& x) const {
            const __m512 ofActivations = _mm512_load_ps(x.scales);
            __m512 total = _mm512_mul_ps(_mm512_cvtepi32_ps(products[0]), _mm512_mul_ps(scales[0], ofActivations));
            if constexpr (kParts == 2) {
                total =
                    _mm512_fmadd_ps(_mm512_cvtepi32_ps(products[1]), _mm512_mul_ps(scales[1], ofActivations), total);
            }
            if constexpr (Type::kMinima) {
                total = _mm512_fnmadd_ps(minima[0], _mm512_load_ps(x.duplicated.sums[kFirstSum]), total);
                if constexpr (kParts == 2) {
                    total = _mm512_fnmadd_ps(minima[1], _mm512_load_ps(x.duplicated.sums[kFirstSum + 1]), total);
                }
            }
            return total;
        }
    };

    // Two rows for one vector: the products of each are summed on their own, and then the lanes of a block.
    struct Pair {
        const Run& first;
        const Run& second;
        PairScales scales;

        GUFO_INLINE_UNCHECKED Pair(const Run& a, const Run& b)
            : first(a)
            , second(b)
            , scales(a, b) {}
    };
    GUFO_INLINE_UNCHECKED static __m512 multiplied(const Pair& pair, const Int8TransposedRun& x) {
        const auto productsOf = [&](const Run& run, std::size_t part) GUFO_INLINE {
            __m512i sums = beginning<Type>(x.negatedLanes[kFirstSum + part]);
            unrolled(Times<4 / kParts>(), [&](std::size_t i) GUFO_INLINE {
                const std::size_t group = 4 / kParts * part + i;
                sums = _mm512_dpbusd_epi32(sums, run.codes[group], _mm512_load_si512(x.values + 64 * group));
            });
            return sums;
        };
        __m512i products[kParts];
        unrolled(Times<kParts>(), [&](std::size_t part) GUFO_INLINE {
            products[part] = addLanes(productsOf(pair.first, part), productsOf(pair.second, part));
        });
        return pair.scales.applied(products, x);
    }

    // Two rows for several vectors: their codes alternate, so that no lanes have to be added.
    struct Alternating {
        __m512i codes[4][2]; // of a part of each row: even lanes, then odd lanes
        PairScales scales;

        GUFO_INLINE_UNCHECKED Alternating(const Run& a, const Run& b)
            : scales(a, b) {
            unrolled(Times<4>(), [&](std::size_t part) GUFO_INLINE {
                const __m512 first = _mm512_castsi512_ps(a.codes[part]);
                const __m512 second = _mm512_castsi512_ps(b.codes[part]);
                codes[part][0] = _mm512_castps_si512(evenLanes(first, second));
                codes[part][1] = _mm512_castps_si512(oddLanes(first, second));
            });
        }
    };
    // Adds the products of `pairs` pairs with one vector to their totals.
    template<std::size_t pairs>
    GUFO_INLINE_UNCHECKED static void add(const Alternating (&of)[pairs], const Int8TransposedRun& x,
                                          __m512 (&totals)[pairs]) {
        __m512i products[pairs][kParts];
        unrolled(Times<kParts>(), [&](std::size_t part) GUFO_INLINE {
            const __m512i first = beginning<Type>(x.duplicated.negated[kFirstSum + part]);
            unrolled(Times<pairs>(), [&](std::size_t pair) GUFO_INLINE { products[pair][part] = first; });
            unrolled(Times<8 / kParts>(), [&](std::size_t i) GUFO_INLINE {
                const std::size_t group = 8 / kParts * part + i;
                __m512i values = _mm512_load_si512(x.duplicated.values + 64 * group);
                asm("" : "+v"(values)); // one load for all pairs: loads would take longer than products
                unrolled(Times<pairs>(), [&](std::size_t pair) GUFO_INLINE {
                    products[pair][part] =
                        _mm512_dpbusd_epi32(products[pair][part], of[pair].codes[group / 2][group % 2], values);
                });
            });
        });
        unrolled(Times<pairs>(),
                 [&](std::size_t pair) GUFO_INLINE { totals[pair] += of[pair].scales.applied(products[pair], x); });
    }

    // The first row's lanes of two totals, for the first and the second row of a pair.
    static __m512 joined(__m512 first, __m512 second) { return evenLanes(first, second); }
    // Of the first or the second row.
    static float sum(__m512 total, std::size_t row) {
        const __m512i lanes = _mm512_add_epi32(_mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 0, 0, 0, 0, 0, 0, 0, 0),
                                               _mm512_set1_epi32(static_cast<int>(row)));
        return _mm512_mask_reduce_add_ps(0xFF, _mm512_permutexvar_ps(lanes, total));
    }
};

template<typename Type>
void installType(ProductKernels::Int8Products& products) {
    products.dot = dotRows<OfType<Type>>;
    products.dotStreams = dotStreams<OfType<Type>>;
    products.few = kFewVectors;
}

} // namespace

void installVectorProducts(ProductKernels& products) {
    withTransposedTypes([&]<typename... Type>() { (installType<Type>(products.int8[Type::kType]), ...); });
}

} // namespace gufo::avx512
