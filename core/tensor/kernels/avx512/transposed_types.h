// The encoded types in the form that the products use: runs of 256 weights in transposed order (kernels/products.h).
// kernels/scalar specifies the formats.
//
// A type is constructed from the address of a run. codes(part) returns the codes of one of the four parts, 0 … 255.
// scales() and minima() return sixteen floats: one per 16 weights, or one per block of 32, each twice. If the products
// of codes (0 … 3) and integer scales are bytes, integerScales() returns one integer scale per 16 weights, and scale()
// the factor of all.
#pragma once

#include "tensor/code_books.h"
#include "tensor/kernels/avx2/int8_codes.h"
#include "tensor/kernels/avx512/transposed.h"
#include "tensor/kernels/portable/int8_code_books.h"
#include "tensor/tensor_type.h"

namespace gufo::avx512 {
namespace {

template<TensorType type, std::size_t runBytes, int offsetShift, bool per16 = false, bool minima_ = false>
struct Transposed {
    static constexpr TensorType kType = type;
    static constexpr std::size_t kRunBytes = runBytes;
    // A code is its level plus 1 << kOffsetShift; −1 if there is no offset.
    static constexpr int kOffsetShift = offsetShift;
    static constexpr bool kPer16 = per16;
    static constexpr bool kMinima = minima_;
    static constexpr bool kInOrder = false;  // whether part k has weights 64 k … in normal order
    static constexpr bool kCodeBook = false; // whether codes are looked up in a code book, which is slow
};

// Maps codes to levels plus an offset.
template<const std::array<std::int8_t, 16>& levels, int offset>
inline __m512i lookUp(__m512i codes) {
    const __m128i table = _mm_add_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(levels.data())),
                                       _mm_set1_epi8(static_cast<char>(offset)));
    return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(table), codes);
}

// Eight blocks of 32.
template<TensorType type, std::size_t runBytes, int offsetShift, bool minima_ = false>
struct Blocks : Transposed<type, runBytes, offsetShift, false, minima_> {
    Windows<runBytes> run;
    explicit Blocks(const std::byte* at)
        : run(at) {}

protected:
    // The low nibbles of sixteen bytes are the first half of a block, the high ones the second.
    template<std::size_t offset>
    [[nodiscard]] __m512i nibbles(int part) const {
        const __m512i bytes = part % 2 == 0 ? eightOfBlocks<offset>(run) : eightOfBlocks<offset + 8>(run);
        return part < 2 ? lowFour(bytes) : highFour(bytes);
    }

    // Adds 16 to the codes whose bit is set in the 32-bit word at `offset` of their block.
    template<std::size_t offset>
    [[nodiscard]] __m512i withFifthBits(int part, __m512i codes) const {
        const __m256i bits = _mm512_castsi512_si256(
            gatherBytes<[](std::size_t i) { return i % 8 * (runBytes / 8) + offset + i % 32 / 8; }>(run));
        alignas(32) std::uint64_t masks[4];
        _mm256_store_si256(reinterpret_cast<__m256i*>(masks), bits);
        return _mm512_mask_add_epi8(codes, masks[part], codes, _mm512_set1_epi8(16));
    }
};

struct Q4_0 : Blocks<TensorType::Q4_0, 144, 3> {
    using Blocks::Blocks;
    [[nodiscard]] __m512 scales() const { return halvesOfBlocks<0>(run); }
    [[nodiscard]] __m512i codes(int part) const { return nibbles<2>(part); }
};

struct IQ4_NL : Blocks<TensorType::IQ4_NL, 144, 7> {
    using Blocks::Blocks;
    [[nodiscard]] __m512 scales() const { return halvesOfBlocks<0>(run); }
    [[nodiscard]] __m512i codes(int part) const { return lookUp<kIq4Levels, 128>(nibbles<2>(part)); }
};

