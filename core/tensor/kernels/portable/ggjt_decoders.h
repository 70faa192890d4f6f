// Decoders of the types of files from before version 3 of GGJT, and of Q2_0, whose neighbouring weights share a byte
// as theirs do. kernels/scalar/ggjt_blocks.h specifies the formats.
#pragma once

#include "tensor/kernels/portable/decoders.h"

namespace {

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
