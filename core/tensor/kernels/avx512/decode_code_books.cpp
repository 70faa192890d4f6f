// AVX-512 decoders of the IQ types with code books. Two or four entries for sixteen weights are broadcast to 32-bit
// lanes; each lane is shifted by its own amount, and its low bits index a table of values. kernels/scalar specifies the
// formats.
#include "tensor/code_books.h"
#include "tensor/kernels/avx512/common.h"
#include "tensor/kernels/avx512/install.h"

namespace gufo::avx512 {
namespace {

// Sign masks, indexed by their seven stored bits.
struct SignTable {
    std::uint8_t masks[128];
    constexpr SignTable()
        : masks() {
        for (unsigned i = 0; i < 128; ++i) {
            unsigned parity = i ^ i >> 4U;
            parity ^= parity >> 2U;
            parity ^= parity >> 1U;
            masks[i] = static_cast<std::uint8_t>(i | (parity & 1U) << 7U);
        }
    }
};
constexpr SignTable kSigns;

// Expands two groups of seven stored sign bits to the signs of sixteen weights.
inline __mmask16 signs16(std::uint32_t stored14) {
    return static_cast<__mmask16>(kSigns.masks[stored14 & 127U] |
                                  static_cast<unsigned>(kSigns.masks[stored14 >> 7U & 127U]) << 8U);
}

inline __m512i shiftsOfTwoBits() {
    return _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
}
inline __m512i shiftsOfThreeBits() { return _mm512_setr_epi32(0, 3, 6, 9, 16, 19, 22, 25, 0, 3, 6, 9, 16, 19, 22, 25); }

inline void storeSigned(float* out, __m512 magnitudes, __mmask16 negative) {
    const __m512i bits = _mm512_castps_si512(magnitudes);
    const __m512i sign = _mm512_set1_epi32(static_cast<int>(0x8000'0000U));
    _mm512_storeu_ps(out, _mm512_castsi512_ps(_mm512_mask_xor_epi32(bits, negative, bits, sign)));
}

// The magnitudes of IQ2, repeated every four lanes: the permutation uses four bits of each lane, but only two are
// significant. Code 2, for example, may come as 2, 6, 10 or 14, and all four give 43.
inline __m512 iq2Magnitudes() { return _mm512_setr_ps(8, 25, 43, 0, 8, 25, 43, 0, 8, 25, 43, 0, 8, 25, 43, 0); }

inline void storeIq2(float* out, std::uint32_t first, std::uint32_t second, __mmask16 negative, __m512 values) {
    const __m512i entries = _mm512_set1_epi32(static_cast<int>(first | second << 16U));
    storeSigned(out, _mm512_permutexvar_ps(_mm512_srlv_epi32(entries, shiftsOfTwoBits()), values), negative);
}

void decodeIQ2_XXS(const std::byte* block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 66) {
        const float d = _mm512_cvtss_f32(half(block));
        for (std::size_t s = 0; s < 8; ++s, out += 32) {
            const auto indices = get<std::uint32_t>(block + 2 + 8 * s);
            const auto word = get<std::uint32_t>(block + 6 + 8 * s);
            const float scale = d * (0.5F + static_cast<float>(word >> 28U)) * 0.25F;
            const __m512 values = _mm512_mul_ps(iq2Magnitudes(), _mm512_set1_ps(scale));
            storeIq2(out, kIq2XxsGrid[indices & 255U], kIq2XxsGrid[indices >> 8U & 255U], signs16(word), values);
            storeIq2(out + 16, kIq2XxsGrid[indices >> 16U & 255U], kIq2XxsGrid[indices >> 24U], signs16(word >> 14U),
                     values);
        }
    }
}

// d × (0.5 + s) × 0.25 for the sixteen nibbles s.
inline Scales iq2Scales(const std::byte* packed, __m512 d) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(packed));
    const __m128i nibbles = _mm_unpacklo_epi8(lowNibbles(bytes), highNibbles(bytes));
    const __m512 scales = _mm512_add_ps(_mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(nibbles)), _mm512_set1_ps(0.5F));
    return Scales(_mm512_mul_ps(_mm512_mul_ps(d, scales), _mm512_set1_ps(0.25F)));
}

