// The types with code books, ternary digits and single bits, in the same form as the other types in int8_types.h.
//
// Types with separate signs also provide the parts from which codes(block) is looked up: table(); entries(block), the
// indices into the table without signs; and marks(block), which has one bit per weight, set if kMark is added to the
// weight's index because the weight is negative (for IQ1: shifted down).
#pragma once

#include "tensor/kernels/portable/int8_types.h"

namespace {

using U16x16 = std::uint16_t __attribute__((vector_size(32)));

// For each of eight blocks, expands four groups of seven stored sign bits to the signs of 32 weights (gufo::signMask).
// The eighth sign of a group is the parity of the others: 0x07, three minus signs, becomes 0x87.
inline U32x8 signsOf(U32x8 stored28) {
    const U32x8 spread =
        (stored28 & 0x7F) | (stored28 << 1 & 0x7F00) | (stored28 << 2 & 0x7F'0000) | (stored28 << 3 & 0x7F00'0000);
    U32x8 odd = spread ^ spread >> 4;
    odd ^= odd >> 2;
    odd ^= odd >> 1;
    return spread | (odd & 0x0101'0101) << 7;
}

// A table of magnitudes with both signs, plus an offset: magnitude c is at index c, its negative at c + `negative`.
template<std::uint8_t negative, unsigned offset, std::size_t count>
inline I8x16 signedTable(const std::array<std::int8_t, count>& magnitudes) {
    static_assert(count <= negative && 2 * negative <= 16);
    I8x16 table{};
    for (std::size_t i = 0; i < count; ++i) {
        table[i] = static_cast<std::int8_t>(static_cast<int>(offset) + magnitudes[i]);
        table[i + negative] = static_cast<std::int8_t>(static_cast<int>(offset) - magnitudes[i]);
    }
    return table;
}

template<typename Type>
inline Bytes markedCodes(const Type& run, std::size_t block) {
    return lookUp(Type::table(), run.entries(block) | (maskOf(run.marks(block)) & Type::kMark));
}

// Looks up four entries of eight weights, or eight entries of four weights, with the indices index(0), index(1), ….
template<std::size_t count, typename Index>
inline Bytes fourEntries(const std::array<std::uint64_t, count>& grid, const Index& index) {
    return eights(&grid[index(0)], &grid[index(1)], &grid[index(2)], &grid[index(3)]);
}
template<std::size_t count, typename Index>
inline Bytes eightEntries(const std::array<std::uint32_t, count>& grid, const Index& index) {
    const auto at = [&](std::size_t i) { return &grid[index(i)]; };
    return fours(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7));
}

// Converts one number per block to floats.
inline F32x8 floatsOf(U32x8 small) { return __builtin_convertvector(reinterpret_cast<I32x8>(small), F32x8); }
// Loads eight 16-bit numbers.
inline U32x8 widened(const std::byte* from) {
    const auto at = [from](std::size_t i) { return std::uint32_t{get<std::uint16_t>(from + 2 * i)}; };
    return U32x8{at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)};
}

// --- entries of eight weights with 2-bit magnitudes

template<TensorType type, std::size_t runBytes, bool per16>
struct Iq2Run : Run<type, runBytes, 64, 64 + 43, per16> {
    using Run<type, runBytes, 64, 64 + 43, per16>::Run;

    static constexpr std::uint8_t kMark = 4;
    static I8x16 table() { return signedTable<kMark, 64>(gufo::kIq2Magnitudes); }

protected:
    // (0.5 + scale) / 4
    [[nodiscard]] F32x8 quarters(F32x8 scales) const { return (scales + 0.5F) * 0.25F * half(this->at); }
};

struct IQ2_XXS : Iq2Run<TensorType::IQ2_XXS, 66, false> {
    U32x8 words;
    U32x8 signs;
    explicit IQ2_XXS(const std::byte* run)
        : Iq2Run(run)
        , words(__builtin_shufflevector(get<U32x8>(run + 2), get<U32x8>(run + 34), 1, 3, 5, 7, 9, 11, 13, 15))
        , signs(signsOf(words)) {
        putInMemory(signs);
    }
    [[nodiscard]] F32x8 scales(std::size_t /*half*/) const { return quarters(floatsOf(words >> 28)); }
    [[nodiscard]] Bytes entries(std::size_t block) const {
        const auto index = [indices = at + 2 + 8 * block](std::size_t i) { return get<std::uint8_t>(indices + i); };
        return fourEntries(gufo::kIq2XxsBytes, index);
    }
    [[nodiscard]] std::uint32_t marks(std::size_t block) const { return signs[block]; }
    [[nodiscard]] Bytes codes(std::size_t block) const { return markedCodes(*this, block); }
};

