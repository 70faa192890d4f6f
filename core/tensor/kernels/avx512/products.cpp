// AVX-512 with VNNI: rounding of activations to eight and sixteen bits, and the reference measurements for products.
#include "tensor/kernels/avx512/common.h"
#include "tensor/kernels/avx512/install.h"
#include "tensor/kernels/portable/prefetch_ahead.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gufo::avx512 {
namespace {

using EightInts = std::int32_t __attribute__((vector_size(32)));
using EightFloats = float __attribute__((vector_size(32)));

// Applies change() to each eight of sixteen lanes.
template<typename Eight, typename Change>
[[gnu::always_inline]] inline void changeLanes(const void* from, void* to, const Change& change) {
    for (std::size_t i = 0; i < 2; ++i) {
        Eight lanes;
        std::memcpy(&lanes, static_cast<const std::byte*>(from) + i * sizeof lanes, sizeof lanes);
        const Eight changed = change(lanes);
        std::memcpy(static_cast<std::byte*>(to) + i * sizeof lanes, &changed, sizeof lanes);
    }
}

// Makes the second part of a transposed run (kernels/products.h) of its first part.
void duplicateLanes(Int8TransposedRun& run) {
    const auto even = [](auto lanes) { return __builtin_shufflevector(lanes, lanes, 0, 0, 2, 2, 4, 4, 6, 6); };
    const auto odd = [](auto lanes) { return __builtin_shufflevector(lanes, lanes, 1, 1, 3, 3, 5, 5, 7, 7); };
    const auto sum = [](auto lanes) { return lanes + __builtin_shufflevector(lanes, lanes, 1, 0, 3, 2, 5, 4, 7, 6); };
    for (std::size_t vector = 0; vector < 4; ++vector) {
        const std::int8_t* const from = run.values + 64 * vector;
        std::int8_t* const to = run.duplicated.values + 128 * vector;
        changeLanes<EightInts>(from, to, even);
        changeLanes<EightInts>(from, to + 64, odd);
    }
    changeLanes<EightFloats>(run.sums, run.duplicated.sums[0], even);
    changeLanes<EightFloats>(run.sums, run.duplicated.sums[1], odd);
    changeLanes<EightFloats>(run.sums, run.duplicated.sums[2], sum);
    for (std::size_t which = 0; which < 3; ++which) {
        changeLanes<EightInts>(run.negatedLanes[which], run.duplicated.negated[which], sum);
    }
}

// Rounds block `block` of a run. Returns the sum of each group of four values.
__m256i roundBlock(__m512 low, __m512 high, std::size_t block, Int8Run& run) {
    const float largest = _mm512_reduce_max_ps(_mm512_max_ps(_mm512_abs_ps(low), _mm512_abs_ps(high)));
    const float scale = largest / 127;
    const __m512 inverse = _mm512_set1_ps(largest > 0 ? 127 / largest : 0);
    const __m512i lowRounded = _mm512_cvtps_epi32(_mm512_mul_ps(low, inverse));
    const __m512i highRounded = _mm512_cvtps_epi32(_mm512_mul_ps(high, inverse));
    const __m256i bytes = _mm256_set_m128i(_mm512_cvtepi32_epi8(highRounded), _mm512_cvtepi32_epi8(lowRounded));
    _mm256_store_si256(reinterpret_cast<__m256i*>(run.values + 32 * block), bytes);
    const __m512i sums =
        _mm512_dpbusd_epi32(_mm512_setzero_si512(), _mm512_set1_epi8(1), _mm512_zextsi256_si512(bytes));
    const __m256i fours = _mm512_castsi512_si256(sums);
    const auto total = [](__m128i four) {
        const __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E));
        return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xB1)));
    };
    const int first = total(lower(fours));
    const int second = total(upper(fours));
    run.scales[2 * block] = scale;
    run.scales[2 * block + 1] = scale;
    run.sums[2 * block] = scale * static_cast<float>(first);
    run.sums[2 * block + 1] = scale * static_cast<float>(second);
    run.sums32[block] = run.sums[2 * block] + run.sums[2 * block + 1];
    run.negated16[2 * block] = -first;
    run.negated16[2 * block + 1] = -second;
    run.negated32[block] = -first - second;
    return fours;
}

// Writes a rounded block to the transposed run. With the sums f0 … f7 of its groups of four values:
//
//   fours            f0 f1 f2 f3 │ f4 f5 f6 f7
//   negatedLanes[0]  −(f0 + f2)  −(f1 + f3)      lanes 2 × block and 2 × block + 1
//   negatedLanes[1]  −(f4 + f6)  −(f5 + f7)
//   negatedLanes[2]  the sums of both
void transposeBlock(const Int8Run& run, std::size_t block, __m256i fours, Int8TransposedRun& to) {
    for (std::size_t part = 0; part < 4; ++part) {
        std::memcpy(to.values + 64 * part + 8 * block, run.values + 32 * block + 8 * part, 8);
    }
    std::memcpy(to.scales + 2 * block, run.scales + 2 * block, 2 * sizeof(float));
    std::memcpy(to.sums + 2 * block, run.sums + 2 * block, 2 * sizeof(float));
    const auto folded = [](__m128i four) {
        return _mm_sub_epi32(_mm_setzero_si128(), _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E)));
    };
    const __m128i first = folded(lower(fours));
    const __m128i second = folded(upper(fours));
    _mm_storeu_si64(to.negatedLanes[0] + 2 * block, first);
    _mm_storeu_si64(to.negatedLanes[1] + 2 * block, second);
    _mm_storeu_si64(to.negatedLanes[2] + 2 * block, _mm_add_epi32(first, second));
}

