// Decoders of all block types, based on the primitives of an instruction set (vectors.h). kernels/scalar specifies the
// formats. Loops over sub-blocks are unrolled where they shift bytes: no instruction shifts bytes by a variable.
#pragma once

#include "tensor/code_books.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/portable/unrolled.h"
#include "tensor/kernels/portable/vectors.h"
#include "tensor/tensor_type.h"

namespace {

using Block = const std::byte*;

inline I8x16 levels16(const std::int8_t* levels) { return get<I8x16>(levels); }

// Decodes blocks of 32 nibbles that follow a header. level() maps sixteen codes to levels, scale() returns the scale of
// a block.
template<std::size_t blockBytes, std::size_t header, typename Level, typename Scale>
inline void decodeNibbles(Block block, std::size_t count, float* out, Level level, Scale scale) {
    for (; count != 0; --count, block += blockBytes, out += 32) {
        const auto bytes = get<U8x16>(block + header);
        const float d = scale(block);
        put16(out, level(lowNibbles(bytes)), d);
        put16(out + 16, level(highNibbles(bytes)), d);
    }
}

inline float firstHalf(Block block) { return half(block); }

void decodeQ4_0(Block block, std::size_t count, float* out) {
    decodeNibbles<18, 2>(block, count, out, [](U8x16 codes) { return asSigned(codes) - 8; }, firstHalf);
}

void decodeIQ4_NL(Block block, std::size_t count, float* out) {
    const I8x16 levels = levels16(&gufo::kIq4Levels[0]);
    decodeNibbles<18, 2>(block, count, out, [=](U8x16 codes) { return lookUp(levels, codes); }, firstHalf);
}

void decodeMXFP4(Block block, std::size_t count, float* out) {
    const I8x16 levels = levels16(&gufo::kFp4Levels[0]);
    decodeNibbles<17, 1>(
        block, count, out, [=](U8x16 codes) { return lookUp(levels, codes); },
        [](Block at) {
            const auto e = static_cast<std::uint32_t>(at[0]);
            // 2^(e − 128): 1 for e = 128. For e < 2 the result is subnormal, and e shifts a bit in the fraction.
            return asFloat(e < 2 ? 0x0020'0000U << e : (e - 1) << 23U);
        });
}

void decodeQ4_1(Block block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 20, out += 32) {
        const auto bytes = get<U8x16>(block + 4);
        const float d = half(block);
        const float minimum = -half(block + 2);
        put16(out, asSigned(lowNibbles(bytes)), d, minimum);
        put16(out + 16, asSigned(highNibbles(bytes)), d, minimum);
    }
}

// Expands sixteen bits to bytes of 0 or 0xFF.
inline U8x16 maskOfBits(std::uint32_t bits) {
    const U8x16 select = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const U8x16 byteOfBit = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
    const auto spread = reinterpret_cast<U8x16>(lookUp(asSigned(join(bits, 0)), byteOfBit));
    return reinterpret_cast<U8x16>((spread & select) == select);
}

void decodeQ5_0(Block block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 22, out += 32) {
        const auto bytes = get<U8x16>(block + 6);
        const auto fifths = get<std::uint32_t>(block + 2);
        const float d = half(block);
        put16(out, asSigned(lowNibbles(bytes) | (maskOfBits(fifths) & 16)) - 16, d);
        put16(out + 16, asSigned(highNibbles(bytes) | (maskOfBits(fifths >> 16U) & 16)) - 16, d);
    }
}

void decodeQ5_1(Block block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 24, out += 32) {
        const auto bytes = get<U8x16>(block + 8);
        const auto fifths = get<std::uint32_t>(block + 4);
        const float d = half(block);
        const float minimum = -half(block + 2);
        put16(out, asSigned(lowNibbles(bytes) | (maskOfBits(fifths) & 16)), d, minimum);
        put16(out + 16, asSigned(highNibbles(bytes) | (maskOfBits(fifths >> 16U) & 16)), d, minimum);
    }
}

template<std::size_t blockBytes, std::size_t header>
void decodeSignedBytes(Block block, std::size_t count, float* out) {
    for (; count != 0; --count, block += blockBytes, out += 32) {
        const float d = half(block);
        put16(out, get<I8x16>(block + header), d);
        put16(out + 16, get<I8x16>(block + header + 16), d);
    }
}

void decodeQ8_K(Block block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 292, out += 256) {
        const auto d = get<float>(block);
        for (std::size_t i = 0; i < 256; i += 16) {
            put16(out + i, get<I8x16>(block + 4 + i), d);
        }
    }
}

