// Primitives that unpack runs of 256 weights in transposed order (kernels/products.h): they gather bytes from arbitrary
// positions of a run and move bit fields. Everything has internal linkage.
#pragma once

#include "tensor/kernels/avx512/common.h"

#include <algorithm>
#include <array>

namespace gufo::avx512 {
namespace {

// Forces a value into a register. The compiler would load it again for each use, and loads that wait for memory delay
// others.
inline __m512i kept(__m512i value) {
    asm("" : "+v"(value));
    return value;
}

// A run of up to 192 bytes in registers, as windows of 64 bytes. The last window ends with the run and may overlap the
// one before.
template<std::size_t runBytes>
struct Windows {
    static constexpr std::size_t kCount = (runBytes + 63) / 64;
    static_assert(runBytes >= 128 && kCount <= 3);
    __m512i windows[3];

    explicit Windows(const std::byte* run)
        : windows{kept(load64(run)), kept(load64(run + 64)), kept(load64(run + runBytes - 64))} {}
};

// Gathers bytes: byte i of the result is byte at(i) of the run.
template<auto at, std::size_t runBytes>
inline __m512i gatherBytes(const Windows<runBytes>& run) {
    struct Plan {
        alignas(64) std::array<std::uint8_t, 64> first{}; // indices into the first two windows
        alignas(64) std::array<std::uint8_t, 64> last{};  // indices into the third
        std::uint64_t fromLast = 0;
    };
    static constexpr Plan kPlan = [] {
        Plan plan;
        for (std::size_t i = 0; i < 64; ++i) {
            const std::size_t offset = at(i);
            if (offset < 128) {
                plan.first[i] = static_cast<std::uint8_t>(offset);
            } else {
                plan.last[i] = static_cast<std::uint8_t>(offset - (runBytes - 64));
                plan.fromLast |= std::uint64_t{1} << i;
            }
        }
        return plan;
    }();
    const __m512i first =
        _mm512_permutex2var_epi8(run.windows[0], _mm512_load_si512(kPlan.first.data()), run.windows[1]);
    if constexpr (kPlan.fromLast != 0) {
        return _mm512_mask_permutexvar_epi8(first, kPlan.fromLast, _mm512_load_si512(kPlan.last.data()),
                                            run.windows[2]);
    }
    return first;
}

// Gathers eight bytes of each of eight blocks, from `offset` in the block on.
template<std::size_t offset, std::size_t runBytes>
inline __m512i eightOfBlocks(const Windows<runBytes>& run) {
    return gatherBytes<[](std::size_t i) { return i / 8 * (runBytes / 8) + offset + i % 8; }>(run);
}

// The half at `offset` of each of eight blocks as floats, each twice.
template<std::size_t offset, std::size_t runBytes>
inline __m512 halvesOfBlocks(const Windows<runBytes>& run) {
    return _mm512_cvtph_ps(_mm512_castsi512_si256(
        gatherBytes<[](std::size_t i) { return i % 32 / 4 * (runBytes / 8) + offset + i % 2; }>(run)));
}

// The matrix of gf2p8affine (Intel SDM vol. 2) that moves `count` bits of a byte from bit `from` to bit `to` and clears
// all others.
// Byte 7 − k of the matrix selects the bit that becomes bit k: bitsMoved(4, 2, 0) is 0x1020'0000'0000'0000, which
// selects bits 4 and 5 for bits 0 and 1.
constexpr std::uint64_t bitsMoved(unsigned from, unsigned count, unsigned to) {
    std::uint64_t matrix = 0;
    for (unsigned i = 0; i < count; ++i) {
        matrix |= std::uint64_t{1} << (from + i) << 8 * (7 - (to + i));
    }
    return matrix;
}

// Moves bits with a different matrix for each group of eight bytes: in group b, `count` bits from bit from(b) on.
template<auto from, unsigned count, unsigned to>
inline __m512i moveBits(__m512i bytes) {
    alignas(64) static constexpr auto kMatrices = [] {
        std::array<std::uint64_t, 8> matrices{};
        for (unsigned b = 0; b < 8; ++b) {
            matrices[b] = bitsMoved(from(b), count, to);
        }
        return matrices;
    }();
    return _mm512_gf2p8affine_epi64_epi8(bytes, _mm512_load_si512(kMatrices.data()), 0);
}

inline __m512i lowFour(__m512i bytes) { return _mm512_and_si512(bytes, _mm512_set1_epi8(15)); }
inline __m512i highFour(__m512i bytes) { return lowFour(_mm512_srli_epi16(bytes, 4)); }

// Permutes the sixteen groups of eight bytes of `low` and `high`: the result has the groups at(0) … at(7).
template<auto at>
inline __m512i eights(__m512i low, __m512i high) {
    return _mm512_permutex2var_epi64(low, _mm512_setr_epi64(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)),
                                     high);
}

// Converts the integers of eight blocks, each repeated twice, or of sixteen half blocks, to floats.
inline __m512 twice(__m128i bytes) { return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_unpacklo_epi8(bytes, bytes))); }
inline __m512 sixteen(__m128i bytes) { return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bytes)); }

} // namespace
} // namespace gufo::avx512
