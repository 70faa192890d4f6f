// AVX-512 decoders of plain numbers, simple blocks and K-quants. kernels/scalar specifies the formats.
#include "tensor/code_books.h"
#include "tensor/kernels/avx512/common.h"
#include "tensor/kernels/avx512/install.h"

namespace gufo::avx512 {
namespace {

void decodeF16(const std::byte* from, std::size_t count, float* out) {
    std::size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        _mm512_storeu_ps(out + i, _mm512_cvtph_ps(load32(from + 2 * i)));
    }
    const auto rest = static_cast<__mmask16>((1U << (count - i)) - 1);
    _mm512_mask_storeu_ps(out + i, rest, _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(rest, from + 2 * i)));
}

void decodeBF16(const std::byte* from, std::size_t count, float* out) {
    const auto widen = [](__m256i bits) {
        return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16));
    };
    std::size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        _mm512_storeu_ps(out + i, widen(load32(from + 2 * i)));
    }
    const auto rest = static_cast<__mmask16>((1U << (count - i)) - 1);
    _mm512_mask_storeu_ps(out + i, rest, widen(_mm256_maskz_loadu_epi16(rest, from + 2 * i)));
}

void decodeF32(const std::byte* from, std::size_t count, float* out) { std::memcpy(out, from, count * sizeof(float)); }

inline __m512 levels16(const std::int8_t* levels) {
    return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(levels))));
}

// Decodes blocks of 32 nibbles that follow a header. table(block) returns the values of the codes.
template<std::size_t blockBytes, std::size_t header, typename Table>
inline void decodeNibbles(const std::byte* block, std::size_t count, float* out, Table table) {
    for (; count != 0; --count, block += blockBytes, out += 32) {
        const __m512 values = table(block);
        const __m128i bytes = load16(block + header);
        lookUp16(out, lowNibbles(bytes), values);
        lookUp16(out + 16, highNibbles(bytes), values);
    }
}

void decodeQ4_0(const std::byte* blocks, std::size_t count, float* out) {
    const __m512 levels = _mm512_sub_ps(ramp(), _mm512_set1_ps(8));
    decodeNibbles<18, 2>(blocks, count, out,
                         [=](const std::byte* block) { return _mm512_mul_ps(levels, half(block)); });
}

void decodeQ4_1(const std::byte* blocks, std::size_t count, float* out) {
    decodeNibbles<20, 4>(blocks, count, out, [levels = ramp()](const std::byte* block) {
        return _mm512_add_ps(_mm512_mul_ps(levels, half(block)), half(block + 2));
    });
}

void decodeIQ4_NL(const std::byte* blocks, std::size_t count, float* out) {
    const __m512 levels = levels16(&kIq4Levels[0]);
    decodeNibbles<18, 2>(blocks, count, out,
                         [=](const std::byte* block) { return _mm512_mul_ps(levels, half(block)); });
}

void decodeMXFP4(const std::byte* blocks, std::size_t count, float* out) {
    const __m512 levels = levels16(&kFp4Levels[0]);
    decodeNibbles<17, 1>(blocks, count, out, [=](const std::byte* block) {
        const auto e = static_cast<std::uint32_t>(block[0]);
        // 2^(e − 128): 1 for e = 128. For e < 2 the result is subnormal, and e shifts a bit in the fraction.
        const auto bits = static_cast<int>(e < 2 ? 0x0020'0000U << e : (e - 1) << 23U);
        return _mm512_mul_ps(levels, _mm512_castsi512_ps(_mm512_set1_epi32(bits)));
    });
}

// Looks up 32 codes with fifth bits in the values of codes 0 … 15 and 16 … 31.
inline void lookUpFive(float* out, __m128i nibbles, std::uint32_t fifth, __m512 values, __m512 valuesFrom16) {
    __m256i codes = _mm256_set_m128i(highNibbles(nibbles), lowNibbles(nibbles));
    codes = _mm256_mask_add_epi8(codes, fifth, codes, _mm256_set1_epi8(16));
    lookUp16(out, lower(codes), values, valuesFrom16);
    lookUp16(out + 16, upper(codes), values, valuesFrom16);
}

void decodeQ5_0(const std::byte* block, std::size_t count, float* out) {
    const __m512 levels = _mm512_sub_ps(ramp(), _mm512_set1_ps(16));
    for (; count != 0; --count, block += 22, out += 32) {
        const __m512 d = half(block);
        lookUpFive(out, load16(block + 6), get<std::uint32_t>(block + 2), _mm512_mul_ps(levels, d),
                   _mm512_mul_ps(ramp(), d));
    }
}

void decodeQ5_1(const std::byte* block, std::size_t count, float* out) {
    const __m512 levelsFrom16 = _mm512_add_ps(ramp(), _mm512_set1_ps(16));
    for (; count != 0; --count, block += 24, out += 32) {
        const __m512 d = half(block);
        const __m512 m = half(block + 2);
        lookUpFive(out, load16(block + 8), get<std::uint32_t>(block + 4), _mm512_add_ps(_mm512_mul_ps(ramp(), d), m),
                   _mm512_add_ps(_mm512_mul_ps(levelsFrom16, d), m));
    }
}

template<std::size_t blockBytes, std::size_t header>
void decodeSignedBytes(const std::byte* block, std::size_t count, float* out) {
    for (; count != 0; --count, block += blockBytes, out += 32) {
        const __m512 d = half(block);
        scale16(out, load16(block + header), d);
        scale16(out + 16, load16(block + header + 16), d);
    }
}

void decodeQ8_K(const std::byte* block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 292, out += 256) {
        const __m512 d = _mm512_set1_ps(get<float>(block));
        for (std::size_t i = 0; i < 256; i += 16) {
            scale16(out + i, load16(block + 4 + i), d);
        }
    }
}