struct Q4_1 : Blocks<TensorType::Q4_1, 160, -1, true> {
    using Blocks::Blocks;
    [[nodiscard]] __m512 scales() const { return halvesOfBlocks<0>(run); }
    [[nodiscard]] __m512 minima() const { return -halvesOfBlocks<2>(run); }
    [[nodiscard]] __m512i codes(int part) const { return nibbles<4>(part); }
};

struct Q5_0 : Blocks<TensorType::Q5_0, 176, 4> {
    using Blocks::Blocks;
    [[nodiscard]] __m512 scales() const { return halvesOfBlocks<0>(run); }
    [[nodiscard]] __m512i codes(int part) const { return withFifthBits<2>(part, nibbles<6>(part)); }
};

struct Q5_1 : Blocks<TensorType::Q5_1, 192, -1, true> {
    using Blocks::Blocks;
    [[nodiscard]] __m512 scales() const { return halvesOfBlocks<0>(run); }
    [[nodiscard]] __m512 minima() const { return -halvesOfBlocks<2>(run); }
    [[nodiscard]] __m512i codes(int part) const { return withFifthBits<4>(part, nibbles<8>(part)); }
};

struct MXFP4 : Blocks<TensorType::MXFP4, 136, 4> {
    using Blocks::Blocks;
    [[nodiscard]] __m512 scales() const {
        const __m512i bytes = gatherBytes<[](std::size_t i) { return i % 16 / 2 * std::size_t{17}; }>(run);
        const __m512i e = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(bytes));
        // 2^(e − 128). For e < 2 the result is subnormal, and e shifts a bit in the fraction.
        const __m512i small = _mm512_sllv_epi32(_mm512_set1_epi32(0x0020'0000), e);
        const __m512i normal = _mm512_slli_epi32(_mm512_sub_epi32(e, _mm512_set1_epi32(1)), 23);
        return _mm512_castsi512_ps(
            _mm512_mask_mov_epi32(normal, _mm512_cmplt_epu32_mask(e, _mm512_set1_epi32(2)), small));
    }
    [[nodiscard]] __m512i codes(int part) const { return lookUp<kFp4Levels, 16>(nibbles<1>(part)); }
};

struct Q8_0 : Transposed<TensorType::Q8_0, 272, 7> {
    static constexpr bool kInOrder = true; // blocks are too long to be transposed
    const std::byte* run;
    explicit Q8_0(const std::byte* at)
        : run(at) {}
    [[nodiscard]] __m512 scales() const {
        // The halves of four blocks of 34 bytes, each twice.
        const __m512i places = _mm512_zextsi128_si512(_mm_setr_epi16(0, 0, 17, 17, 34, 34, 51, 51));
        const auto four = [&](const std::byte* blocks) {
            return _mm512_castsi512_si128(_mm512_permutex2var_epi16(load64(blocks), places, load64(blocks + 64)));
        };
        return _mm512_cvtph_ps(_mm256_set_m128i(four(run + 136), four(run)));
    }
    [[nodiscard]] __m512i codes(int part) const {
        const std::byte* block = run + 68 * part + 2;
        const __m512i both = _mm512_inserti64x4(_mm512_castsi256_si512(load32(block)), load32(block + 34), 1);
        return _mm512_xor_si512(both, _mm512_set1_epi8(static_cast<char>(0x80)));
    }
};

// The scales and minima of Q4_K and Q5_K, eight 6-bit numbers each, interleaved as bytes.
inline __m128i scalesAndMinima(const std::byte* packed) {
    const auto low = get<std::uint32_t>(packed);
    const auto middle = get<std::uint32_t>(packed + 4);
    const auto high = get<std::uint32_t>(packed + 8);
    const std::uint32_t scalesFrom4 = (high & 0x0F0F'0F0FU) | (low >> 6U & 0x0303'0303U) << 4U;
    const std::uint32_t minimaFrom4 = (high >> 4U & 0x0F0F'0F0FU) | (middle >> 6U & 0x0303'0303U) << 4U;
    const std::uint64_t scales = (low & 0x3F3F'3F3FU) | std::uint64_t{scalesFrom4} << 32U;
    const std::uint64_t minima = (middle & 0x3F3F'3F3FU) | std::uint64_t{minimaFrom4} << 32U;
    return _mm_unpacklo_epi8(_mm_cvtsi64_si128(static_cast<long long>(scales)),
                             _mm_cvtsi64_si128(static_cast<long long>(minima)));
}

// Eight blocks of 32 nibbles: block b is in the 32 bytes of group b / 2, in the low or high nibbles.
template<TensorType type, std::size_t runBytes, std::size_t offset>
struct WithScalesAndMinima : Transposed<type, runBytes, -1, false, true> {
    const std::byte* run;
    __m512 both; // scales and minima of the blocks, interleaved
    __m512i low;
    __m512i high;
    explicit WithScalesAndMinima(const std::byte* at)
        : run(at)
        , both(_mm512_mul_ps(sixteen(scalesAndMinima(at + 4)),
                             _mm512_cvtph_ps(_mm256_set1_epi32(get<std::int32_t>(at)))))
        , low(kept(load64(at + offset)))
        , high(kept(load64(at + offset + 64))) {}
    [[nodiscard]] __m512 scales() const { return _mm512_moveldup_ps(both); }
    [[nodiscard]] __m512 minima() const { return _mm512_movehdup_ps(both); }

protected:
    // With bytes in groups of eight, group 4 j + part has the codes of block 2 j in its low nibbles and the codes of
    // block 2 j + 1 in its high nibbles, so each group is used twice.
    [[nodiscard]] __m512i nibbles(int part) const {
        const __m512i first = _mm512_setr_epi64(0, 0, 4, 4, 8, 8, 12, 12);
        const __m512i bytes = _mm512_permutex2var_epi64(low, _mm512_add_epi64(first, _mm512_set1_epi64(part)), high);
        return moveBits<[](unsigned b) { return b % 2 * 4; }, 4, 0>(bytes);
    }
};

struct Q4_K : WithScalesAndMinima<TensorType::Q4_K, 144, 16> {
    using WithScalesAndMinima::WithScalesAndMinima;
    [[nodiscard]] __m512i codes(int part) const { return nibbles(part); }
};

struct Q5_K : WithScalesAndMinima<TensorType::Q5_K, 176, 48> {
    using WithScalesAndMinima::WithScalesAndMinima;
    [[nodiscard]] __m512i codes(int part) const {
        const __m512i bits = _mm512_set1_epi64(get<long long>(run + 16 + 8 * part));
        return _mm512_or_si512(nibbles(part), moveBits<[](unsigned b) { return b; }, 1, 4>(bits));
    }
};

// Repeats a group of eight bytes of each half of 32 bytes four times.
inline __m512i ofHalves(__m512i bytes, int part) {
    const __m512i first = _mm512_setr_epi64(0, 0, 0, 0, 4, 4, 4, 4);
    return _mm512_permutexvar_epi64(_mm512_add_epi64(first, _mm512_set1_epi64(part)), bytes);
}

constexpr unsigned pairOf(unsigned block) { return block % 4 * 2; }

struct Q6_K : Transposed<TensorType::Q6_K, 210, 5, true> {
    const std::byte* run;
    __m512i low;
    __m512i high;
    __m512i upper;
    explicit Q6_K(const std::byte* at)
        : run(at)
        , low(kept(load64(at)))
        , high(kept(load64(at + 64)))
        , upper(kept(load64(at + 128))) {}
    [[nodiscard]] __m512 scales() const { return _mm512_mul_ps(sixteen(load16(run + 192)), half(run + 208)); }
    [[nodiscard]] __m512i codes(int part) const {
        // Blocks 0 and 2 of a half are the low and high nibbles of its first 32 bytes, blocks 1 and 3 the nibbles of
        // the next 32.
        const __m512i first = _mm512_setr_epi64(0, 4, 0, 4, 8, 12, 8, 12);
        const __m512i bytes = _mm512_permutex2var_epi64(low, _mm512_add_epi64(first, _mm512_set1_epi64(part)), high);
        return _mm512_or_si512(moveBits<[](unsigned b) { return b % 4 / 2 * 4; }, 4, 0>(bytes),
                               moveBits<pairOf, 2, 4>(ofHalves(upper, part)));
    }
};

struct Q2_K : Transposed<TensorType::Q2_K, 84, -1, true, true> {
    const std::byte* run;
    __m512i pairs;
    explicit Q2_K(const std::byte* at)
        : run(at)
        , pairs(kept(load64(at + 16))) {}
    [[nodiscard]] __m512 scale() const { return half(run + 80); }
    [[nodiscard]] __m128i integerScales() const { return lowNibbles(load16(run)); }
    [[nodiscard]] __m512 scales() const { return _mm512_mul_ps(sixteen(integerScales()), scale()); }
    [[nodiscard]] __m512 minima() const { return _mm512_mul_ps(sixteen(highNibbles(load16(run))), half(run + 82)); }
    [[nodiscard]] __m512i codes(int part) const { return moveBits<pairOf, 2, 0>(ofHalves(pairs, part)); }
};

struct Q3_K : Transposed<TensorType::Q3_K, 110, 2, true> {
    const std::byte* run;
    __m512i pairs;
    explicit Q3_K(const std::byte* at)
        : run(at)
        , pairs(kept(load64(at + 32))) {}
    [[nodiscard]] __m512 scales() const {
        const auto first = get<std::uint64_t>(run + 96);
        const auto upper = std::uint64_t{get<std::uint32_t>(run + 104)};
        const std::uint64_t low =
            (first & 0x0F0F'0F0F'0F0F'0F0FU) | ((upper & 0x0303'0303U) | (upper >> 2U & 0x0303'0303U) << 32U) << 4U;
        const std::uint64_t high = (first >> 4U & 0x0F0F'0F0F'0F0F'0F0FU) |
                                   ((upper >> 4U & 0x0303'0303U) | (upper >> 6U & 0x0303'0303U) << 32U) << 4U;
        const __m128i both = _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
        return _mm512_mul_ps(sixteen(_mm_sub_epi8(both, _mm_set1_epi8(32))), half(run + 108));
    }
    [[nodiscard]] __m512i codes(int part) const {
        const __m512i bits = _mm512_set1_epi64(get<long long>(run + 8 * part));
        return _mm512_or_si512(moveBits<pairOf, 2, 0>(ofHalves(pairs, part)),
                               moveBits<[](unsigned b) { return b; }, 1, 2>(bits));
    }
};

struct IQ4_XS : Transposed<TensorType::IQ4_XS, 136, 7> {
    const std::byte* run;
    __m512i low;
    __m512i high;
    explicit IQ4_XS(const std::byte* at)
        : run(at)
        , low(kept(load64(at + 8)))
        , high(kept(load64(at + 72))) {}
    [[nodiscard]] __m512 scales() const {
        const auto lower = std::uint64_t{get<std::uint32_t>(run + 4)};
        const auto upper = std::uint64_t{get<std::uint16_t>(run + 2)};
        // Nibble s of `lower` and bit pair s of `upper` are combined in byte s: the nibbles 0x21 and the pairs 0b10'01
        // give the bytes 0x11 and 0x22.
        const std::uint64_t nibbles = _pdep_u64(lower, 0x0F0F'0F0F'0F0F'0F0FU);
        const std::uint64_t pairs = _pdep_u64(upper, 0x3030'3030'3030'3030U);
        const __m128i both = _mm_cvtsi64_si128(static_cast<long long>(nibbles | pairs));
        return _mm512_mul_ps(twice(_mm_sub_epi8(both, _mm_set1_epi8(32))), half(run));
    }
    [[nodiscard]] __m512i codes(int part) const {
        const __m512i bytes = part % 2 == 0 ? eights<[](int i) { return 2 * i; }>(low, high)
                                            : eights<[](int i) { return 2 * i + 1; }>(low, high);
        return lookUp<kIq4Levels, 128>(part < 2 ? lowFour(bytes) : highFour(bytes));
    }
};

// Provides this interface for a type that is unpacked as with AVX2 (portable/int8_types.h), because entries of code
// books are looked up one by one and wider vectors do not make this faster. The weights are in their normal order.
template<typename Portable>
struct Ordered {
    static constexpr TensorType kType = Portable::kType;
    static constexpr std::size_t kRunBytes = Portable::kRunBytes;
    static constexpr int kOffsetShift = Portable::kCodes == Codes::Signed ? 7 : std::countr_zero(Portable::kOffset);
    static constexpr bool kPer16 = Portable::kPer16;
    static constexpr bool kMinima = false;
    static constexpr bool kInOrder = true;
    static constexpr bool kCodeBook = true;
    static_assert(!Portable::kMinima && (Portable::kCodes == Codes::Signed || Portable::kOffset != 0));

    Portable run;
    explicit Ordered(const std::byte* at)
        : run(at) {}

    [[nodiscard]] __m512 scales() const {
        const auto halfScales = [this](std::size_t half_) { return reinterpret_cast<__m256>(run.scales(half_)); };
        if constexpr (kPer16) {
            return _mm512_insertf32x8(_mm512_castps256_ps512(halfScales(0)), halfScales(1), 1);
        } else {
            const __m512i twice = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
            return _mm512_permutexvar_ps(twice, _mm512_castps256_ps512(halfScales(0)));
        }
    }
    [[nodiscard]] __m512i codes(int part) const {
        const auto first = static_cast<std::size_t>(2 * part);
        const auto both = [](Bytes low, Bytes high) {
            return _mm512_inserti64x4(_mm512_castsi256_si512(native(low)), native(high), 1);
        };
        if constexpr (requires { Portable::kMark; }) {
            const __m512i entries = both(run.entries(first), run.entries(first + 1));
            const __mmask64 marks = run.marks(first) | std::uint64_t{run.marks(first + 1)} << 32U;
            const __m512i mark = _mm512_set1_epi8(static_cast<char>(Portable::kMark));
            const __m512i table = _mm512_broadcast_i32x4(reinterpret_cast<__m128i>(Portable::table()));
            return _mm512_shuffle_epi8(table, _mm512_mask_add_epi8(entries, marks, entries, mark));
        } else if constexpr (Portable::kCodes == Codes::Signed) {
            return _mm512_xor_si512(both(run.codes(first), run.codes(first + 1)),
                                    _mm512_set1_epi8(static_cast<char>(0x80)));
        } else {
            return both(run.codes(first), run.codes(first + 1));
        }
    }
};

// Calls set.template operator()<Type…>() with all types.
template<typename Set>
void withTransposedTypes(const Set& set) {
    set.template operator()<Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, IQ4_NL, MXFP4>();
    set.template operator()<Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, IQ4_XS>();
    set.template operator()<Ordered<::IQ2_XXS>, Ordered<::IQ2_XS>, Ordered<::IQ2_S>, Ordered<::IQ3_XXS>>();
    set.template operator()<Ordered<::IQ3_S>, Ordered<::IQ1_S>, Ordered<::IQ1_M>, Ordered<::NVFP4>>();
    set.template operator()<Ordered<::TQ1_0>, Ordered<::TQ2_0>, Ordered<::Q1_0>, Ordered<::Q2_0>>();
    set.template operator()<Ordered<::Q8_1>, Ordered<::Q8_K>>();
}

} // namespace
} // namespace gufo::avx512
