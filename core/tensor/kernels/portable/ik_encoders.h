// Encoders of ik_llama.cpp's types with code books (kernels/scalar/ik_blocks.h specifies the layouts).
#pragma once

#include "tensor/kernels/portable/ik_levels.h"

#include <bit>
#include <memory>

namespace {

// A block of 256 weights: the number of each sub-block's factor, its book, and the codes.
struct ChosenBlock {
    std::uint16_t d; // a half; of types without a row header
    Code factors[16];
    unsigned books; // bit s is the book of sub-block s
    const Code* codes;
};

constexpr float kIk2Peaks[] = {-31, -27, -24, -35, -40, -46, 17, 15, 20, 23, 26};
constexpr float kIk3Peaks[] = {-63, -58, -52, -68, -74, 47, 43, 51, 55, 60};
constexpr float kIk4Peaks[] = {-127, -120, -113, -134, -142, 113, 107, 100, 119, 126};
constexpr float kIk5Peaks[] = {-126, -123, -119, -129, 121, 118, 114, 124};
constexpr float kIk6Peaks[] = {-127, -125, -128.5F, 122, 120, 123.5F};
constexpr float kIkPairPeaks[] = {-63, -58, -52, -47, -42, -68, -74, 47, 43, 39, 35, 51, 55, 60};

// Packs the lower four bits of each sixteen codes and the next sixteen, block by block of 32.
inline void packNibblesOf32(const Code* codes, std::byte* to) {
    for (std::size_t s = 0; s < 8; ++s) {
        packNibbles(codes + 32 * s, 16, to + 16 * s);
    }
}
// The same for each 32 codes and the next 32.
inline void packNibblesOf64(const Code* codes, std::byte* to) {
    for (std::size_t s = 0; s < 4; ++s) {
        packNibbles(codes + 64 * s, 32, to + 32 * s);
    }
}
// Packs the lower four bits of `count` numbers, two in each byte, the first in the lower half.
inline void packNeighbours(const Code* numbers, std::size_t count, std::byte* to) {
    for (std::size_t s = 0; s < count; s += 2) {
        to[s / 2] = static_cast<std::byte>((numbers[s] & 15U) | (numbers[s + 1] & 15U) << 4U);
    }
}
// Bit `bit` of each of eight numbers.
inline unsigned bitsOfEight(const Code* numbers, unsigned bit) {
    unsigned bits = 0;
    for (std::size_t s = 0; s < 8; ++s) {
        bits |= (numbers[s] >> bit & 1U) << s;
    }
    return bits;
}

// --- d in each block

struct FormatIQ2_K {
    using Coder = TwoBooks<Ik2Book, 16>;
    static constexpr auto& kPeaks = kIk2Peaks;
    static constexpr int kFirst = -8, kStep = 1, kCount = 16;
    static constexpr float kLargest[] = {-8, -7.5F, -7, -6.5F, -8.5F, 7, 6.5F, 6, 7.5F};
    static constexpr bool kHalfScale = true;
    static constexpr int kReach = 2, kMirrored = 2;
    static constexpr std::array<float, 2> kNear{0.015F, 0.03F};
    static constexpr std::size_t kBlockBytes = 76;
    static void pack(const ChosenBlock& block, std::byte* to) {
        put(to, block.d);
        put(to + 2, static_cast<std::uint16_t>(block.books));
        packNeighbours(block.factors, 16, to + 4);
        packPairsOfBits(block.codes, 0, to + 12);
    }
};

struct FormatIQ3_K {
    using Coder = TwoBooks<Ik3Book, 16>;
    static constexpr auto& kPeaks = kIk3Peaks;
    static constexpr int kFirst = -31, kStep = 2, kCount = 32;
    static constexpr float kLargest[] = {31, 30, 29, 28, 27, 32.5F};
    static constexpr bool kHalfScale = true;
    static constexpr int kReach = 2, kMirrored = 2;
    static constexpr std::array<float, 2> kNear{0.01F, 0.02F};
    static constexpr std::size_t kBlockBytes = 110;
    static void pack(const ChosenBlock& block, std::byte* to) {
        Code magnitudes[16];
        unsigned negative = 0;
        for (std::size_t s = 0; s < 16; ++s) { // numbers 0 … 15 are −31, −29, …, −1
            const unsigned number = block.factors[s];
            negative |= (number < 16 ? 1U : 0U) << s;
            magnitudes[s] = static_cast<Code>(number < 16 ? 15 - number : number - 16);
        }
        put(to, block.d);
        put(to + 2, static_cast<std::uint16_t>(block.books));
        put(to + 4, static_cast<std::uint16_t>(negative));
        packNeighbours(magnitudes, 16, to + 6);
        packPairsOfBits(block.codes, 0, to + 14);
        packSingleBits(block.codes, 2, to + 78);
    }
};

// The scales of IQ4_K and IQ5_K.
struct SixBitScales {
    static constexpr int kFirst = -32, kStep = 1, kCount = 64;
    static constexpr float kLargest[] = {-32, -31, -30, -29, 31, 30, 29};
    static constexpr bool kHalfScale = true;
    static void packHead(const ChosenBlock& block, std::byte* to) {
        put(to, block.d);
        put(to + 2, static_cast<std::uint16_t>(block.books));
        for (std::size_t s = 0; s < 4; ++s) {
            const Code* const four = block.factors + 4 * s;
            to[4 + s] =
                static_cast<std::byte>(four[0] >> 4U | four[1] >> 4U << 2U | four[2] >> 4U << 4U | four[3] >> 4U << 6U);
        }
        packNeighbours(block.factors, 16, to + 8);
    }
};

struct FormatIQ4_K : SixBitScales {
    using Coder = TwoBooks<Ik4Book, 16>;
    static constexpr auto& kPeaks = kIk4Peaks;
    static constexpr int kReach = 7, kMirrored = 7;
    static constexpr std::array<float, 1> kNear{0.008F};
    static constexpr std::size_t kBlockBytes = 144;
    static void pack(const ChosenBlock& block, std::byte* to) {
        packHead(block, to);
        packNibblesOf32(block.codes, to + 16);
    }
};

struct FormatIQ5_K : SixBitScales {
    using Coder = TwoBooks<Ik5Book, 16>;
    static constexpr auto& kPeaks = kIk5Peaks;
    static constexpr int kReach = 12, kMirrored = 12;
    static constexpr std::array<float, 1> kNear{0.01F};
    static constexpr std::size_t kBlockBytes = 176;
    static void pack(const ChosenBlock& block, std::byte* to) {
        packHead(block, to);
        packNibblesOf64(block.codes, to + 16);
        packSingleBits(block.codes, 4, to + 144);
    }
};

struct FormatIQ6_K {
    using Coder = TwoBooks<Ik6Book, 16>;
    static constexpr auto& kPeaks = kIk6Peaks;
    static constexpr int kFirst = -127, kStep = 1, kCount = 255;
    static constexpr float kLargest[] = {127, 124, 121};
    static constexpr bool kHalfScale = true;
    static constexpr int kReach = 40, kMirrored = 40;
    static constexpr std::array<float, 1> kNear{0.004F};
    static constexpr std::size_t kBlockBytes = 212;
    static void pack(const ChosenBlock& block, std::byte* to) {
        put(to, block.d);
        put(to + 2, static_cast<std::uint16_t>(block.books));
        for (std::size_t s = 0; s < 16; ++s) {
            to[4 + s] = static_cast<std::byte>(block.factors[s] + kFirst);
        }
        packNibblesOf64(block.codes, to + 20);
        packPairsOfBits(block.codes, 4, to + 148);
    }
};

// --- d in the header of each row

// The factors of IQ2_KS and IQ3_KS.
struct FiveBitScales {
    static constexpr int kFirst = -16, kStep = 1, kCount = 32;
    static constexpr float kLargest[] = {-16, -15.3F, -14.6F, -14, -13.3F, -12.6F, -12, -17.5F, -19.5F, -22,
                                         15,  14.3F,  13.6F,  13,  12.3F,  11.6F,  11,  16.5F,  18.5F,  21};
    static constexpr bool kHalfScale = true;
};

struct FormatIQ2_KS : FiveBitScales {
    using Coder = TwoBooks<Ik2Book, 32>;
    static constexpr auto& kPeaks = kIk2Peaks;
    static constexpr int kReach = 4, kMirrored = 4;
    static constexpr std::array<float, 3> kNear{0.01F, 0.02F, 0.03F};
    static constexpr std::size_t kBlockBytes = 70;
    static void pack(const ChosenBlock& block, std::byte* to) {
        put(to, static_cast<std::uint16_t>(block.books | bitsOfEight(block.factors, 4) << 8U));
        packNeighbours(block.factors, 8, to + 2);
        packPairsOfBits(block.codes, 0, to + 6);
    }
};

struct FormatIQ3_KS : FiveBitScales {
    using Coder = TwoBooks<Ik3Book, 32>;
    static constexpr auto& kPeaks = kIk3Peaks;
    static constexpr int kReach = 4, kMirrored = 4;
    static constexpr std::array<float, 2> kNear{0.015F, 0.03F};
    static constexpr std::size_t kBlockBytes = 102;
    static void pack(const ChosenBlock& block, std::byte* to) {
        put(to, static_cast<std::uint16_t>(bitsOfEight(block.factors, 4) | block.books << 8U));
        packNibbles(block.factors, 4, to + 2);
        packPairsOfBits(block.codes, 0, to + 6);
        packSingleBits(block.codes, 2, to + 70);
    }
};

// The scales of IQ4_KS, IQ4_KSS and IQ5_KS, in a byte whose lowest bit is the book.
struct ByteScales {
    static constexpr int kFirst = -127, kStep = 2, kCount = 128;
    static constexpr float kLargest[] = {127, 120, 113, 106, 99, 138, 152};
    static constexpr bool kHalfScale = false;
    static unsigned scaleByte(const ChosenBlock& block, std::size_t s) {
        return block.factors[s] * 2U | (block.books >> s & 1U);
    }
    static void packScales(const ChosenBlock& block, std::byte* to) {
        for (std::size_t s = 0; s < 8; ++s) {
            to[s] = static_cast<std::byte>(scaleByte(block, s));
        }
    }
};

struct FormatIQ4_KS : ByteScales {
    using Coder = TwoBooks<Ik4Book, 32>;
    static constexpr auto& kPeaks = kIk4Peaks;
    static constexpr int kReach = 6, kMirrored = 4;
    static constexpr std::array<float, 0> kNear{};
    static constexpr std::size_t kBlockBytes = 136;
    static void pack(const ChosenBlock& block, std::byte* to) {
        packScales(block, to);
        packNibblesOf32(block.codes, to + 8);
    }
};

struct FormatIQ5_KS : ByteScales {
    using Coder = TwoBooks<Ik5Book, 32>;
    static constexpr auto& kPeaks = kIk5Peaks;
    static constexpr int kReach = 12, kMirrored = 12;
    static constexpr std::array<float, 0> kNear{};
    static constexpr std::size_t kBlockBytes = 168;
    static void pack(const ChosenBlock& block, std::byte* to) {
        packScales(block, to);
        packNibblesOf64(block.codes, to + 8);
        packSingleBits(block.codes, 4, to + 136);
    }
};

struct FormatIQ4_KSS : ByteScales {
    using Coder = EvenBooks;
    static constexpr auto& kPeaks = kIk4Peaks;
    static constexpr int kReach = 5, kMirrored = 3;
    static constexpr std::array<float, 0> kNear{};
    static constexpr std::size_t kBlockBytes = 128;
    // The decoder makes word ^ word >> 1 of each word, which the exclusive or of all its shifts undoes. The lowest bit
    // of the result is 0, because the number of bits is even, and makes room for one of the scale's.
    static void pack(const ChosenBlock& block, std::byte* to) {
        for (std::size_t s = 0; s < 8; ++s) {
            std::byte nibbles[16];
            packNibbles(block.codes + 32 * s, 16, nibbles);
            const unsigned scale = scaleByte(block, s);
            for (std::size_t w = 0; w < 8; ++w) {
                unsigned word = static_cast<unsigned>(nibbles[2 * w]) | static_cast<unsigned>(nibbles[2 * w + 1]) << 8U;
                word ^= word >> 1U;
                word ^= word >> 2U;
                word ^= word >> 4U;
                word ^= word >> 8U;
                put(to + 16 * s + 2 * w, static_cast<std::uint16_t>(word | (scale >> w & 1U)));
            }
        }
    }
};

struct FormatIQ2_KL {
    using Coder = PairBook;
    static constexpr auto& kPeaks = kIkPairPeaks;
    static constexpr int kFirst = -32, kStep = 1, kCount = 64;
    static constexpr float kLargest[] = {-32, -30, -28, -26, -24, -35, -39, 31, 29, 27, 25, 23, 34, 38};
    static constexpr bool kHalfScale = true;
    static constexpr int kReach = 7, kMirrored = 7;
    static constexpr std::array<float, 1> kNear{0.01F};
    static constexpr std::size_t kBlockBytes = 86;
    static void pack(const ChosenBlock& block, std::byte* to) {
        unsigned upper = 0;
        for (std::size_t s = 0; s < 8; ++s) {
            upper |= static_cast<unsigned>(block.factors[s] >> 4U) << (2 * s);
        }
        put(to, static_cast<std::uint16_t>(upper));
        packNibbles(block.factors, 4, to + 2);
        for (std::size_t j = 0; j < 16; ++j) {
            unsigned fifth = 0;
            for (std::size_t s = 0; s < 8; ++s) {
                fifth |= static_cast<unsigned>(block.codes[32 * s + j] >> 4U) << s;
            }
            to[70 + j] = static_cast<std::byte>(fifth);
            for (std::size_t s = 0; s < 8; s += 2) {
                to[6 + 8 * s + j] = static_cast<std::byte>((block.codes[32 * s + j] & 15U) |
                                                           (block.codes[32 * s + 32 + j] & 15U) << 4U);
            }
        }
    }
};

// --- the functions of the table Kernels::encode

// Packs the blocks of a group. `d` is a half, unless it is in the row header.
template<typename Format>
inline void packGroup(const FactorSearch<Format>& search, std::size_t g, float d, std::size_t blocks, std::byte* out) {
    constexpr std::size_t kSegment = 256 / Format::Coder::kCount;
    GroupCodes codes;
    LaneInts books{};
    Format::Coder::codes(search.groups[g].group, search.scales(g), codes, books);
    for (std::size_t b = 0; b < blocks; ++b) {
        ChosenBlock block{.d = Format::kHalfScale ? halfBits(d) : std::uint16_t{0},
                          .factors = {},
                          .books = 0,
                          .codes = codes.codes + 256 * b};
        for (std::size_t s = 0; s < kSegment; ++s) {
            block.factors[s] = static_cast<Code>(search.groups[g].factors[b * kSegment + s]);
            block.books |= static_cast<unsigned>(books[b * kSegment + s]) << s;
        }
        Format::pack(block, out + b * Format::kBlockBytes);
    }
}

// For types whose blocks have a d of their own. A block of sixteen sub-blocks is a group.
template<typename Format>
inline void encodeFactored(const float* x, std::size_t blocks, const float* importance, std::size_t columns,
                           std::byte* out) {
    static_assert(Format::Coder::kCount * kLanes == 256);
    SearchedGroup group;
    for (std::size_t b = 0; b < blocks; ++b) {
        loadGroup<Format::Coder::kCount>(group.group, x + 256 * b, kLanes, {importance, columns}, 256 * b);
        FactorSearch<Format> search{&group, 1};
        const float d = search.run();
        packGroup(search, 0, d, 1, out + b * Format::kBlockBytes);
    }
}

// For types whose d is in the header of a row. A group has two blocks.
template<typename Format>
inline void encodeFactoredRow(const float* x, std::size_t blocks, const float* importance, std::size_t columns,
                              std::byte* out) {
    static_assert(Format::Coder::kCount * kLanes == 512);
    const auto blocksOf = [&](std::size_t g) { return blocks - 2 * g < 2 ? blocks - 2 * g : 2; };
    const std::size_t count = (blocks + 1) / 2;
    // Not a vector, whose cleanup after exceptions would be a symbol that instruction sets share (kernel_linkage).
    const std::unique_ptr<SearchedGroup[]> groups(new SearchedGroup[count]);
    for (std::size_t g = 0; g < count; ++g) {
        loadGroup<Format::Coder::kCount>(groups[g].group, x + 512 * g, 8 * blocksOf(g), {importance, columns}, 512 * g);
    }
    FactorSearch<Format> search{groups.get(), count};
    const float d = search.run();
    std::byte* to = out;
    if constexpr (Format::kHalfScale) {
        put(to, halfBits(d));
        to += 2;
    } else {
        put(to, std::bit_cast<std::uint32_t>(d));
        to += 4;
    }
    for (std::size_t g = 0; g < count; ++g) {
        packGroup(search, g, d, blocksOf(g), to + 2 * g * Format::kBlockBytes);
    }
}

} // namespace