void decodeQ1_0(Block block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 18, out += 128) {
        const float d = half(block);
        for (std::size_t i = 0; i < 8; ++i) {
            // The mask is −1 if the bit is set, so −1 − 2 × mask is 1 for set bits and −1 for others.
            const I8x16 mask = asSigned(maskOfBits(get<std::uint16_t>(block + 2 + 2 * i)));
            put16(out + 16 * i, -1 - 2 * mask, d);
        }
    }
}

void decodeTQ2_0(Block block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 66) {
        const float d = half(block + 64);
        for (std::size_t part = 0; part < 64; part += 32) {
            for (int n = 0; n < 4; ++n, out += 32) {
                put16(out, asSigned(twoBits(get<U8x16>(block + part), 2 * n)) - 1, d);
                put16(out + 16, asSigned(twoBits(get<U8x16>(block + part + 16), 2 * n)) - 1, d);
            }
        }
    }
}

// The leading ternary digits of sixteen fractions n / 256, minus one: the whole part of n × 3 / 256 is 1 from n = 86 on
// and 2 from n = 171 on.
inline I8x16 ternaryLevels(U8x16 fractions) { return -1 - asSigned(fractions >= 86) - asSigned(fractions >= 171); }

void decodeTQ1_0(Block block, std::size_t count, float* out) {
    const U8x16 lastBytes = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
    const U8x16 lastPowers = {1, 1, 1, 1, 3, 3, 3, 3, 9, 9, 9, 9, 27, 27, 27, 27};
    for (; count != 0; --count, block += 54) {
        const float d = half(block + 52);
        // Each multiplication by three discards the leading digit (modulo 256) and makes the next one leading.
        U8x16 low = get<U8x16>(block);
        U8x16 high = get<U8x16>(block + 16);
        for (int digit = 0; digit < 5; ++digit, out += 32, low *= 3, high *= 3) {
            put16(out, ternaryLevels(low), d);
            put16(out + 16, ternaryLevels(high), d);
        }
        low = get<U8x16>(block + 32);
        for (int digit = 0; digit < 5; ++digit, out += 16, low *= 3) {
            put16(out, ternaryLevels(low), d);
        }
        const I8x16 last = lookUp(asSigned(join(get<std::uint32_t>(block + 48), 0)), lastBytes);
        put16(out, ternaryLevels(reinterpret_cast<U8x16>(last) * lastPowers), d);
        out += 16;
    }
}

void decodeNVFP4(Block block, std::size_t count, float* out) {
    const I8x16 levels = levels16(&gufo::kFp4Levels[0]);
    for (; count != 0; --count, block += 36) {
        for (std::size_t s = 0; s < 4; ++s, out += 16) {
            const auto code = static_cast<std::uint32_t>(block[s]);
            const std::uint32_t exponent = code >> 3U & 15U;
            const std::uint32_t mantissa = code & 7U;
            // A half of the number in E4M3, because levels are doubled: 0x38, which is 1, becomes 0.5.
            float scale = exponent != 0 ? asFloat((exponent + 119) << 23U | mantissa << 20U)
                                        : static_cast<float>(static_cast<int>(mantissa)) * 0x1p-10F;
            if (code == 0x7F) {
                scale = 0;
            }
            const auto bytes = get<std::uint64_t>(block + 4 + 8 * s);
            constexpr std::uint64_t kNibbles = 0x0F0F'0F0F'0F0F'0F0FU;
            put16(out, lookUp(levels, join(bytes & kNibbles, bytes >> 4U & kNibbles)), scale);
        }
    }
}

void decodeQ2_K(Block block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 84) {
        const float d = half(block + 80);
        const float dmin = half(block + 82);
        unrolled(Times<16>(), [&](auto s) {
            const auto packed = static_cast<int>(block[s]);
            const auto bytes = get<U8x16>(block + 16 + s / 8 * 32 + s % 2 * 16);
            put16(out + 16 * s, asSigned(twoBits(bytes, static_cast<int>(s % 8 / 2 * 2))),
                  d * static_cast<float>(packed & 15), dmin * static_cast<float>(packed >> 4));
        });
        out += 256;
    }
}