void decodeQ1_0(const std::byte* block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 18, out += 128) {
        const __m512 d = half(block);
        const __m512 minus = _mm512_xor_ps(d, _mm512_set1_ps(-0.0F));
        for (std::size_t i = 0; i < 8; ++i) {
            _mm512_storeu_ps(out + 16 * i, _mm512_mask_blend_ps(get<__mmask16>(block + 2 + 2 * i), minus, d));
        }
    }
}

// The levels −1, 0, 1, 2, repeated: the permutation uses four bits of each lane, but only two are significant.
inline __m512 fourLevels() { return _mm512_setr_ps(-1, 0, 1, 2, -1, 0, 1, 2, -1, 0, 1, 2, -1, 0, 1, 2); }

void decodeQ2_0(const std::byte* block, std::size_t count, float* out) {
    const __m512i shifts = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    for (; count != 0; --count, block += 18, out += 64) {
        const __m512 values = _mm512_mul_ps(fourLevels(), half(block));
        for (std::size_t i = 0; i < 4; ++i) {
            const __m512i word = _mm512_set1_epi32(get<std::int32_t>(block + 2 + 4 * i));
            _mm512_storeu_ps(out + 16 * i, _mm512_permutexvar_ps(_mm512_srlv_epi32(word, shifts), values));
        }
    }
}

inline __m256i twoBits(__m256i bytes, int shift) {
    return _mm256_and_si256(_mm256_srli_epi16(bytes, static_cast<unsigned>(shift)), _mm256_set1_epi8(3));
}

void decodeTQ2_0(const std::byte* block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 66) {
        const __m512 values = _mm512_mul_ps(fourLevels(), half(block + 64));
        for (std::size_t part = 0; part < 2; ++part) {
            const __m256i bytes = load32(block + 32 * part);
            for (int n = 0; n < 4; ++n, out += 32) {
                const __m256i codes = twoBits(bytes, 2 * n);
                lookUp16(out, lower(codes), values);
                lookUp16(out + 16, upper(codes), values);
            }
        }
    }
}