struct Block {
    __m512 low;
    __m512 high;
};
// Loads the 32 floats from `at` on; floats beyond `columns` are 0.
Block loadBlock(const float* from, std::size_t columns, std::size_t at) {
    const std::size_t left = at < columns ? std::min<std::size_t>(32, columns - at) : 0;
    const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << left) - 1);
    return {_mm512_maskz_loadu_ps(static_cast<__mmask16>(mask), from + at),
            _mm512_maskz_loadu_ps(static_cast<__mmask16>(mask >> 16U), from + at + 16)};
}

void toInt8(const float* from, std::size_t columns, const Int8Out& to) {
    for (std::size_t begin = 0; begin < columns; begin += kRunWeights) {
        const std::size_t index = begin / kRunWeights;
        Int8Run& run = to.runs[index * to.stride];
        for (std::size_t block = 0; block < 8; ++block) {
            const auto [low, high] = loadBlock(from, columns, begin + 32 * block);
            const __m256i fours = roundBlock(low, high, block, run);
            if (to.transposed != nullptr) {
                transposeBlock(run, block, fours, to.transposed[index]);
            }
        }
        if (to.transposed != nullptr) {
            duplicateLanes(to.transposed[index]);
        }
    }
}

void toInt16(const float* from, std::size_t columns, Int16Run* to, std::size_t stride) {
    for (std::size_t begin = 0; begin < columns; begin += kRunWeights) {
        Int16Run& run = to[begin / kRunWeights * stride];
        for (std::size_t block = 0; block < 8; ++block) {
            const auto [low, high] = loadBlock(from, columns, begin + 32 * block);
            const __m512 lowSize = _mm512_abs_ps(low);
            const __m512 highSize = _mm512_abs_ps(high);
            const float largest = _mm512_reduce_max_ps(_mm512_max_ps(lowSize, highSize));
            const __m512 part = _mm512_set1_ps(1.0F / 32);
            const float mean =
                _mm512_reduce_add_ps(_mm512_add_ps(_mm512_mul_ps(lowSize, part), _mm512_mul_ps(highSize, part)));
            const float wanted = std::max(largest / Int16Run::kMaxValue, mean / Int16Run::kMaxMean);
            const float scale = wanted < std::numeric_limits<float>::min() ? 0 : wanted;
            const __m512 inverse = _mm512_set1_ps(scale > 0 ? 1 / scale : 0);
            const auto round = [&](__m512 x) {
                return _mm512_cvtsepi32_epi16(_mm512_cvtps_epi32(_mm512_mul_ps(x, inverse)));
            };
            run.scales[block] = scale;
            auto* values = reinterpret_cast<__m256i*>(run.values + 32 * block);
            _mm256_store_si256(values, round(low));
            _mm256_store_si256(values + 1, round(high));
        }
    }
}

// Reads as many streams alternately as the products do. No other number of streams was faster.
std::uint64_t readBytes(const std::byte* from, std::size_t count) {
    __m512i sums[4]{};
    const std::size_t streamBytes = count / kStreams / 256 * 256;
    for (std::size_t i = 0; i < streamBytes; i += 256) {
        for (std::size_t s = 0; s < kStreams; ++s) {
            const std::byte* at = from + s * streamBytes + i;
            prefetchAhead<256>(at);
            for (std::size_t k = 0; k < 4; ++k) {
                sums[k] = _mm512_add_epi64(sums[k], load64(at + 64 * k));
            }
        }
    }
    alignas(64) std::uint64_t lanes[8];
    _mm512_store_si512(lanes, _mm512_add_epi64(_mm512_add_epi64(sums[0], sums[1]), _mm512_add_epi64(sums[2], sums[3])));
    std::uint64_t total = 0;
    for (const std::uint64_t lane : lanes) { // unsigned, so that it may wrap
        total += lane;
    }
    for (std::size_t i = kStreams * streamBytes; i < count; ++i) {
        total += static_cast<std::uint64_t>(from[i]);
    }
    return total;
}

std::uint64_t peakInt8() {
    constexpr std::uint64_t kRounds = 1U << 21U;
    constexpr std::size_t kChains = 12; // more than the latency times the number of products started per cycle
    __m512i sums[kChains];
    for (std::size_t k = 0; k < kChains; ++k) {
        sums[k] = _mm512_set1_epi32(static_cast<int>(k));
    }
    __m512i codes = _mm512_set1_epi8(3);
    const __m512i values = _mm512_set1_epi8(-5);
    for (std::uint64_t round = 0; round < kRounds; ++round) {
        asm volatile("" : "+v"(codes)); // prevents the compiler from computing the product only once
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
    products.toInt16 = toInt16;
    products.readBytes = readBytes;
    products.peakInt8 = peakInt8;
    installVectorProducts(products);
    installStripProducts(products);
    installWideProducts(products);
    installFloatProducts(products);
}

} // namespace gufo::avx512
