// The encoded types in the form that the 8-bit products use, based on the primitives of an instruction set.
// kernels/scalar specifies the formats.
//
// A type is constructed from the address of a run of 256 weights. codes(block) returns the codes of 32 weights
// (int8_kinds.h), scales(half) and minima(half) eight floats each.
#pragma once

#include "tensor/code_books.h"
#include "tensor/float_formats.h"
#include "tensor/kernels/portable/int8_kinds.h"

#include <array>
#include <utility>

namespace {

using gufo::TensorType;

inline I8x16 levelsOf(const std::array<std::int8_t, 16>& levels, int offset = 0) {
    return get<I8x16>(&levels) + static_cast<std::int8_t>(offset);
}

// Spreads eight nibbles, or eight pairs of bits, to one byte each, the lowest first: 0x8765'4321 becomes
// 0x0807'0605'0403'0201, and the pairs of 0xE4 (3, 2, 1, 0) become 0x0302'0100. Each step halves the groups that are
// still together.
inline std::uint64_t spreadNibbles(std::uint64_t nibbles) {
    nibbles = (nibbles | nibbles << 16U) & 0x0000'FFFF'0000'FFFFU;
    nibbles = (nibbles | nibbles << 8U) & 0x00FF'00FF'00FF'00FFU;
    return (nibbles | nibbles << 4U) & 0x0F0F'0F0F'0F0F'0F0FU;
}
inline std::uint64_t spreadPairs(std::uint64_t pairs) {
    pairs = (pairs | pairs << 24U) & 0x0000'00FF'0000'00FFU;
    pairs = (pairs | pairs << 12U) & 0x000F'000F'000F'000FU;
    return (pairs | pairs << 6U) & 0x0303'0303'0303'0303U;
}

// Blocks of 32 weights with a half as scale and nibbles as codes from byte `header` on, optionally with a minimum and
// fifth bits.
template<TensorType type, std::size_t blockBytes, std::size_t header, int offset, int maxCode, bool minima_ = false>
struct NibbleRun : Run<type, 8 * blockBytes, offset, maxCode, false, minima_> {
    using Run<type, 8 * blockBytes, offset, maxCode, false, minima_>::Run;
    [[nodiscard]] F32x8 scales(std::size_t /*half*/) const { return eachHalf<blockBytes>(this->at); }
    [[nodiscard]] F32x8 minima(std::size_t /*half*/) const { return -eachHalf<blockBytes>(this->at + 2); }
    [[nodiscard]] Bytes codes(std::size_t block) const { return nibbles(this->at + block * blockBytes + header); }
};
template<TensorType type, std::size_t blockBytes, std::size_t header, int offset, bool minima_ = false>
struct FiveBitRun : NibbleRun<type, blockBytes, header, offset, 31, minima_> {
    using NibbleRun<type, blockBytes, header, offset, 31, minima_>::NibbleRun;
    [[nodiscard]] Bytes codes(std::size_t block) const {
        const std::byte* packed = this->at + block * blockBytes + header;
        return nibbles(packed) | (maskOf(get<std::uint32_t>(packed - 4)) & 16);
    }
};

using Q4_0 = NibbleRun<TensorType::Q4_0, 18, 2, 8, 15>;
using Q4_1 = NibbleRun<TensorType::Q4_1, 20, 4, 0, 15, true>;
using Q5_0 = FiveBitRun<TensorType::Q5_0, 22, 6, 16>;
using Q5_1 = FiveBitRun<TensorType::Q5_1, 24, 8, 0, true>;

template<TensorType type, std::size_t blockBytes, std::size_t header>
struct SignedBytesRun : SignedRun<type, 8 * blockBytes> {
    using SignedRun<type, 8 * blockBytes>::SignedRun;
    [[nodiscard]] F32x8 scales(std::size_t /*half*/) const { return eachHalf<blockBytes>(this->at); }
    [[nodiscard]] Bytes codes(std::size_t block) const { return bytes32(this->at + block * blockBytes + header); }
};
using Q8_0 = SignedBytesRun<TensorType::Q8_0, 34, 2>;
using Q8_1 = SignedBytesRun<TensorType::Q8_1, 36, 4>;

struct Q8_K : SignedRun<TensorType::Q8_K, 292> {
    using SignedRun::SignedRun;
    [[nodiscard]] F32x8 scales(std::size_t /*half*/) const { return F32x8{} + get<float>(at); }
    [[nodiscard]] Bytes codes(std::size_t block) const { return bytes32(at + 4 + 32 * block); }
};

struct IQ4_NL : SignedRun<TensorType::IQ4_NL, 144> {
    using SignedRun::SignedRun;
    [[nodiscard]] F32x8 scales(std::size_t /*half*/) const { return eachHalf<18>(at); }
    [[nodiscard]] Bytes codes(std::size_t block) const {
        return lookUp(levelsOf(gufo::kIq4Levels), nibbles(at + 18 * block + 2));
    }
};

// A table of the scales that bytes represent.
template<float (*meaning)(std::uint8_t)>
struct ScaleTable {
    static constexpr auto kScales = [] {
        std::array<float, 256> scales{};
        for (std::size_t i = 0; i < 256; ++i) {
            scales[i] = meaning(static_cast<std::uint8_t>(i));
        }
        return scales;
    }();
    static F32x8 eight(const auto& byteAt) {
        return F32x8{kScales[byteAt(0)], kScales[byteAt(1)], kScales[byteAt(2)], kScales[byteAt(3)],
                     kScales[byteAt(4)], kScales[byteAt(5)], kScales[byteAt(6)], kScales[byteAt(7)]};
    }
};

struct MXFP4 : Run<TensorType::MXFP4, 136, 16, 28> {
    using Run::Run;
    [[nodiscard]] F32x8 scales(std::size_t /*half*/) const {
        return ScaleTable<gufo::halfScaleFromE8m0>::eight(
            [&](std::size_t i) { return get<std::uint8_t>(at + 17 * i); });
    }
    [[nodiscard]] Bytes codes(std::size_t block) const {
        return lookUp(levelsOf(gufo::kFp4Levels, kOffset), nibbles(at + 17 * block + 1));
    }
};

struct NVFP4 : Run<TensorType::NVFP4, 144, 16, 28, true> {
    using Run::Run;
    [[nodiscard]] F32x8 scales(std::size_t half) const {
        return ScaleTable<gufo::halfScaleFromUe4m3>::eight(
            [&](std::size_t i) { return get<std::uint8_t>(at + 36 * (2 * half + i / 4) + i % 4); });
    }
    [[nodiscard]] Bytes codes(std::size_t block) const {
        return lookUp(levelsOf(gufo::kFp4Levels, kOffset),
                      nibblesOfEights(at + 36 * (block / 2) + 4 + 16 * (block % 2)));
    }
};

struct Q2_K : Run<TensorType::Q2_K, 84, 0, 3, true, true> {
    using Run::Run;
    [[nodiscard]] F32x8 scales(std::size_t half_) const {
        return floatsOf(get<std::uint64_t>(at + 8 * half_) & 0x0F0F'0F0F'0F0F'0F0FU) * half(at + 80);
    }
    [[nodiscard]] F32x8 minima(std::size_t half_) const {
        return floatsOf(get<std::uint64_t>(at + 8 * half_) >> 4U & 0x0F0F'0F0F'0F0F'0F0FU) * half(at + 82);
    }
    [[nodiscard]] Bytes codes(std::size_t block) const {
        return field(bytes32(at + 16 + block / 4 * 32), static_cast<int>(block % 4 * 2), 3);
    }
};

struct Q3_K : Run<TensorType::Q3_K, 110, 4, 7, true> {
    using Run::Run;
    [[nodiscard]] F32x8 scales(std::size_t half_) const {
        // The low nibbles of eight bytes (then the high ones), and pairs of bits from four more bytes: the nibble 5
        // and the pair 2 are the number 0b10'0101 = 37, the scale 5.
        const std::uint64_t low = get<std::uint64_t>(at + 96) >> (4 * half_) & 0x0F0F'0F0F'0F0F'0F0FU;
        const std::uint64_t pairs = std::uint64_t{get<std::uint32_t>(at + 104)} >> (4 * half_);
        const std::uint64_t high = (pairs & 0x0303'0303U) | (pairs >> 2U & 0x0303'0303U) << 32U;
        return (floatsOf(low | high << 4U) - 32.0F) * half(at + 108);
    }
    [[nodiscard]] Bytes codes(std::size_t block) const {
        return field(bytes32(at + 32 + block / 4 * 32), static_cast<int>(block % 4 * 2), 3) |
               raised(field(bytes32(at), static_cast<int>(block), 1), 2);
    }
};

// The scales and minima of Q4_K and Q5_K: eight 6-bit numbers each.
template<TensorType type, std::size_t runBytes, int maxCode>
struct WithScalesAndMinima : Run<type, runBytes, 0, maxCode, false, true> {
    using Run<type, runBytes, 0, maxCode, false, true>::Run;
    [[nodiscard]] F32x8 scales(std::size_t /*half*/) const { return six(0, 0) * half(this->at); }
    [[nodiscard]] F32x8 minima(std::size_t /*half*/) const { return six(4, 4) * half(this->at + 2); }

private:
    [[nodiscard]] F32x8 six(std::size_t offset, unsigned shift) const {
        const auto first = get<std::uint32_t>(this->at + 4 + offset);
        const auto last = get<std::uint32_t>(this->at + 12);
        // The numbers from 4 on have four bits in `last` and two bits above the first numbers: 9 and 0b10 are 0x29.
        const std::uint32_t from4 = (last >> shift & 0x0F0F'0F0FU) | (first >> 2U & 0x3030'3030U);
        return floatsOf((first & 0x3F3F'3F3FU) | std::uint64_t{from4} << 32U);
    }
};

struct Q4_K : WithScalesAndMinima<TensorType::Q4_K, 144, 15> {
    using WithScalesAndMinima::WithScalesAndMinima;
    [[nodiscard]] Bytes codes(std::size_t block) const {
        return field(bytes32(at + 16 + block / 2 * 32), static_cast<int>(block % 2 * 4), 15);
    }
};

struct Q5_K : WithScalesAndMinima<TensorType::Q5_K, 176, 31> {
    using WithScalesAndMinima::WithScalesAndMinima;
    [[nodiscard]] Bytes codes(std::size_t block) const {
        return field(bytes32(at + 48 + block / 2 * 32), static_cast<int>(block % 2 * 4), 15) |
               raised(field(bytes32(at + 16), static_cast<int>(block), 1), 4);
    }
};

struct Q6_K : Run<TensorType::Q6_K, 210, 32, 63, true> {
    using Run::Run;
    [[nodiscard]] F32x8 scales(std::size_t half_) const {
        return floatsOf(get<std::uint64_t>(at + 192 + 8 * half_)) * half(at + 208);
    }
    [[nodiscard]] Bytes codes(std::size_t block) const {
        const std::size_t part = block / 4; // half of 128 weights
        const std::size_t inPart = block % 4;
        return field(bytes32(at + 64 * part + inPart % 2 * 32), static_cast<int>(inPart / 2 * 4), 15) |
               raised(field(bytes32(at + 128 + 32 * part), static_cast<int>(2 * inPart), 3), 4);
    }
};

struct IQ4_XS : SignedRun<TensorType::IQ4_XS, 136> {
    using SignedRun::SignedRun;
    [[nodiscard]] F32x8 scales(std::size_t /*half*/) const {
        const std::uint64_t low = spreadNibbles(get<std::uint32_t>(at + 4));
        const std::uint64_t high = spreadPairs(get<std::uint16_t>(at + 2));
        return (floatsOf(low | high << 4U) - 32.0F) * half(at);
    }
    [[nodiscard]] Bytes codes(std::size_t block) const {
        return lookUp(levelsOf(gufo::kIq4Levels), nibbles(at + 8 + 16 * block));
    }
};

} // namespace
