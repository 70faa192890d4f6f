// AVX-512: products of rows of 16-bit and 32-bit floats with vectors of floats.
#include "tensor/kernels/avx512/products.h"
#include "tensor/kernels/avx512/transpose.h"
#include "tensor/kernels/avx512/transposed.h"
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

// Multiplies rows of `streams` streams alternately, a cache line of each at a time. The sum of a row does not depend on
// its position.
template<typename Numbers, std::size_t streams>
void dotStreamed(const EncodedRows& rows, std::size_t count, std::size_t streamStride, const float* x, float* y) {
    constexpr std::size_t kLine = 64 / Numbers::kBytes / 16; // vectors of 16 numbers in a cache line
    constexpr std::size_t kPart = streams == 1 ? 4 : kLine;
    for (std::size_t r = 0; r < count; ++r) {
        const auto row = [&](std::size_t s) { return rows.data + (s * streamStride + r) * rows.rowBytes; };
        __m512 totals[streams][4]{};
        std::size_t at = 0;
        for (; at + 64 <= rows.columns; at += 64) {
#pragma GCC unroll 4
            for (std::size_t part = 0; part < 4; part += kPart) {
#pragma GCC unroll 4
                for (std::size_t s = 0; s < streams; ++s) {
                    prefetch<16 * kPart * Numbers::kBytes, streams>(row(s) + Numbers::kBytes * (at + 16 * part));
                    __m512 numbers[4];
#pragma GCC unroll 4
                    for (std::size_t i = part; i < part + kPart; ++i) {
                        if (i % kLine == 0) {
                            loadLine<Numbers>(row(s) + Numbers::kBytes * (at + 16 * i), numbers + i);
                        }
                        totals[s][i] = _mm512_fmadd_ps(numbers[i], _mm512_loadu_ps(x + at + 16 * i), totals[s][i]);
                    }
                }
            }
        }
        for (; at < rows.columns; at += 16) {
            const auto mask = static_cast<__mmask16>((1U << std::min<std::size_t>(16, rows.columns - at)) - 1);
            for (std::size_t s = 0; s < streams; ++s) {
                totals[s][0] =
                    _mm512_fmadd_ps(load<Numbers>(row(s), at, mask), _mm512_maskz_loadu_ps(mask, x + at), totals[s][0]);
            }
        }
        for (std::size_t s = 0; s < streams; ++s) {
            y[s * streamStride + r] = _mm512_reduce_add_ps(
                _mm512_add_ps(_mm512_add_ps(totals[s][0], totals[s][1]), _mm512_add_ps(totals[s][2], totals[s][3])));
        }
    }
}

template<typename Numbers>
void dotNumbers(const EncodedRows& rows, std::size_t count, const float* x, float* y) {
    dotStreamed<Numbers, 1>(rows, count, 0, x, y);
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
    products.floatStreams[TensorType::F32] = dotStreamed<FloatNumbers, kStreams>;
    products.floatStreams[TensorType::F16] = dotStreamed<HalfNumbers, kStreams>;
    products.floatStreams[TensorType::BF16] = dotStreamed<BrainNumbers, kStreams>;
    products.floatStrip = floatStrip;
    products.peakFloats = peakFloats;
}

} // namespace gufo::avx512