struct IQ2_XS : Iq2Run<TensorType::IQ2_XS, 74, true> {
    U16x16 indices[2];
    alignas(32) std::uint8_t signs[32];
    explicit IQ2_XS(const std::byte* run)
        : Iq2Run(run) {
        for (std::size_t i = 0; i < 2; ++i) {
            const auto words = get<U16x16>(run + 2 + 32 * i);
            indices[i] = words & 511;
            const U16x16 stored = words >> 9;
            U16x16 odd = stored ^ stored >> 4;
            odd ^= odd >> 2;
            odd ^= odd >> 1;
            const auto bytes = __builtin_convertvector(stored | (odd & 1) << 7, U8x16);
            std::memcpy(signs + 16 * i, &bytes, sizeof bytes);
        }
        putInMemory(indices);
        putInMemory(signs);
    }
    [[nodiscard]] F32x8 scales(std::size_t half_) const {
        return quarters(floatsOf(spreadNibbles(get<std::uint32_t>(at + 66 + 4 * half_))));
    }
    [[nodiscard]] Bytes entries(std::size_t block) const {
        return fourEntries(gufo::kIq2XsBytes, [&](std::size_t i) { return indices[block / 4][block % 4 * 4 + i]; });
    }
    [[nodiscard]] std::uint32_t marks(std::size_t block) const { return get<std::uint32_t>(signs + 4 * block); }
    [[nodiscard]] Bytes codes(std::size_t block) const { return markedCodes(*this, block); }
};

// Combines the low and high bytes of sixteen 16-bit numbers.
inline U16x16 below(U8x16 low, U8x16 high) {
    return __builtin_convertvector(low, U16x16) | __builtin_convertvector(high, U16x16) << 8;
}

struct IQ2_S : Iq2Run<TensorType::IQ2_S, 82, true> {
    U16x16 indices[2];
    explicit IQ2_S(const std::byte* run)
        : Iq2Run(run) {
        const Bytes upper = twoBitFields(get<std::uint64_t>(run + 66));
        for (std::size_t i = 0; i < 2; ++i) {
            indices[i] =
                below(get<U8x16>(run + 2 + 16 * i), get<U8x16>(reinterpret_cast<const char*>(&upper) + 16 * i));
        }
        putInMemory(indices);
    }
    [[nodiscard]] F32x8 scales(std::size_t half_) const {
        return quarters(floatsOf(spreadNibbles(get<std::uint32_t>(at + 74 + 4 * half_))));
    }
    [[nodiscard]] Bytes entries(std::size_t block) const {
        return fourEntries(gufo::kIq2SBytes, [&](std::size_t i) { return indices[block / 4][block % 4 * 4 + i]; });
    }
    [[nodiscard]] std::uint32_t marks(std::size_t block) const { return get<std::uint32_t>(at + 34 + 4 * block); }
    [[nodiscard]] Bytes codes(std::size_t block) const { return markedCodes(*this, block); }
};

// --- entries of four weights with 3-bit magnitudes

struct IQ3_XXS : Run<TensorType::IQ3_XXS, 98, 64, 64 + 62> {
    U32x8 words;
    U32x8 signs;
    explicit IQ3_XXS(const std::byte* run)
        : Run(run)
        , words(get<U32x8>(run + 66))
        , signs(signsOf(words)) {
        putInMemory(signs);
    }
    [[nodiscard]] F32x8 scales(std::size_t /*half*/) const { return (floatsOf(words >> 28) + 0.5F) * 0.5F * half(at); }
    static constexpr std::uint8_t kMark = 8;
    static I8x16 table() { return signedTable<kMark, kOffset>(gufo::kIq3XxsMagnitudes); }
    [[nodiscard]] Bytes entries(std::size_t block) const {
        const auto index = [indices = at + 2 + 8 * block](std::size_t i) { return get<std::uint8_t>(indices + i); };
        return eightEntries(gufo::kIq3XxsBytes, index);
    }
    [[nodiscard]] std::uint32_t marks(std::size_t block) const { return signs[block]; }
    [[nodiscard]] Bytes codes(std::size_t block) const { return markedCodes(*this, block); }
};