void decodeIQ2_XS(const std::byte* block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 74) {
        const Scales scales = iq2Scales(block + 66, half(block));
        for (std::size_t s = 0; s < 16; ++s, out += 16) {
            const auto words = get<std::uint32_t>(block + 2 + 4 * s);
            const std::uint32_t signs = (words >> 9U & 127U) | (words >> 25U) << 7U;
            storeIq2(out, kIq2XsGrid[words & 511U], kIq2XsGrid[words >> 16U & 511U], signs16(signs),
                     _mm512_mul_ps(iq2Magnitudes(), scales[s]));
        }
    }
}

void decodeIQ2_S(const std::byte* block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 82) {
        const Scales scales = iq2Scales(block + 74, half(block));
        const auto upper = get<std::uint64_t>(block + 66);
        for (std::size_t s = 0; s < 16; ++s, out += 16) {
            const auto indices = get<std::uint16_t>(block + 2 + 2 * s);
            const std::uint64_t bits = upper >> (4 * s);
            storeIq2(out, kIq2SGrid[(indices & 255U) | (bits & 3U) << 8U],
                     kIq2SGrid[(indices >> 8U) | (bits >> 2U & 3U) << 8U], get<__mmask16>(block + 34 + 2 * s),
                     _mm512_mul_ps(iq2Magnitudes(), scales[s]));
        }
    }
}

// Stores the weights of four entries of four weights.
inline void storeIq3(float* out, std::uint32_t first, std::uint32_t second, __mmask16 negative, __m512 values) {
    const __m512i entries =
        _mm512_mask_set1_epi32(_mm512_set1_epi32(static_cast<int>(first)), 0xFF00, static_cast<int>(second));
    storeSigned(out, _mm512_permutexvar_ps(_mm512_srlv_epi32(entries, shiftsOfThreeBits()), values), negative);
}

void decodeIQ3_XXS(const std::byte* block, std::size_t count, float* out) {
    // Eight magnitudes, repeated: three of the four bits are significant.
    const __m512 magnitudes = _mm512_setr_ps(4, 12, 20, 28, 36, 44, 52, 62, 4, 12, 20, 28, 36, 44, 52, 62);
    const auto pair = [](std::uint32_t indices) {
        return std::uint32_t{kIq3XxsGrid[indices & 255U]} |
               static_cast<std::uint32_t>(kIq3XxsGrid[indices >> 8U & 255U]) << 16U;
    };
    for (; count != 0; --count, block += 98) {
        const float d = _mm512_cvtss_f32(half(block));
        for (std::size_t s = 0; s < 8; ++s, out += 32) {
            const auto word = get<std::uint32_t>(block + 66 + 4 * s);
            const auto indices = get<std::uint64_t>(block + 2 + 8 * s);
            const float scale = d * (0.5F + static_cast<float>(word >> 28U)) * 0.5F;
            const __m512 values = _mm512_mul_ps(magnitudes, _mm512_set1_ps(scale));
            const auto low = static_cast<std::uint32_t>(indices);
            const auto high = static_cast<std::uint32_t>(indices >> 32U);
            storeIq3(out, pair(low), pair(low >> 16U), signs16(word), values);
            storeIq3(out + 16, pair(high), pair(high >> 16U), signs16(word >> 14U), values);
        }
    }
}

void decodeIQ3_S(const std::byte* block, std::size_t count, float* out) {
    const __m512 magnitudes = _mm512_setr_ps(1, 3, 5, 7, 9, 11, 13, 15, 1, 3, 5, 7, 9, 11, 13, 15);
    // Two entries; bits 0 and 1 of `upper` are the ninth bits of their indices.
    const auto pair = [](std::uint32_t indices, std::uint32_t upper) {
        return std::uint32_t{kIq3SGrid[(indices & 255U) | (upper & 1U) << 8U]} |
               static_cast<std::uint32_t>(kIq3SGrid[(indices >> 8U & 255U) | (upper >> 1U & 1U) << 8U]) << 16U;
    };
    for (; count != 0; --count, block += 110) {
        const __m512 d = half(block);
        const auto packed = get<std::uint32_t>(block + 106);
        for (std::size_t s = 0; s < 8; ++s, out += 32) {
            const auto indices = get<std::uint64_t>(block + 2 + 8 * s);
            const auto upper = static_cast<std::uint32_t>(block[66 + s]);
            const auto scale = static_cast<float>(static_cast<int>(1 + 2 * (packed >> (4 * s) & 15U)));
            const __m512 values = _mm512_mul_ps(magnitudes, _mm512_mul_ps(d, _mm512_set1_ps(scale)));
            const auto low = static_cast<std::uint32_t>(indices);
            const auto high = static_cast<std::uint32_t>(indices >> 32U);
            storeIq3(out, pair(low, upper), pair(low >> 16U, upper >> 2U), get<__mmask16>(block + 74 + 4 * s), values);
            storeIq3(out + 16, pair(high, upper >> 4U), pair(high >> 16U, upper >> 6U),
                     get<__mmask16>(block + 76 + 4 * s), values);
        }
    }
}