void decodeTQ1_0(const std::byte* block, std::size_t count, float* out) {
    const __m512 levels = _mm512_setr_ps(-1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    // The first digits of sixteen bytes times a power of three.
    // 200 × 3 = 2 × 256 + 88 gives the digit 2, and 88 × 3 = 1 × 256 + 8 the next digit, 1.
    const auto digits = [](__m256i words, int power) {
        const __m256i shifted = _mm256_and_si256(
            _mm256_mullo_epi16(words, _mm256_set1_epi16(static_cast<short>(power))), _mm256_set1_epi16(255));
        return _mm512_cvtepu16_epi32(_mm256_srli_epi16(_mm256_mullo_epi16(shifted, _mm256_set1_epi16(3)), 8));
    };
    constexpr int kPowers[] = {1, 3, 9, 27, 81};
    for (; count != 0; --count, block += 54, out += 256) {
        const __m512 values = _mm512_mul_ps(levels, half(block + 52));
        const __m256i first = _mm256_cvtepu8_epi16(load16(block));
        const __m256i second = _mm256_cvtepu8_epi16(load16(block + 16));
        const __m256i third = _mm256_cvtepu8_epi16(load16(block + 32));
        for (std::size_t n = 0; n < 5; ++n) {
            _mm512_storeu_ps(out + 32 * n, _mm512_permutexvar_ps(digits(first, kPowers[n]), values));
            _mm512_storeu_ps(out + 32 * n + 16, _mm512_permutexvar_ps(digits(second, kPowers[n]), values));
            _mm512_storeu_ps(out + 160 + 16 * n, _mm512_permutexvar_ps(digits(third, kPowers[n]), values));
        }
        // Four bytes of four digits: lanes 4 n … 4 n + 3 hold the four bytes times 3^n.
        const __m256i last = _mm256_cvtepu8_epi16(_mm_set1_epi32(get<std::int32_t>(block + 48)));
        const __m256i powers = _mm256_setr_epi16(1, 1, 1, 1, 3, 3, 3, 3, 9, 9, 9, 9, 27, 27, 27, 27);
        _mm512_storeu_ps(out + 240, _mm512_permutexvar_ps(digits(_mm256_mullo_epi16(last, powers), 1), values));
    }
}

void decodeNVFP4(const std::byte* block, std::size_t count, float* out) {
    const __m512 levels = levels16(&kFp4Levels[0]);
    for (; count != 0; --count, block += 36) {
        for (std::size_t s = 0; s < 4; ++s, out += 16) {
            const auto code = static_cast<std::uint32_t>(block[s]);
            const std::uint32_t exponent = code >> 3U & 15U;
            const std::uint32_t mantissa = code & 7U;
            float scale = static_cast<float>(mantissa) * 0x1p-10F;
            if (exponent != 0) {
                const std::uint32_t bits = (exponent + 119) << 23U | mantissa << 20U;
                std::memcpy(&scale, &bits, sizeof scale);
            }
            const __m512 values = _mm512_mul_ps(levels, _mm512_set1_ps(code == 0x7F ? 0 : scale));
            const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(block + 4 + 8 * s));
            lookUp16(out, _mm_unpacklo_epi64(lowNibbles(bytes), highNibbles(bytes)), values);
        }
    }
}

void decodeQ2_K(const std::byte* block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 84) {
        const __m128i packed = load16(block);
        const Scales scales(
            _mm512_mul_ps(half(block + 80), _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(lowNibbles(packed)))));
        const Scales minima(
            _mm512_mul_ps(half(block + 82), _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(highNibbles(packed)))));
        for (std::size_t part = 0, s = 0; part < 2; ++part) {
            const __m256i bytes = load32(block + 16 + 32 * part);
            for (int n = 0; n < 4; ++n, s += 2, out += 32) {
                const __m256i codes = twoBits(bytes, 2 * n);
                scale16(out, lower(codes), scales[s], minima[s]);
                scale16(out + 16, upper(codes), scales[s + 1], minima[s + 1]);
            }
        }
    }
}

void decodeQ3_K(const std::byte* block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 110) {
        const std::uint64_t low = get<std::uint64_t>(block + 96);
        const std::uint64_t high = get<std::uint32_t>(block + 104);
        const std::uint64_t nibbles0 = low & 0x0F0F'0F0F'0F0F'0F0FU;
        const std::uint64_t nibbles1 = low >> 4U & 0x0F0F'0F0F'0F0F'0F0FU;
        const std::uint64_t upper0 = (high & 0x0303'0303U) | (high >> 2U & 0x0303'0303U) << 32U;
        const std::uint64_t upper1 = (high >> 4U & 0x0303'0303U) | (high >> 6U & 0x0303'0303U) << 32U;
        const __m128i packed = _mm_set_epi64x(static_cast<long long>(nibbles1 | upper1 << 4U),
                                              static_cast<long long>(nibbles0 | upper0 << 4U));
        const __m512i unbiased = _mm512_sub_epi32(_mm512_cvtepu8_epi32(packed), _mm512_set1_epi32(32));
        const Scales scales(_mm512_mul_ps(half(block + 108), _mm512_cvtepi32_ps(unbiased)));
        const __m256i mask = load32(block);
        for (std::size_t part = 0, s = 0; part < 2; ++part) {
            const __m256i bytes = load32(block + 32 + 32 * part);
            for (int n = 0; n < 4; ++n, s += 2, out += 32) {
                const __mmask32 third = _mm256_test_epi8_mask(mask, _mm256_set1_epi8(static_cast<char>(1U << (s / 2))));
                const __m256i codes = twoBits(bytes, 2 * n);
                const __m256i levels = _mm256_mask_sub_epi8(codes, ~third, codes, _mm256_set1_epi8(4));
                scale16(out, lower(levels), scales[s]);
                scale16(out + 16, upper(levels), scales[s + 1]);
            }
        }
    }
}