void decodeQ3_K(Block block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 110) {
        const float d = half(block + 108);
        unrolled(Times<16>(), [&](auto s) {
            const auto low = static_cast<int>(block[96 + s % 8]) >> (s / 8 * 4) & 15;
            const auto high = static_cast<int>(block[104 + s % 4]) >> (s / 4 * 2) & 3;
            const auto bytes = get<U8x16>(block + 32 + s / 8 * 32 + s % 2 * 16);
            const auto third = get<U8x16>(block + s % 2 * 16) >> static_cast<std::uint8_t>(s / 2) & 1;
            const U8x16 codes = twoBits(bytes, static_cast<int>(s % 8 / 2 * 2)) | third << 2;
            put16(out + 16 * s, asSigned(codes) - 4, d * static_cast<float>((low | high << 4) - 32));
        });
        out += 256;
    }
}

// Scales 0 … 7 and minima 8 … 15 of Q4_K and Q5_K. Numbers 4 … 7 of each have their four low bits in c and their two
// high bits above number 0 … 3: the bits 9 in c and 0b10 in a, for example, are the scale 0x29.
struct ScalesAndMinima {
    float values[16];
    explicit ScalesAndMinima(Block block) {
        const auto a = get<std::uint32_t>(block + 4);
        const auto b = get<std::uint32_t>(block + 8);
        const auto c = get<std::uint32_t>(block + 12);
        const std::uint32_t packed[4] = {a & 0x3F3F'3F3FU, (c & 0x0F0F'0F0FU) | (a >> 2U & 0x3030'3030U),
                                         b & 0x3F3F'3F3FU, (c >> 4U & 0x0F0F'0F0FU) | (b >> 2U & 0x3030'3030U)};
        const float d = half(block);
        const float dmin = half(block + 2);
        for (std::size_t i = 0; i < 16; ++i) {
            const auto small = static_cast<int>(packed[i / 4] >> (i % 4 * 8) & 0xFFU);
            values[i] = (i < 8 ? d : dmin) * static_cast<float>(small);
        }
    }
};

void decodeQ4_K(Block block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 144) {
        const ScalesAndMinima scales(block);
        for (std::size_t pair = 0; pair < 4; ++pair, out += 64) {
            for (std::size_t i = 0; i < 32; i += 16) {
                const auto bytes = get<U8x16>(block + 16 + 32 * pair + i);
                put16(out + i, asSigned(lowNibbles(bytes)), scales.values[2 * pair], scales.values[8 + 2 * pair]);
                put16(out + 32 + i, asSigned(highNibbles(bytes)), scales.values[2 * pair + 1],
                      scales.values[9 + 2 * pair]);
            }
        }
    }
}

void decodeQ5_K(Block block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 176) {
        const ScalesAndMinima scales(block);
        unrolled(Times<16>(), [&](auto sixteen) {
            const std::size_t s = sixteen / 2;
            const std::size_t i = sixteen % 2 * 16;
            const auto bytes = get<U8x16>(block + 48 + s / 2 * 32 + i);
            const U8x16 fifth = (get<U8x16>(block + 16 + i) >> static_cast<std::uint8_t>(s) & 1) << 4;
            const U8x16 codes = s % 2 == 0 ? lowNibbles(bytes) : highNibbles(bytes);
            put16(out + 32 * s + i, asSigned(codes | fifth), scales.values[s], scales.values[8 + s]);
        });
        out += 256;
    }
}

void decodeQ6_K(Block block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 210) {
        const float d = half(block + 208);
        unrolled(Times<16>(), [&](auto s) {
            // Sub-block s of 16 weights: the first four of each half of 128 use the low nibbles.
            const std::size_t part = s / 8;
            const std::size_t at = s % 8 / 2;
            const auto bytes = get<U8x16>(block + 64 * part + at % 2 * 32 + s % 2 * 16);
            const auto high = get<U8x16>(block + 128 + 32 * part + s % 2 * 16);
            const U8x16 low = at < 2 ? lowNibbles(bytes) : highNibbles(bytes);
            const U8x16 codes = low | twoBits(high, static_cast<int>(2 * at)) << 4;
            put16(out + 16 * s, asSigned(codes) - 32, d * static_cast<float>(get<std::int8_t>(block + 192 + s)));
        });
        out += 256;
    }
}

void decodeIQ4_XS(Block block, std::size_t count, float* out) {
    const I8x16 levels = levels16(&gufo::kIq4Levels[0]);
    for (; count != 0; --count, block += 136) {
        const float d = half(block);
        const auto high = get<std::uint16_t>(block + 2);
        const auto low = get<std::uint32_t>(block + 4);
        for (std::size_t s = 0; s < 8; ++s, out += 32) {
            const std::uint32_t scale = (low >> (4 * s) & 15U) | (high >> (2 * s) & 3U) << 4U;
            const float factor = d * static_cast<float>(static_cast<int>(scale) - 32);
            const auto bytes = get<U8x16>(block + 8 + 16 * s);
            put16(out, lookUp(levels, lowNibbles(bytes)), factor);
            put16(out + 16, lookUp(levels, highNibbles(bytes)), factor);
        }
    }
}