struct IQ3_S : Run<TensorType::IQ3_S, 110, 16, 16 + 15> {
    U16x16 indices[4];
    explicit IQ3_S(const std::byte* run)
        : Run(run) {
        for (std::size_t i = 0; i < 2; ++i) {
            const Bytes upper = maskOf(get<std::uint32_t>(run + 66 + 4 * i)) & 1;
            for (std::size_t k = 0; k < 2; ++k) {
                indices[2 * i + k] = below(get<U8x16>(run + 2 + 32 * i + 16 * k),
                                           get<U8x16>(reinterpret_cast<const char*>(&upper) + 16 * k));
            }
        }
        putInMemory(indices);
    }
    [[nodiscard]] F32x8 scales(std::size_t /*half*/) const {
        return (floatsOf(spreadNibbles(get<std::uint32_t>(at + 106))) * 2.0F + 1.0F) * half(at);
    }
    static constexpr std::uint8_t kMark = 8;
    static I8x16 table() { return signedTable<kMark, kOffset>(gufo::kIq3SMagnitudes); }
    [[nodiscard]] Bytes entries(std::size_t block) const {
        return eightEntries(gufo::kIq3SBytes, [&](std::size_t i) { return indices[block / 2][block % 2 * 8 + i]; });
    }
    [[nodiscard]] std::uint32_t marks(std::size_t block) const { return get<std::uint32_t>(at + 74 + 4 * block); }
    [[nodiscard]] Bytes codes(std::size_t block) const { return markedCodes(*this, block); }
};

// --- entries of eight ternary weights, shifted by an eighth

template<TensorType type, std::size_t runBytes, bool per16>
struct Iq1Run : Run<type, runBytes, 16, 25, per16> {
    U32x8 indices[4]; // one vector for each quarter of a block: eight weights
    U32x8 down{};     // one bit per weight of a block, set if its shift is negative

    // `bits` has, for each block of 32, four times three upper index bits, which are `fieldStride` bits apart.
    Iq1Run(const std::byte* run, const std::byte* low, U32x8 bits, int fieldStride)
        : Run<type, runBytes, 16, 25, per16>(run) {
        const auto bytes = get<U32x8>(low);
        for (int i = 0; i < 4; ++i) {
            indices[i] = (bytes >> (8 * i) & 255) | (bits >> (fieldStride * i) & 7) << 8;
        }
        putInMemory(indices);
    }
    static constexpr std::uint8_t kMark = 4;
    // In eighths: 8 × (ternary − 1), plus one, or minus one from index 4 on.
    static I8x16 table() { return I8x16{16 - 7, 16 + 1, 16 + 9, 0, 16 - 9, 16 - 1, 16 + 7}; }
    [[nodiscard]] Bytes entries(std::size_t block) const {
        return fourEntries(gufo::kIq1Bytes, [&](std::size_t i) { return indices[i][block]; });
    }
    [[nodiscard]] std::uint32_t marks(std::size_t block) const { return down[block]; }
    [[nodiscard]] Bytes codes(std::size_t block) const { return markedCodes(*this, block); }
};

struct IQ1_S : Iq1Run<TensorType::IQ1_S, 50, false> {
    U32x8 words;
    explicit IQ1_S(const std::byte* run)
        : Iq1Run(run, run + 2, widened(run + 34), 3)
        , words(widened(run + 34)) {
        down = reinterpret_cast<U32x8>((words & 0x8000) != 0);
        putInMemory(down);
    }
    [[nodiscard]] F32x8 scales(std::size_t /*half*/) const {
        return (floatsOf(words >> 12 & 7) * 2.0F + 1.0F) * 0.125F * half(at);
    }
};

