// AVX-512 with VNNI: products of encoded rows with one 8-bit vector.
//
// In a transposed run (kernels/products.h) all products of a block are summed in its own two 32-bit lanes, so that a
// run needs only one conversion to float. Types with one scale per 16 weights need two: the first half of each block is
// in parts 0 and 1, the second in parts 2 and 3.
//
//   lane    0  1    2  3    …  14 15
//   part g  b0 b0   b1 b1   …  b7 b7      four products of group g of the block in each lane
#include "tensor/kernels/avx512/products.h"
#include "tensor/kernels/avx512/transposed_types.h"
#include "tensor/kernels/portable/unrolled.h"
#include "tensor/kernels/sanitized_build.h"

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

template<typename Type>
inline __m512i addPart(__m512i sums, const Type& run, const std::int8_t* values, int part) {
    return _mm512_dpbusd_epi32(sums, run.codes(part), _mm512_load_si512(values + 64 * part));
}

// How many of the sixteen parts of a run belong to the row. What follows them is not a number if it is damaged, so that
// activations of 0 do not suffice to keep it out of the sums.
struct Whole {
    static __m512 kept(__m512 ofParts) { return ofParts; }
};
struct First {
    __mmask16 parts;
    [[nodiscard]] __m512 kept(__m512 ofParts) const { return _mm512_maskz_mov_ps(parts, ofParts); }
};

// Adds a run to the two accumulators of a row, which are independent so that neither waits for the other.
template<typename Type, typename Extent>
inline void addRun(const Type& run, const Extent& extent, const Int8Run& x, const Int8TransposedRun& transposed,
                   __m512& even, __m512& odd) {
    const __m512 weightScales = extent.kept(run.scales());
    const __m512 scales = _mm512_mul_ps(weightScales, _mm512_load_ps(x.scales));
    const auto add = [](__m512& total, __m512i sums, __m512 factors) {
        total = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sums), factors, total);
    };
    if constexpr (Type::kInOrder) {
        // An offset of 128 is subtracted once for all parts, in floats. It is not much larger than codes that use all
        // eight bits, so floats are exact enough.
        constexpr bool kAtOnce = Type::kOffsetShift == 7;
#pragma GCC unroll kChecked ? 1 : 4
        for (int part = 0; part < 4; ++part) { // four lanes per 16 weights
            const __m512i first = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
            const __m512i sums = kAtOnce ? _mm512_setzero_si512() : beginning<Type>(transposed.negated4 + 16 * part);
            add(part % 2 == 0 ? even : odd, addPart(sums, run, x.values, part),
                _mm512_permutexvar_ps(_mm512_add_epi32(first, _mm512_set1_epi32(4 * part)), scales));
        }
        if constexpr (kAtOnce) {
            odd = _mm512_fnmadd_ps(_mm512_mul_ps(weightScales, _mm512_set1_ps(128)), _mm512_load_ps(x.sums), odd);
        }
    } else if constexpr (Type::kPer16) {
        const auto half = [&](int which) {
            const __m512i sums = beginning<Type>(transposed.negatedLanes[which]);
            return addPart(addPart(sums, run, transposed.values, 2 * which), run, transposed.values, 2 * which + 1);
        };
        add(even, half(0), _mm512_moveldup_ps(scales));
        add(odd, half(1), _mm512_movehdup_ps(scales));
    } else {
        __m512i sums = beginning<Type>(transposed.negatedLanes[2]);
#pragma GCC unroll kChecked ? 1 : 4
        for (int part = 0; part < 4; ++part) {
            sums = addPart(sums, run, transposed.values, part);
        }
        add(even, sums, scales);
    }
    if constexpr (Type::kMinima) {
        odd = _mm512_fnmadd_ps(extent.kept(run.minima()), _mm512_load_ps(x.sums), odd);
    }
}

// Multiplies rows of `streams` streams alternately, one row of each at a time.
template<typename Type, std::size_t streams>
void dotStreamed(const EncodedRows& rows, std::size_t count, std::size_t streamStride, const Int8Row& x, float* y) {
    const std::size_t runs = rows.columns / kRunWeights;
    const std::size_t rest = rows.rowBytes - runs * Type::kRunBytes;
    const std::size_t streamBytes = streamStride * rows.rowBytes;
    const First parts{static_cast<__mmask16>((1U << rows.columns % kRunWeights / 16) - 1)};
    const std::byte* end = rows.data + (streams - 1) * streamBytes + count * rows.rowBytes;
    for (std::size_t r = 0; r < count; ++r) {
        const std::byte* row = rows.data + r * rows.rowBytes;
        __m512 even[streams]{};
        __m512 odd[streams]{};
        for (std::size_t run = 0; run < runs; ++run) {
#pragma GCC unroll kChecked ? 1 : 4
            for (std::size_t s = 0; s < streams; ++s) {
                const std::byte* at = row + s * streamBytes + run * Type::kRunBytes;
                prefetch<Type::kRunBytes, streams>(at);
                addRun(Type(at), Whole{}, x.runs[run], x.transposed[run], even[s], odd[s]);
            }
        }
        if (rest != 0) {
            unrolled(Times<streams>(), [&](std::size_t s) GUFO_INLINE {
                const std::byte* at = row + s * streamBytes + runs * Type::kRunBytes;
                const auto add = [&](const std::byte* run) GUFO_INLINE {
                    addRun(Type(run), parts, x.runs[runs], x.transposed[runs], even[s], odd[s]);
                };
                if (end - at >= static_cast<std::ptrdiff_t>(Type::kRunBytes)) { // the run ends within later rows
                    prefetch<Type::kRunBytes, streams>(at);
                    add(at);
                } else {
                    add(FilledRun<Type::kRunBytes>(at, rest).bytes);
                }
            });
        }
        for (std::size_t s = 0; s < streams; ++s) {
            y[s * streamStride + r] = _mm512_reduce_add_ps(_mm512_add_ps(even[s], odd[s]));
        }
    }
}

template<typename Type>
void dotRows(const EncodedRows& rows, std::size_t count, const Int8Row& x, float* y) {
    dotStreamed<Type, 1>(rows, count, 0, x, y);
}

template<typename Type>
void installType(ProductKernels::Int8Products& products) {
    products.dot = dotRows<Type>;
    products.dotStreams = dotStreamed<Type, kStreams>;
    products.few = Type::kCodeBook ? 2 : kFewVectors;
}

} // namespace

void installVectorProducts(ProductKernels& products) {
    withTransposedTypes([&]<typename... Type>() { (installType<Type>(products.int8[Type::kType]), ...); });
}

} // namespace gufo::avx512