// Scales 0 … 7 and minima 8 … 15 of Q4_K and Q5_K.
inline Scales scalesAndMinima(const std::byte* block) {
    const auto a = get<std::uint32_t>(block + 4);
    const auto b = get<std::uint32_t>(block + 8);
    const auto c = get<std::uint32_t>(block + 12);
    const auto packed = _mm_setr_epi32(
        static_cast<int>(a & 0x3F3F'3F3FU), static_cast<int>((c & 0x0F0F'0F0FU) | (a >> 2U & 0x3030'3030U)),
        static_cast<int>(b & 0x3F3F'3F3FU), static_cast<int>((c >> 4U & 0x0F0F'0F0FU) | (b >> 2U & 0x3030'3030U)));
    const __m512 factors = _mm512_mask_blend_ps(0xFF00, half(block), half(block + 2));
    return Scales(_mm512_mul_ps(factors, _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(packed))));
}

void decodeQ4_K(const std::byte* block, std::size_t count, float* out) {
    const __m512 levels = ramp();
    for (; count != 0; --count, block += 144) {
        const Scales scales = scalesAndMinima(block);
        for (std::size_t pair = 0; pair < 4; ++pair, out += 64) {
            const __m256i bytes = load32(block + 16 + 32 * pair);
            const __m512 first = _mm512_sub_ps(_mm512_mul_ps(levels, scales[2 * pair]), scales[8 + 2 * pair]);
            const __m512 second = _mm512_sub_ps(_mm512_mul_ps(levels, scales[2 * pair + 1]), scales[9 + 2 * pair]);
            const __m256i low = lowNibbles(bytes);
            const __m256i high = highNibbles(bytes);
            lookUp16(out, lower(low), first);
            lookUp16(out + 16, upper(low), first);
            lookUp16(out + 32, lower(high), second);
            lookUp16(out + 48, upper(high), second);
        }
    }
}

void decodeQ5_K(const std::byte* block, std::size_t count, float* out) {
    const __m512 levels = ramp();
    const __m512 levelsFrom16 = _mm512_add_ps(levels, _mm512_set1_ps(16));
    for (; count != 0; --count, block += 176) {
        const Scales scales = scalesAndMinima(block);
        const __m256i fifths = load32(block + 16);
        for (std::size_t s = 0; s < 8; ++s, out += 32) {
            const __m256i bytes = load32(block + 48 + s / 2 * 32);
            __m256i codes = s % 2 == 0 ? lowNibbles(bytes) : highNibbles(bytes);
            const __mmask32 fifth = _mm256_test_epi8_mask(fifths, _mm256_set1_epi8(static_cast<char>(1U << s)));
            codes = _mm256_mask_add_epi8(codes, fifth, codes, _mm256_set1_epi8(16));
            const __m512 values = _mm512_sub_ps(_mm512_mul_ps(levels, scales[s]), scales[8 + s]);
            const __m512 valuesFrom16 = _mm512_sub_ps(_mm512_mul_ps(levelsFrom16, scales[s]), scales[8 + s]);
            lookUp16(out, lower(codes), values, valuesFrom16);
            lookUp16(out + 16, upper(codes), values, valuesFrom16);
        }
    }
}

void decodeQ6_K(const std::byte* block, std::size_t count, float* out) {
    const __m512i nibble = _mm512_set1_epi8(15);
    const __m512i upperBits = _mm512_set1_epi8(0x30);
    const __m512i offset = _mm512_set1_epi8(32);
    for (; count != 0; --count, block += 210) {
        const Scales scales(
            _mm512_mul_ps(half(block + 208), _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(load16(block + 192)))));
        for (std::size_t part = 0; part < 2; ++part, out += 128) {
            const __m512i low = load64(block + 64 * part);
            const __m256i high = load32(block + 128 + 32 * part);
            // Bits 0-1 and 4-5 belong to weights 0 … 31 and 64 … 95 in the lower half, and to 32 … 63 and 96 … 127 in
            // the upper half.
            const __m512i bits = _mm512_inserti64x4(_mm512_castsi256_si512(high), _mm256_srli_epi16(high, 2), 1);
            const __m512i first =
                _mm512_or_si512(_mm512_and_si512(low, nibble), _mm512_and_si512(_mm512_slli_epi16(bits, 4), upperBits));
            const __m512i second =
                _mm512_or_si512(_mm512_and_si512(_mm512_srli_epi16(low, 4), nibble), _mm512_and_si512(bits, upperBits));
            const __m512i levels0 = _mm512_sub_epi8(first, offset);
            const __m512i levels1 = _mm512_sub_epi8(second, offset);
            const std::size_t s = 8 * part;
            scale16(out, _mm512_extracti32x4_epi32(levels0, 0), scales[s]);
            scale16(out + 16, _mm512_extracti32x4_epi32(levels0, 1), scales[s + 1]);
            scale16(out + 32, _mm512_extracti32x4_epi32(levels0, 2), scales[s + 2]);
            scale16(out + 48, _mm512_extracti32x4_epi32(levels0, 3), scales[s + 3]);
            scale16(out + 64, _mm512_extracti32x4_epi32(levels1, 0), scales[s + 4]);
            scale16(out + 80, _mm512_extracti32x4_epi32(levels1, 1), scales[s + 5]);
            scale16(out + 96, _mm512_extracti32x4_epi32(levels1, 2), scales[s + 6]);
            scale16(out + 112, _mm512_extracti32x4_epi32(levels1, 3), scales[s + 7]);
        }
    }
}

void decodeIQ4_XS(const std::byte* block, std::size_t count, float* out) {
    const __m512 levels = levels16(&kIq4Levels[0]);
    for (; count != 0; --count, block += 136) {
        const __m512 d = half(block);
        const auto high = get<std::uint16_t>(block + 2);
        const auto low = get<std::uint32_t>(block + 4);
        for (std::size_t s = 0; s < 8; ++s, out += 32) {
            const std::uint32_t scale = (low >> (4 * s) & 15U) | (high >> (2 * s) & 3U) << 4U;
            const __m512 factor = _mm512_mul_ps(d, _mm512_set1_ps(static_cast<float>(static_cast<int>(scale) - 32)));
            const __m512 values = _mm512_mul_ps(levels, factor);
            const __m128i bytes = load16(block + 8 + 16 * s);
            lookUp16(out, lowNibbles(bytes), values);
            lookUp16(out + 16, highNibbles(bytes), values);
        }
    }
}

} // namespace

