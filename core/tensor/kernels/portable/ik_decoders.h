// Decoders of the types of ik_llama.cpp, based on the primitives of an instruction set (vectors.h). Those of types with
// a row header get the header of the blocks' row. kernels/scalar/ik_blocks.h specifies the formats.
#pragma once

#include "tensor/kernels/portable/decoders.h"

#include <array>

namespace {

inline int nibbleOf(Block packed, std::size_t s) { return static_cast<int>(packed[s / 2]) >> (s % 2 * 4) & 15; }
inline int byteOf(Block from, std::size_t i) { return static_cast<int>(from[i]); }

// Sixteen codes of two, four or one bit: the codes of weights 16 s … of 256. `s` is a constant: it determines shifts.
template<typename S>
inline U8x16 twoBitsOf(Block from, S s) {
    return twoBits(get<U8x16>(from + s / 8 * 32 + s % 2 * 16), static_cast<int>(s % 8 / 2 * 2));
}
template<typename S>
inline U8x16 fourBitsOf(Block from, S s) {
    const auto bytes = get<U8x16>(from + s / 4 * 32 + s % 2 * 16);
    return s % 4 < 2 ? lowNibbles(bytes) : highNibbles(bytes);
}
template<typename S>
inline U8x16 oneBitOf(Block from, S s) {
    return get<U8x16>(from + s % 2 * 16) >> static_cast<std::uint8_t>(s / 2) & 1;
}
// The same for four bits if each 16 bytes contain 32 weights; the first half of the weights is in the lower bits.
template<typename S>
inline U8x16 nibblesOf(Block from, S s) {
    const auto bytes = get<U8x16>(from + s / 2 * 16);
    return s % 2 == 0 ? lowNibbles(bytes) : highNibbles(bytes);
}

// A table of thirty-two levels. The fifth bits of the codes are in a vector of their own.
struct Levels32 {
    I8x16 first, second;

    explicit Levels32(const void* levels)
        : first(get<I8x16>(levels))
        , second(get<I8x16>(static_cast<const std::int8_t*>(levels) + 16)) {}
    [[nodiscard]] I8x16 of(U8x16 lower, U8x16 fifth) const {
        return asSigned(fifth) != 0 ? lookUp(second, lower) : lookUp(first, lower);
    }
};

// A table of sixty-four levels. The upper two bits of the codes are in a separate vector.
struct Levels64 {
    Levels32 first, second;

