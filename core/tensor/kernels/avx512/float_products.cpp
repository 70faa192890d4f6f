// AVX-512: products of rows of 16-bit and 32-bit floats with vectors of floats.
#include "tensor/kernels/avx512/install.h"
#include "tensor/kernels/avx512/transpose.h"
#include "tensor/kernels/avx512/transposed.h"
#include "tensor/kernels/portable/prefetch_ahead.h"
#include "tensor/kernels/portable/unrolled.h"
#include "tensor/tensor_type.h"

#include <algorithm>

namespace gufo::avx512 {
namespace {

// The number formats of rows. load() reads sixteen numbers as floats. loadLine() reads a whole cache line at once,
// because a second load of a line that has not arrived yet would occupy another of the processor's buffers for
// outstanding loads.
struct HalfNumbers {
    static constexpr std::size_t kBytes = 2;
    static __m512 widened(__m256i bits) { return _mm512_cvtph_ps(bits); }
};
struct BrainNumbers {
    static constexpr std::size_t kBytes = 2;
    static __m512 widened(__m256i bits) {
        return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16));
    }
};
struct FloatNumbers {
    static constexpr std::size_t kBytes = 4;
};

template<typename Numbers>
inline __m512 load(const std::byte* row, std::size_t at, __mmask16 mask) {
    if constexpr (Numbers::kBytes == 4) {
        return _mm512_maskz_loadu_ps(mask, row + 4 * at);
    } else {
        return Numbers::widened(_mm256_maskz_loadu_epi16(mask, row + 2 * at));
    }
}

template<typename Numbers>
inline void loadLine(const std::byte* from, __m512* numbers) {
    const __m512i line = load64(from);
    if constexpr (Numbers::kBytes == 4) {
        numbers[0] = _mm512_castsi512_ps(line);
    } else {
        numbers[0] = Numbers::widened(_mm512_castsi512_si256(line));
        numbers[1] = Numbers::widened(_mm512_extracti64x4_epi64(line, 1));
    }
}

// The sums of products of 64 numbers, in sixteen lanes.
GUFO_INLINE inline __m512 multiplied(const __m512 (&numbers)[4], const float* x) {
    const __m512 first = _mm512_mul_ps(numbers[0], _mm512_loadu_ps(x));
    const __m512 second = _mm512_mul_ps(numbers[1], _mm512_loadu_ps(x + 16));
    return _mm512_add_ps(_mm512_fmadd_ps(numbers[2], _mm512_loadu_ps(x + 32), first),
                         _mm512_fmadd_ps(numbers[3], _mm512_loadu_ps(x + 48), second));
}

// Multiplies rows of `streams` streams alternately, 64 numbers of each at a time, with one vector or with several. The
// totals of one vector stay in registers; the totals of several are in the L1 cache. The sum of a row depends neither
// on its position nor on the other vectors.
template<typename Numbers, std::size_t streams, bool one>
void dotStreamed(const EncodedRows& rows, std::size_t count, std::size_t streamStride, const float* x,
                 std::size_t xStride, std::size_t vectors, float* y, std::size_t stride) {
    constexpr std::size_t kLine = 64 / Numbers::kBytes / 16;       // vectors of 16 numbers in a cache line
    constexpr std::size_t kTogether = one || streams == 1 ? 1 : 2; // rows that share loads from x
    vectors = one ? 1 : vectors;
    for (std::size_t r = 0; r < count; ++r) {
        const auto row = [&](std::size_t s) { return rows.data + (s * streamStride + r) * rows.rowBytes; };
        __m512 totals[one ? 1 : kFewFloatVectors][streams];
        for (std::size_t t = 0; t < vectors; ++t) {
            for (std::size_t s = 0; s < streams; ++s) {
                totals[t][s] = _mm512_setzero_ps();
            }
        }
        std::size_t at = 0;
        for (; at + 64 <= rows.columns; at += 64) {
            unrolled(Times<streams / kTogether>(), [&](std::size_t pair) GUFO_INLINE {
                __m512 numbers[kTogether][4];
                unrolled(Times<kTogether>(), [&](std::size_t i) GUFO_INLINE {
                    const std::byte* from = row(pair * kTogether + i) + Numbers::kBytes * at;
                    prefetchAhead<64 * Numbers::kBytes, one>(from);
                    unrolled(Times<4 / kLine>(), [&](std::size_t line) GUFO_INLINE {
                        loadLine<Numbers>(from + 64 * line, numbers[i] + kLine * line);
                    });
                });
                for (std::size_t t = 0; t < vectors; ++t) {
                    unrolled(Times<kTogether>(), [&](std::size_t i) GUFO_INLINE {
                        __m512& total = totals[t][pair * kTogether + i];
                        total = _mm512_add_ps(total, multiplied(numbers[i], x + t * xStride + at));
                    });
                }
            });
        }
        for (; at < rows.columns; at += 16) {
            const auto mask = static_cast<__mmask16>((1U << std::min<std::size_t>(16, rows.columns - at)) - 1);
            unrolled(Times<streams>(), [&](std::size_t s) GUFO_INLINE {
                const __m512 numbers = load<Numbers>(row(s), at, mask);
                for (std::size_t t = 0; t < vectors; ++t) {
                    totals[t][s] =
                        _mm512_fmadd_ps(numbers, _mm512_maskz_loadu_ps(mask, x + t * xStride + at), totals[t][s]);
                }
            });
        }
        for (std::size_t t = 0; t < vectors; ++t) {
            for (std::size_t s = 0; s < streams; ++s) {
                y[t * stride + s * streamStride + r] = _mm512_reduce_add_ps(totals[t][s]);
            }
        }
    }
}