// Ternary weights in eighths: shifted down in lanes 0 … 3, shifted up in lanes 4 … 7.
inline __m512 iq1Levels() { return _mm512_setr_ps(-9, -1, 7, 0, -7, 1, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0); }

// `up` marks the weights that are shifted up.
inline void storeIq1(float* out, std::uint32_t first, std::uint32_t second, __mmask16 up, __m512 values) {
    const __m512i entries = _mm512_set1_epi32(static_cast<int>(first | second << 16U));
    const __m512i ternary = _mm512_and_si512(_mm512_srlv_epi32(entries, shiftsOfTwoBits()), _mm512_set1_epi32(3));
    const __m512i lanes = _mm512_mask_or_epi32(ternary, up, ternary, _mm512_set1_epi32(4));
    _mm512_storeu_ps(out, _mm512_permutexvar_ps(lanes, values));
}

void decodeIQ1_S(const std::byte* block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 50) {
        const float d = _mm512_cvtss_f32(half(block));
        for (std::size_t s = 0; s < 8; ++s, out += 32) {
            const auto indices = get<std::uint32_t>(block + 2 + 4 * s);
            const std::uint32_t word = get<std::uint16_t>(block + 34 + 2 * s);
            const float scale = d * static_cast<float>(static_cast<int>(2 * (word >> 12U & 7U) + 1)) * 0.125F;
            const __m512 values = _mm512_mul_ps(iq1Levels(), _mm512_set1_ps(scale));
            const auto up = static_cast<__mmask16>((word & 0x8000U) != 0 ? 0 : 0xFFFF);
            storeIq1(out, kIq1Grid[(indices & 255U) | (word & 7U) << 8U],
                     kIq1Grid[(indices >> 8U & 255U) | (word >> 3U & 7U) << 8U], up, values);
            storeIq1(out + 16, kIq1Grid[(indices >> 16U & 255U) | (word >> 6U & 7U) << 8U],
                     kIq1Grid[(indices >> 24U) | (word >> 9U & 7U) << 8U], up, values);
        }
    }
}

void decodeIQ1_M(const std::byte* block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 56) {
        const auto packed = get<std::uint64_t>(block + 48);
        // The half consists of the highest nibbles of four words: 0x4…, 0x3…, 0x2… and 0x1… give 0x1234.
        const std::uint64_t bits =
            (packed >> 12U & 0xFU) | (packed >> 24U & 0xF0U) | (packed >> 36U & 0xF00U) | (packed >> 48U & 0xF000U);
        const float d = _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(static_cast<int>(bits))));
        for (std::size_t s = 0; s < 16; ++s, out += 16) {
            const std::uint64_t scale = packed >> (16 * (s / 4) + 3 * (s % 4)) & 7U;
            const float factor = d * static_cast<float>(static_cast<int>(2 * scale + 1)) * 0.125F;
            const auto indices = get<std::uint16_t>(block + 2 * s);
            const auto nibbles = static_cast<std::uint32_t>(block[32 + s]);
            const auto up =
                static_cast<__mmask16>(((nibbles & 8U) != 0 ? 0U : 0xFFU) | ((nibbles & 128U) != 0 ? 0U : 0xFF00U));
            storeIq1(out, kIq1Grid[(indices & 255U) | (nibbles & 7U) << 8U],
                     kIq1Grid[(indices >> 8U) | (nibbles >> 4U & 7U) << 8U], up,
                     _mm512_mul_ps(iq1Levels(), _mm512_set1_ps(factor)));
        }
    }
}

} // namespace

void installCodeBooks(Kernels& kernels) {
    const auto set = [&](TensorType type, Kernels::Decode decode) { kernels.decode[type] = decode; };
    set(TensorType::IQ2_XXS, decodeIQ2_XXS);
    set(TensorType::IQ2_XS, decodeIQ2_XS);
    set(TensorType::IQ2_S, decodeIQ2_S);
    set(TensorType::IQ3_XXS, decodeIQ3_XXS);
    set(TensorType::IQ3_S, decodeIQ3_S);
    set(TensorType::IQ1_S, decodeIQ1_S);
    set(TensorType::IQ1_M, decodeIQ1_M);
}

} // namespace gufo::avx512