void installSimple(Kernels& kernels) {
    const auto set = [&](TensorType type, Kernels::Decode decode) { kernels.decode[type] = decode; };
    set(TensorType::F32, decodeF32);
    set(TensorType::F16, decodeF16);
    set(TensorType::BF16, decodeBF16);
    set(TensorType::Q4_0, decodeQ4_0);
    set(TensorType::Q4_1, decodeQ4_1);
    set(TensorType::Q5_0, decodeQ5_0);
    set(TensorType::Q5_1, decodeQ5_1);
    set(TensorType::Q8_0, decodeSignedBytes<34, 2>);
    set(TensorType::Q8_1, decodeSignedBytes<36, 4>);
    set(TensorType::Q1_0, decodeQ1_0);
    set(TensorType::Q2_0, decodeQ2_0);
    set(TensorType::TQ1_0, decodeTQ1_0);
    set(TensorType::TQ2_0, decodeTQ2_0);
    set(TensorType::MXFP4, decodeMXFP4);
    set(TensorType::NVFP4, decodeNVFP4);
    set(TensorType::Q2_K, decodeQ2_K);
    set(TensorType::Q3_K, decodeQ3_K);
    set(TensorType::Q4_K, decodeQ4_K);
    set(TensorType::Q5_K, decodeQ5_K);
    set(TensorType::Q6_K, decodeQ6_K);
    set(TensorType::Q8_K, decodeQ8_K);
    set(TensorType::IQ4_NL, decodeIQ4_NL);
    set(TensorType::IQ4_XS, decodeIQ4_XS);
}

} // namespace gufo::avx512
