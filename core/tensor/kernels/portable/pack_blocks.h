// Packs codes into blocks. This is the inverse of the structs of kernels/scalar (simple_blocks.h, k_blocks.h,
// iq_blocks.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

using Code = std::uint8_t;

template<typename T>
inline void put(std::byte* to, T value) { // little-endian on every machine
    for (std::size_t i = 0; i < sizeof value; ++i) {
        to[i] = static_cast<std::byte>(static_cast<std::uint32_t>(value) >> (8 * i) & 0xFFU);
    }
}

// Packs weights 0…n−1 into the low nibbles of n bytes and n…2n−1 into the high nibbles.
inline void packNibbles(const Code* codes, std::size_t n, std::byte* to) {
    for (std::size_t i = 0; i < n; ++i) {
        to[i] = static_cast<std::byte>((codes[i] & 15U) | (codes[i + n] & 15U) << 4U);
    }
}

// Packs the fifth bits of codes: the fifth bit of weight i becomes bit i of a word.
inline void packFifthBits(const Code* codes, std::byte* to) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 32; ++i) {
        bits |= (codes[i] >> 4U & 1U) << i;
    }
    put(to, bits);
}

// Packs two bits of each of 256 weights, the bits from `shift` on. Weights 32n… of each half of 128 are the bits 2n and
// 2n + 1 of 32 bytes.
inline void packPairsOfBits(const Code* codes, unsigned shift, std::byte* to) {
    for (std::size_t half = 0; half < 2; ++half) {
        for (std::size_t i = 0; i < 32; ++i) {
            const Code* at = codes + 128 * half + i;
            const auto pair = [&](std::size_t n) { return (at[32 * n] >> shift & 3U) << (2 * n); };
            to[32 * half + i] = static_cast<std::byte>(pair(0) | pair(1) | pair(2) | pair(3));
        }
    }
}

// Packs bit `shift` of each of 256 weights. Weights 32n… are the bits n of 32 bytes.
inline void packSingleBits(const Code* codes, unsigned shift, std::byte* to) {
    for (std::size_t i = 0; i < 32; ++i) {
        unsigned byte = 0;
        for (std::size_t n = 0; n < 8; ++n) {
            byte |= (codes[32 * n + i] >> shift & 1U) << n;
        }
        to[i] = static_cast<std::byte>(byte);
    }
}

// Packs the eight 6-bit scales and minima of Q4_K and Q5_K into 12 bytes.
inline void packScalesAndMinima(const Code* scales, const Code* minima, std::byte* to) {
    for (std::size_t s = 0; s < 4; ++s) {
        to[s] = static_cast<std::byte>(scales[s] | (scales[s + 4] >> 4U) << 6U);
        to[s + 4] = static_cast<std::byte>(minima[s] | (minima[s + 4] >> 4U) << 6U);
        to[s + 8] = static_cast<std::byte>((scales[s + 4] & 15U) | (minima[s + 4] & 15U) << 4U);
    }
}

// Packs the sixteen 6-bit scales of Q3_K into 12 bytes.
inline void packSixteenScales(const Code* scales, std::byte* to) {
    for (std::size_t s = 0; s < 8; ++s) {
        to[s] = static_cast<std::byte>((scales[s] & 15U) | (scales[s + 8] & 15U) << 4U);
    }
    for (std::size_t s = 0; s < 4; ++s) {
        unsigned upper = 0;
        for (std::size_t n = 0; n < 4; ++n) {
            upper |= (scales[s + 4 * n] >> 4U & 3U) << (2 * n);
        }
        to[8 + s] = static_cast<std::byte>(upper);
    }
}

} // namespace
