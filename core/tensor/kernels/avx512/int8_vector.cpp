// AVX-512 with VNNI: products of encoded rows with one 8-bit vector or a few, for which a run is unpacked only once.
//
// In a transposed run (kernels/products.h) all products of a block are summed in its own two 32-bit lanes, so that a
// run needs only one conversion to float. Types with one scale per 16 weights need two: the first half of each block is
// in parts 0 and 1, the second in parts 2 and 3.
//
//   lane    0  1    2  3    …  14 15
//   part g  b0 b0   b1 b1   …  b7 b7      four products of group g of the block in each lane
#include "tensor/kernels/avx512/products.h"
#include "tensor/kernels/avx512/transposed_types.h"
#include "tensor/kernels/portable/few_vectors.h"

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
    static constexpr std::size_t kTogether = 2;
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

    struct Run {
        __m512i codes[4]; // transposed
        __m512 scales;
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
            scales = extent.kept(run.scales());
            if constexpr (Type::kMinima) {
                minima = extent.kept(run.minima());
            }
        }
    };

    GUFO_INLINE_UNCHECKED static __m512 multiplied(const Run& run, const Int8TransposedRun& x) {
        const auto addPart = [&](__m512i sums, int part) GUFO_INLINE {
            return _mm512_dpbusd_epi32(sums, run.codes[part], _mm512_load_si512(x.values + 64 * part));
        };
        const __m512 scales = _mm512_mul_ps(run.scales, _mm512_load_ps(x.scales));
        __m512 total;
        if constexpr (Type::kPer16) {
            const auto half = [&](int which) GUFO_INLINE {
                const __m512i sums = beginning<Type>(x.negatedLanes[which]);
                return _mm512_cvtepi32_ps(addPart(addPart(sums, 2 * which), 2 * which + 1));
            };
            total = _mm512_fmadd_ps(half(1), _mm512_movehdup_ps(scales),
                                    _mm512_mul_ps(half(0), _mm512_moveldup_ps(scales)));
        } else {
            __m512i sums = beginning<Type>(x.negatedLanes[2]);
            unrolled(Times<4>(), [&](std::size_t part) GUFO_INLINE { sums = addPart(sums, static_cast<int>(part)); });
            total = _mm512_mul_ps(_mm512_cvtepi32_ps(sums), scales);
        }
        if constexpr (Type::kMinima) {
            total = _mm512_fnmadd_ps(run.minima, _mm512_load_ps(x.sums), total);
        }
        return total;
    }

    static float sum(__m512 total) { return _mm512_reduce_add_ps(total); }
    template<std::size_t streams>
    [[gnu::always_inline]] static void prefetch(const std::byte* at) {
        avx512::prefetch<kRunBytes, streams>(at);
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
