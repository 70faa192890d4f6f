// AVX-512 with VNNI: rounding of activations to eight bits, and what the products are measured against.
#include "tensor/kernels/avx512/products.h"

#include "tensor/kernels/avx512/common.h"
#include "tensor/kernels/avx512/decoders.h"

#include <algorithm>

namespace gufo::avx512 {
namespace {

void toInt8(const float* from, std::size_t columns, const Int8Out& to) {
    const __m512i ones = _mm512_set1_epi8(1);
    for (std::size_t at = 0; at < (columns + kRunWeights - 1) / kRunWeights * kRunWeights; at += 32) {
        const std::size_t left = at < columns ? std::min<std::size_t>(32, columns - at) : 0;
        const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << left) - 1);
        const __m512 low = _mm512_maskz_loadu_ps(static_cast<__mmask16>(mask), from + at);
        const __m512 high = _mm512_maskz_loadu_ps(static_cast<__mmask16>(mask >> 16U), from + at + 16);
        const float largest = _mm512_reduce_max_ps(_mm512_max_ps(_mm512_abs_ps(low), _mm512_abs_ps(high)));
        const float scale = largest / 127;
        const __m512 inverse = _mm512_set1_ps(largest > 0 ? 127 / largest : 0);
        const __m512 lowScaled = _mm512_mul_ps(low, inverse);
        const __m512 highScaled = _mm512_mul_ps(high, inverse);
        const __m512i lowRounded = _mm512_cvtps_epi32(lowScaled);
        const __m512i highRounded = _mm512_cvtps_epi32(highScaled);
        const __m128i lowBytes = _mm512_cvtepi32_epi8(lowRounded);
        const __m128i highBytes = _mm512_cvtepi32_epi8(highRounded);
        const __m256i bytes = _mm256_set_m128i(highBytes, lowBytes);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to.values + at), bytes);
        const __m512i sums =
            _mm512_dpbusd_epi32(_mm512_setzero_si512(), ones, _mm512_zextsi256_si512(bytes)); // of each four
        const __m256i fours = _mm512_castsi512_si256(sums);
        if (to.turned != nullptr) {
            alignas(32) std::int64_t eights[4];
            _mm256_store_si256(reinterpret_cast<__m256i*>(eights), bytes);
            for (std::size_t part = 0; part < 4; ++part) {
                std::memcpy(to.turned + turnedPlace(at + 8 * part), &eights[part], 8);
            }
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(to.negated4 + at / 4),
                                _mm256_sub_epi32(_mm256_setzero_si256(), fours));
            // Two lanes each: of the first half, of the second, of both.
            std::int32_t* lanes = to.negatedLanes + at / kRunWeights * kRunLanes + at % kRunWeights / 16;
            const auto folded = [](__m128i four) {
                return _mm_sub_epi32(_mm_setzero_si128(), _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E)));
            };
            const __m128i firstLanes = folded(lower(fours));
            const __m128i secondLanes = folded(upper(fours));
            _mm_storeu_si64(lanes, firstLanes);
            _mm_storeu_si64(lanes + 16, secondLanes);
            _mm_storeu_si64(lanes + 32, _mm_add_epi32(firstLanes, secondLanes));
        }
        const auto total = [](__m128i four) {
            const __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E));
            return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xB1)));
        };
        const int first = total(lower(fours));
        const int second = total(upper(fours));
        if (to.rest != nullptr) {
            const auto restOf = [](__m512 scaled, __m512i rounded) {
                const __m512 rest = _mm512_sub_ps(scaled, _mm512_cvtepi32_ps(rounded));
                return _mm512_cvtps_epi32(_mm512_mul_ps(rest, _mm512_set1_ps(128)));
            };
            const __m512i lowRest = restOf(lowScaled, lowRounded);
            const __m512i highRest = restOf(highScaled, highRounded);
            _mm_storeu_si128(reinterpret_cast<__m128i*>(to.rest + at), _mm512_cvtepi32_epi8(lowRest));
            _mm_storeu_si128(reinterpret_cast<__m128i*>(to.rest + at + 16), _mm512_cvtepi32_epi8(highRest));
            to.negatedRest32[at / 32] = -_mm512_reduce_add_epi32(_mm512_add_epi32(lowRest, highRest));
        }
        to.scales[at / 16] = scale;
        to.scales[at / 16 + 1] = scale;
        to.sums[at / 16] = scale * static_cast<float>(first);
        to.sums[at / 16 + 1] = scale * static_cast<float>(second);
        to.negated16[at / 16] = -first;
        to.negated16[at / 16 + 1] = -second;
        to.negated32[at / 32] = -first - second;
    }
}

std::uint64_t readBytes(const std::byte* from, std::size_t count) {
    __m512i sums[4]{};
    std::size_t i = 0;
    for (; i + 256 <= count; i += 256) {
        prefetch<256>(from + i);
        for (std::size_t k = 0; k < 4; ++k) {
            sums[k] = _mm512_add_epi64(sums[k], load64(from + i + 64 * k));
        }
    }
    alignas(64) std::uint64_t lanes[8];
    _mm512_store_si512(lanes, _mm512_add_epi64(_mm512_add_epi64(sums[0], sums[1]), _mm512_add_epi64(sums[2], sums[3])));
    std::uint64_t total = 0;
    for (const std::uint64_t lane : lanes) { // unsigned, which may wrap
        total += lane;
    }
    for (; i < count; ++i) {
        total += static_cast<std::uint64_t>(from[i]);
    }
    return total;
}

std::uint64_t peakInt8() {
    constexpr std::uint64_t kRounds = 1U << 21U;
    constexpr std::size_t kChains = 12; // more than the latency of one, times what starts in a cycle
    __m512i sums[kChains];
    for (std::size_t k = 0; k < kChains; ++k) {
        sums[k] = _mm512_set1_epi32(static_cast<int>(k));
    }
    __m512i codes = _mm512_set1_epi8(3);
    const __m512i values = _mm512_set1_epi8(-5);
    for (std::uint64_t round = 0; round < kRounds; ++round) {
        asm volatile("" : "+v"(codes)); // or the compiler would multiply once for all rounds
#pragma GCC unroll 12
        for (std::size_t k = 0; k < kChains; ++k) {
            sums[k] = _mm512_dpbusd_epi32(sums[k], codes, values);
        }
    }
    for (const __m512i sum : sums) {
        asm volatile("" : : "v"(sum));
    }
    return kRounds * kChains * 64;
}

} // namespace

void installProducts(ProductKernels& products) {
    products.toInt8 = toInt8;
    products.readBytes = readBytes;
    products.peakInt8 = peakInt8;
    installVectorProducts(products);
    installStripProducts(products);
    installSplitProducts(products);
    installFloatProducts(products);
}

} // namespace gufo::avx512