struct IQ1_M : Iq1Run<TensorType::IQ1_M, 56, true> {
    explicit IQ1_M(const std::byte* run)
        : Iq1Run(run, run, widened(run + 32), 4) {
        // The highest bit of each nibble, repeated for eight weights.
        const U32x8 nibbles = widened(run + 32);
        down = (nibbles >> 3 & 1) * 0xFF | (nibbles >> 7 & 1) * 0xFF00 | (nibbles >> 11 & 1) * 0xFF'0000 |
               (nibbles >> 15 & 1) * 0xFF00'0000;
        putInMemory(down);
    }
    [[nodiscard]] F32x8 scales(std::size_t half_) const {
        const auto packed = get<std::uint64_t>(at + 48);
        // The half consists of the highest nibbles of four words: 0x4…, 0x3…, 0x2… and 0x1… give 0x1234.
        const auto bits = static_cast<std::uint16_t>((packed >> 12U & 0xFU) | (packed >> 24U & 0xF0U) |
                                                     (packed >> 36U & 0xF00U) | (packed >> 48U & 0xF000U));
        std::uint64_t scales = 0;
        for (std::size_t s = 0; s < 8; ++s) {
            scales |= (packed >> (32 * half_ + 16 * (s / 4) + 3 * (s % 4)) & 7U) << (8 * s);
        }
        return (floatsOf(scales) * 2.0F + 1.0F) * 0.125F * half(&bits);
    }
};

// --- ternary digits, pairs of bits and bits

struct TQ1_0 : Run<TensorType::TQ1_0, 54, 1, 2> {
    using Run::Run;
    [[nodiscard]] F32x8 scales(std::size_t /*half*/) const { return F32x8{} + half(at + 52); }
    [[nodiscard]] Bytes codes(std::size_t block) const {
        // Digit n of a byte is the leading digit of byte × 3^n (modulo 256): 1 from 86 on, and 2 from 171 on.
        // The digits of 200, for example, are 2, then 1 (600 mod 256 is 88), then 0 (264 mod 256 is 8).
        constexpr std::uint8_t kPowers[5]{1, 3, 9, 27, 81};
        const auto middle = get<U8x16>(at + 32);
        Bytes shifted;
        if (block < 5) {
            shifted = bytes32(at) * joined(all(kPowers[block]), all(kPowers[block]));
        } else if (block < 7) {
            shifted = joined(middle, middle) * joined(all(kPowers[2 * block - 10]), all(kPowers[2 * block - 9]));
        } else {
            const std::uint64_t last = std::uint64_t{get<std::uint32_t>(at + 48)} * 0x1'0000'0001U;
            const U8x16 powers = {1, 1, 1, 1, 3, 3, 3, 3, 9, 9, 9, 9, 27, 27, 27, 27};
            shifted = joined(middle, join(last, last)) * joined(all(81), powers);
        }
        return (reached(shifted, 86) & 1) + (reached(shifted, 171) & 1);
    }
};

struct TQ2_0 : Run<TensorType::TQ2_0, 66, 1, 3> {
    using Run::Run;
    [[nodiscard]] F32x8 scales(std::size_t /*half*/) const { return F32x8{} + half(at + 64); }
    [[nodiscard]] Bytes codes(std::size_t block) const {
        return field(bytes32(at + block / 4 * 32), static_cast<int>(block % 4 * 2), 3);
    }
};

struct Q1_0 : Run<TensorType::Q1_0, 36, 1, 2> {
    using Run::Run;
    [[nodiscard]] F32x8 scales(std::size_t /*half*/) const {
        const float a = half(at);
        const float b = half(at + 18);
        return F32x8{a, a, a, a, b, b, b, b};
    }
    [[nodiscard]] Bytes codes(std::size_t block) const {
        return maskOf(get<std::uint32_t>(at + block / 4 * 18 + 2 + block % 4 * 4)) & 2;
    }
};

struct Q2_0 : Run<TensorType::Q2_0, 72, 1, 3> {
    using Run::Run;
    [[nodiscard]] F32x8 scales(std::size_t /*half*/) const {
        const auto scale = [this](std::size_t i) { return half(at + 18 * i); };
        return F32x8{scale(0), scale(0), scale(1), scale(1), scale(2), scale(2), scale(3), scale(3)};
    }
    [[nodiscard]] Bytes codes(std::size_t block) const {
        return twoBitFields(get<std::uint64_t>(at + block / 2 * 18 + 2 + block % 2 * 8));
    }
};

} // namespace