// --- types of GGJT before version 3, and Q2_0: a byte holds neighbouring weights. kernels/scalar/simple_blocks.h
// specifies the formats.

inline U8x16 interleaveLow(U8x16 a, U8x16 b) {
    return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
inline U8x16 interleaveHigh(U8x16 a, U8x16 b) {
    return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

// The scales of a block: halves, or floats.
struct HalfScales {
    static constexpr std::size_t kBytes = 2;
    static float get(Block at) { return half(at); }
};
struct FloatScales {
    static constexpr std::size_t kBytes = 4;
    static float get(Block at) { return ::get<float>(at); }
};

// Whether a byte contains neighbouring weights, or weights i and i + 16.
enum class Nibbles { Neighbours, Halves };

// d × (q − 2^(bits − 1)), or d × q + m. A block has 32 weights of four bits. If there are fifth bits, they are in a
// word before them.
template<typename Scales, bool hasMinimum, bool hasFifthBits, Nibbles nibbles>
void decodeGgjt(Block block, std::size_t count, float* out) {
    constexpr std::size_t kWord = (hasMinimum ? 2 : 1) * Scales::kBytes;
    constexpr std::size_t kCodes = kWord + (hasFifthBits ? 4 : 0);
    constexpr std::int8_t kMiddle = hasFifthBits ? 16 : 8;
    for (; count != 0; --count, block += kCodes + 16, out += 32) {
        const auto bytes = get<U8x16>(block + kCodes);
        U8x16 first = lowNibbles(bytes);
        U8x16 second = highNibbles(bytes);
        if constexpr (nibbles == Nibbles::Neighbours) {
            const U8x16 low = first;
            first = interleaveLow(low, second);
            second = interleaveHigh(low, second);
        }
        if constexpr (hasFifthBits) {
            const auto fifths = get<std::uint32_t>(block + kWord);
            first |= maskOfBits(fifths) & 16;
            second |= maskOfBits(fifths >> 16U) & 16;
        }
        const float d = Scales::get(block);
        if constexpr (hasMinimum) {
            const float minimum = -Scales::get(block + Scales::kBytes);
            put16(out, asSigned(first), d, minimum);
            put16(out + 16, asSigned(second), d, minimum);
        } else {
            put16(out, asSigned(first) - kMiddle, d);
            put16(out + 16, asSigned(second) - kMiddle, d);
        }
    }
}

// Sixteen codes in eight bytes of two neighbours.
inline I8x16 eightPairs(Block from) {
    const auto bytes = get<std::uint64_t>(from);
    constexpr std::uint64_t kNibbles = 0x0F0F'0F0F'0F0F'0F0FU;
    return asSigned(interleaveLow(join(bytes & kNibbles, 0), join(bytes >> 4U & kNibbles, 0)));
}

void decodeQ4_2(Block block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 10, out += 16) {
        put16(out, eightPairs(block + 2) - 8, half(block));
    }
}

void decodeQ4_3(Block block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 12, out += 16) {
        put16(out, eightPairs(block + 4), half(block), -half(block + 2));
    }
}

void decodeQ8_0_GGJT1(Block block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 36, out += 32) {
        const auto d = get<float>(block);
        put16(out, get<I8x16>(block + 4), d);
        put16(out + 16, get<I8x16>(block + 20), d);
    }
}

void decodeQ2_0(Block block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 18, out += 64) {
        const float d = half(block);
        const auto bytes = get<U8x16>(block + 2);
        // Bytes of the codes of weights 4i, 4i + 2, and so on, which are interleaved twice.
        const U8x16 even[2] = {interleaveLow(twoBits(bytes, 0), twoBits(bytes, 4)),
                               interleaveHigh(twoBits(bytes, 0), twoBits(bytes, 4))};
        const U8x16 odd[2] = {interleaveLow(twoBits(bytes, 2), twoBits(bytes, 6)),
                              interleaveHigh(twoBits(bytes, 2), twoBits(bytes, 6))};
        for (std::size_t i = 0; i < 2; ++i) {
            put16(out + 32 * i, asSigned(interleaveLow(even[i], odd[i])) - 1, d);
            put16(out + 32 * i + 16, asSigned(interleaveHigh(even[i], odd[i])) - 1, d);
        }
    }
}

} // namespace