    explicit Levels64(const void* levels)
        : first(levels)
        , second(static_cast<const std::int8_t*>(levels) + 32) {}
    [[nodiscard]] I8x16 of(U8x16 lower, U8x16 upper) const {
        const U8x16 fifth = upper & 1;
        return asSigned(upper & 2) != 0 ? second.of(lower, fifth) : first.of(lower, fifth);
    }
};

// The two code books of a type as tables of sixteen levels each. Codes of two or three bits use only the first levels
// of each. A block selects books by their addresses.
template<std::size_t count>
constexpr std::array<std::int8_t, 32> booksOf16(const std::array<std::int8_t, count>& levels) {
    std::array<std::int8_t, 32> books{};
    for (std::size_t i = 0; i < count; ++i) {
        books[i / (count / 2) * 16 + i % (count / 2)] = levels[i];
    }
    return books;
}
constexpr std::array kIk2Books = booksOf16(gufo::kIk2Levels);
constexpr std::array kIk3Books = booksOf16(gufo::kIk3Levels);
constexpr std::array kIk4Books = booksOf16(gufo::kIk4Levels);
// Copies, because they are indexed in memory: the compiler would emit the shared originals in a file that is compiled
// for one instruction set (see the test kernel_linkage).
constexpr std::array kIk5Books = gufo::kIk5Levels;
constexpr std::array kIk6Books = gufo::kIk6Levels;

// Calls each(block, out) for every block of 256 weights.
template<std::size_t blockBytes, typename Each>
inline void forEachSuperBlock(Block block, std::size_t count, float* out, Each each) {
    for (; count != 0; --count, block += blockBytes, out += 256) {
        each(block, out);
    }
}

void decodeQ6_0(Block block, std::size_t count, float* out) {
    for (; count != 0; --count, block += 26, out += 32) {
        const float d = half(block);
        const auto upper = get<std::uint64_t>(block + 2);
        const auto bytes = get<U8x16>(block + 10);
        const U8x16 first = twoBits(join(upper, upper >> 4U), 0);
        const U8x16 second = twoBits(join(upper >> 2U, upper >> 6U), 0);
        put16(out, asSigned(lowNibbles(bytes) | first << 4) - 32, d);
        put16(out + 16, asSigned(highNibbles(bytes) | second << 4) - 32, d);
    }
}

void decodeIQ2_K(Block block, std::size_t count, float* out) {
    forEachSuperBlock<76>(block, count, out, [=](Block at, float* to) {
        const float d = half(at);
        const std::uint32_t books = get<std::uint16_t>(at + 2);
        unrolled(Times<16>(), [&](auto s) {
            const I8x16 levels = levels16(&kIk2Books[16 * (books >> s & 1U)]);
            put16(to + 16 * s, lookUp(levels, twoBitsOf(at + 12, s)), d * static_cast<float>(nibbleOf(at + 4, s) - 8));
        });
    });
}

void decodeIQ3_K(Block block, std::size_t count, float* out) {
    forEachSuperBlock<110>(block, count, out, [=](Block at, float* to) {
        const float d = half(at);
        const std::uint32_t books = get<std::uint16_t>(at + 2);
        const std::uint32_t negative = get<std::uint16_t>(at + 4);
        unrolled(Times<16>(), [&](auto s) {
            // Not a choice of two numbers, which would become a branch that random signs make slow.
            const int sign = 1 - 2 * static_cast<int>(negative >> s & 1U);
            const int scale = sign * (2 * nibbleOf(at + 6, s) + 1);
            const I8x16 levels = levels16(&kIk3Books[16 * (books >> s & 1U)]);
            const U8x16 codes = twoBitsOf(at + 14, s) | oneBitOf(at + 78, s) << 2;
            put16(to + 16 * s, lookUp(levels, codes), d * static_cast<float>(scale));
        });
    });
}

// The scales of IQ4_K and IQ5_K.
inline float ikScale(Block block, std::size_t s, float d) {
    const int upper = byteOf(block, 4 + s / 4) >> (s % 4 * 2) & 3;
    return d * static_cast<float>((nibbleOf(block + 8, s) | upper << 4) - 32);
}

void decodeIQ4_K(Block block, std::size_t count, float* out) {
    forEachSuperBlock<144>(block, count, out, [](Block at, float* to) {
        const float d = half(at);
        const std::uint32_t books = get<std::uint16_t>(at + 2);
        unrolled(Times<16>(), [&](auto s) {
            const I8x16 levels = levels16(&kIk4Books[16 * (books >> s & 1U)]);
            put16(to + 16 * s, lookUp(levels, nibblesOf(at + 16, s)), ikScale(at, s, d));
        });
    });
}

void decodeIQ5_K(Block block, std::size_t count, float* out) {
    forEachSuperBlock<176>(block, count, out, [](Block at, float* to) {
        const float d = half(at);
        const std::uint32_t books = get<std::uint16_t>(at + 2);
        unrolled(Times<16>(), [&](auto s) {
            const Levels32 levels(&kIk5Books[32 * (books >> s & 1U)]);
            put16(to + 16 * s, levels.of(fourBitsOf(at + 16, s), oneBitOf(at + 144, s)), ikScale(at, s, d));
        });
    });
}

void decodeIQ6_K(Block block, std::size_t count, float* out) {
    forEachSuperBlock<212>(block, count, out, [](Block at, float* to) {
        const float d = half(at);
        const std::uint32_t books = get<std::uint16_t>(at + 2);
        unrolled(Times<16>(), [&](auto s) {
            const Levels64 levels(&kIk6Books[64 * (books >> s & 1U)]);
            const float scale = d * static_cast<float>(get<std::int8_t>(at + 4 + s));
            put16(to + 16 * s, levels.of(fourBitsOf(at + 20, s), twoBitsOf(at + 148, s)), scale);
        });
    });
}

void decodeIQ2_KS(Block header, Block block, std::size_t count, float* out) {
    const float d = half(header);
    forEachSuperBlock<70>(block, count, out, [=](Block at, float* to) {
        const unsigned extra = get<std::uint16_t>(at);
        unrolled(Times<16>(), [&](auto s) {
            const std::size_t of32 = s / 2;
            const int scale = nibbleOf(at + 2, of32) | static_cast<int>(extra >> (8 + of32) & 1U) << 4;
            const I8x16 levels = levels16(&kIk2Books[16 * (extra >> of32 & 1U)]);
            put16(to + 16 * s, lookUp(levels, twoBitsOf(at + 6, s)), d * static_cast<float>(scale - 16));
        });
    });
}

void decodeIQ3_KS(Block header, Block block, std::size_t count, float* out) {
    const float d = half(header);
    forEachSuperBlock<102>(block, count, out, [=](Block at, float* to) {
        const unsigned extra = get<std::uint16_t>(at);
        unrolled(Times<16>(), [&](auto s) {
            const std::size_t of32 = s / 2;
            const int scale = (byteOf(at, 2 + of32 % 4) >> (of32 / 4 * 4) & 15) | static_cast<int>(extra >> of32 & 1U)
                                                                                      << 4;
            const I8x16 levels = levels16(&kIk3Books[16 * (extra >> (8 + of32) & 1U)]);
            const U8x16 codes = twoBitsOf(at + 6, s) | oneBitOf(at + 70, s) << 2;
            put16(to + 16 * s, lookUp(levels, codes), d * static_cast<float>(scale - 16));
        });
    });
}

// The scale of 32 weights in IQ4_KS, IQ4_KSS and IQ5_KS. The lowest bit of the byte selects the code book.
inline float ikByteScale(float d, int byte) { return d * static_cast<float>((byte & 254) - 127); }

inline void putIk4(float* out, U8x16 bytes, int scaleByte, float d) {
    const I8x16 levels = levels16(&kIk4Books[static_cast<std::size_t>(16 * (scaleByte & 1))]);
    const float scale = ikByteScale(d, scaleByte);
    put16(out, lookUp(levels, lowNibbles(bytes)), scale);
    put16(out + 16, lookUp(levels, highNibbles(bytes)), scale);
}

void decodeIQ4_KS(Block header, Block block, std::size_t count, float* out) {
    const auto d = get<float>(header);
    forEachSuperBlock<136>(block, count, out, [=](Block at, float* to) {
        for (std::size_t s = 0; s < 8; ++s) {
            putIk4(to + 32 * s, get<U8x16>(at + 8 + 16 * s), byteOf(at, s), d);
        }
    });
}

// The lowest bits of four 16-bit words. The multiplication moves bit 16 k to bit 48 + k: words with the lowest bits 1,
// 0, 1 and 1 give 0b1101 = 13.
inline int lowestBits(std::uint64_t words) {
    return static_cast<int>((words & 0x0001'0001'0001'0001U) * 0x0001'0002'0004'0008U >> 48U & 15U);
}

void decodeIQ4_KSS(Block header, Block block, std::size_t count, float* out) {
    using U16x8 = std::uint16_t __attribute__((vector_size(16)));
    const auto d = get<float>(header);
    forEachSuperBlock<128>(block, count, out, [=](Block at, float* to) {
        for (std::size_t s = 0; s < 8; ++s) {
            const auto words = get<U16x8>(at + 16 * s);
            const U16x8 even = words & 0xFFFE;
            const int scale =
                lowestBits(get<std::uint64_t>(at + 16 * s)) | lowestBits(get<std::uint64_t>(at + 16 * s + 8)) << 4;
            putIk4(to + 32 * s, reinterpret_cast<U8x16>(even ^ even >> 1), scale, d);
        }
    });
}

void decodeIQ5_KS(Block header, Block block, std::size_t count, float* out) {
    const auto d = get<float>(header);
    forEachSuperBlock<168>(block, count, out, [=](Block at, float* to) {
        unrolled(Times<16>(), [&](auto s) {
            const int scale = byteOf(at, s / 2);
            const Levels32 levels(&kIk5Books[static_cast<std::size_t>(32 * (scale & 1))]);
            put16(to + 16 * s, levels.of(fourBitsOf(at + 8, s), oneBitOf(at + 136, s)), ikByteScale(d, scale));
        });
    });
}

void decodeIQ2_KL(Block header, Block block, std::size_t count, float* out) {
    const Levels32 pairs(&gufo::kIkPairs[0]);
    const I8x16 levels = reinterpret_cast<I8x16>(join(get<std::uint64_t>(&gufo::kIkPairLevels), 0));
    const float d = half(header);
    forEachSuperBlock<86>(block, count, out, [=](Block at, float* to) {
        const int upper = get<std::uint16_t>(at);
        unrolled(Times<8>(), [&](auto s) {
            const int scale = (byteOf(at, 2 + s % 4) >> (s / 4 * 4) & 15) | (upper >> (2 * s) & 3) << 4;
            const float factor = d * static_cast<float>(scale - 32);
            const U8x16 fifth = get<U8x16>(at + 70) >> static_cast<std::uint8_t>(s) & 1;
            const auto both = reinterpret_cast<U8x16>(pairs.of(nibblesOf(at + 6, s), fifth));
            const I8x16 a = lookUp(levels, both & 7);
            const I8x16 b = lookUp(levels, both >> 3);
            put16(to + 32 * s, __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
                  factor);
            put16(to + 32 * s + 16,
                  __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31), factor);
        });
    });
}

// Sixteen weights have three bytes of five ternary digits, the lowest one first, and one digit of the last byte.
void decodeIQ1_BN(Block header, Block block, std::size_t count, float* out) {
    const U8x16 byteOfDigit = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 12};
    const U8x16 afterFirst = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0};
    const U8x16 powers = {81, 27, 9, 3, 1, 81, 27, 9, 3, 1, 81, 27, 9, 3, 1, 0};
    constexpr std::uint8_t kLastPowers[4] = {81, 27, 9, 3};
    const float d = half(header);
    for (; count != 0; --count, block += 13, out += 64) {
        const std::uint64_t rest = get<std::uint32_t>(block + 8) | static_cast<std::uint64_t>(block[12]) << 32U;
        const U8x16 bytes = join(get<std::uint64_t>(block), rest);
        unrolled(Times<4>(), [&](auto group) {
            U8x16 power = powers;
            power[15] = kLastPowers[group];
            const U8x16 from = byteOfDigit + afterFirst * static_cast<std::uint8_t>(group);
            const auto picked = reinterpret_cast<U8x16>(lookUp(asSigned(bytes), from));
            put16(out + 16 * group, ternaryLevels(picked * power), d);
        });
    }
}

void decodeIQ2_BN(Block header, Block block, std::size_t count, float* out) {
    const auto d = get<float>(header);
    for (; count != 0; --count, block += 16, out += 64) {
        const auto bytes = get<U8x16>(block);
        unrolled(Times<4>(), [&](auto part) {
            put16(out + 16 * part, asSigned(twoBits(bytes, static_cast<int>(2 * part))) - 1, d);
        });
    }
}

} // namespace