template<typename Numbers>
void dotNumbers(const EncodedRows& rows, std::size_t count, const float* x, float* y) {
    dotStreamed<Numbers, 1, true>(rows, count, 0, x, 0, 1, y, 0);
}

template<typename Numbers>
void dotStreams(const EncodedRows& rows, std::size_t count, std::size_t streamStride, const float* x,
                std::size_t xStride, std::size_t vectors, float* y, std::size_t stride) {
    if (vectors == 1) {
        dotStreamed<Numbers, kStreams, true>(rows, count, streamStride, x, xStride, vectors, y, stride);
    } else {
        dotStreamed<Numbers, kStreams, false>(rows, count, streamStride, x, xStride, vectors, y, stride);
    }
}

constexpr std::size_t kFloatColumns = 128; // columns of a tile of 32 rows, 16 KiB, which stays in the L1 cache

template<std::size_t Tokens>
void multiplyFloats(const __m512* tile, std::size_t columns, const float* x, std::size_t xStride, float* y,
                    std::size_t stride, std::uint32_t rows) {
    const auto low = static_cast<__mmask16>(rows);
    const auto high = static_cast<__mmask16>(rows >> 16U);
    __m512 totals[Tokens][2];
    for (std::size_t t = 0; t < Tokens; ++t) {
        totals[t][0] = _mm512_maskz_loadu_ps(low, y + t * stride);
        totals[t][1] = _mm512_maskz_loadu_ps(high, y + t * stride + 16);
    }
    for (std::size_t c = 0; c < columns; ++c) {
        const __m512 first = tile[2 * c];
        const __m512 second = tile[2 * c + 1];
        for (std::size_t t = 0; t < Tokens; ++t) {
            const __m512 activation = _mm512_set1_ps(x[t * xStride + c]);
            totals[t][0] = _mm512_fmadd_ps(first, activation, totals[t][0]);
            totals[t][1] = _mm512_fmadd_ps(second, activation, totals[t][1]);
        }
    }
    for (std::size_t t = 0; t < Tokens; ++t) {
        _mm512_mask_storeu_ps(y + t * stride, low, totals[t][0]);
        _mm512_mask_storeu_ps(y + t * stride + 16, high, totals[t][1]);
    }
}

void floatStrip(const float* rows, std::size_t rowStride, std::size_t count, std::size_t columns, const float* x,
                std::size_t xStride, std::size_t tokens, float* y, std::size_t stride, std::byte* scratch) {
    auto* tile = reinterpret_cast<__m512*>(scratch);
    const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << count) - 1);
    for (std::size_t begin = 0; begin < columns; begin += kFloatColumns) {
        const std::size_t width = std::min(kFloatColumns, columns - begin);
        for (std::size_t part = 0; part < 2; ++part) {
            for (std::size_t c = 0; c < width; c += 16) {
                const auto columnMask = static_cast<__mmask16>((1U << std::min<std::size_t>(16, width - c)) - 1);
                __m512i lines[16];
                for (std::size_t r = 0; r < 16; ++r) {
                    const std::size_t row = 16 * part + r;
                    lines[r] =
                        row < count
                            ? _mm512_castps_si512(_mm512_maskz_loadu_ps(columnMask, rows + row * rowStride + begin + c))
                            : _mm512_setzero_si512();
                }
                transpose(lines, [&](int i) { return &tile[2 * (c + static_cast<std::size_t>(i)) + part]; });
            }
        }
        std::size_t t = 0;
        for (; t + 8 <= tokens; t += 8) {
            multiplyFloats<8>(tile, width, x + t * xStride + begin, xStride, y + t * stride, stride, mask);
        }
        for (; t + 2 <= tokens; t += 2) {
            multiplyFloats<2>(tile, width, x + t * xStride + begin, xStride, y + t * stride, stride, mask);
        }
        if (t < tokens) {
            multiplyFloats<1>(tile, width, x + t * xStride + begin, xStride, y + t * stride, stride, mask);
        }
    }
}

std::uint64_t peakFloats() {
    constexpr std::uint64_t kRounds = 1U << 21U;
    constexpr std::size_t kChains = 12; // more than the latency times the number of products started per cycle
    __m512 sums[kChains];
    for (std::size_t k = 0; k < kChains; ++k) { // different, or the compiler would compute only one of them
        sums[k] = _mm512_set1_ps(static_cast<float>(k));
    }
    const __m512 weights = _mm512_set1_ps(3);
    const __m512 activations = _mm512_set1_ps(-0.5F);
    for (std::uint64_t round = 0; round < kRounds; ++round) {
#pragma GCC unroll 12
        for (__m512& sum : sums) {
            sum = _mm512_fmadd_ps(weights, activations, sum);
        }
    }
    for (const __m512 sum : sums) {
        asm volatile("" : : "v"(sum));
    }
    return kRounds * kChains * 16;
}

} // namespace

void installFloatProducts(ProductKernels& products) {
    products.floats[TensorType::F32] = dotNumbers<FloatNumbers>;
    products.floats[TensorType::F16] = dotNumbers<HalfNumbers>;
    products.floats[TensorType::BF16] = dotNumbers<BrainNumbers>;
    products.floatStreams[TensorType::F32] = dotStreams<FloatNumbers>;
    products.floatStreams[TensorType::F16] = dotStreams<HalfNumbers>;
    products.floatStreams[TensorType::BF16] = dotStreams<BrainNumbers>;
    products.floatStrip = floatStrip;
    products.peakFloats = peakFloats;
}

} // namespace gufo::avx512
