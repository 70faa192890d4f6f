// The small floating-point formats, each exactly as float. Signalling NaNs of half precision become quiet, as the
// processors' own conversion does.
#pragma once

#include <bit>
#include <cstdint>

namespace gufo {

// IEEE 754 binary16.
constexpr float floatFromHalf(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000U) << 16U;
    const std::uint32_t exponent = (half >> 10U) & 0x1FU;
    const std::uint32_t mantissa = half & 0x3FFU;
    if (exponent == 0x1F) {
        const std::uint32_t quiet = mantissa != 0 ? 0x0040'0000U : 0U;
        return std::bit_cast<float>(sign | 0x7F80'0000U | mantissa << 13U | quiet);
    }
    if (exponent == 0) { // zero and subnormals: mantissa × 2^-24
        const float magnitude = static_cast<float>(mantissa) * 0x1p-24F;
        return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
    }
    return std::bit_cast<float>(sign | (exponent + 112) << 23U | mantissa << 13U);
}

// To the nearest, halves to even; from 65520 on infinity. NaN stays NaN, quiet.
constexpr std::uint16_t halfFromFloat(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 16U & 0x8000U;
    const std::uint32_t size = bits & 0x7FFF'FFFFU;
    // Subnormals, in steps of 2^-24: the sum with 0.5 rounds to them.
    const float magnitude = std::bit_cast<float>(size < 0x3880'0000U ? size : 0U);
    const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(magnitude + 0.5F) - 0x3F00'0000U;
    const std::uint32_t normal = (size + 0xFFFU + (size >> 13U & 1U) - 0x3800'0000U) >> 13U;
    const std::uint32_t finite = size < 0x3880'0000U ? subnormal : normal;
    const std::uint32_t special = size > 0x7F80'0000U ? 0x7E00U | (size >> 13U & 0x3FFU) : 0x7C00U;
    return static_cast<std::uint16_t>(sign | (size >= 0x477F'F000U ? special : finite));
}

// The upper half of binary32.
constexpr float floatFromBrain(std::uint16_t brain) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(brain) << 16U);
}

// To the nearest, halves to even; what is above the largest becomes infinity. NaN stays NaN, quiet.
constexpr std::uint16_t brainFromFloat(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t rounded = (bits + 0x7FFFU + (bits >> 16U & 1U)) >> 16U;
    const bool nan = (bits & 0x7FFF'FFFFU) > 0x7F80'0000U;
    return static_cast<std::uint16_t>(nan ? bits >> 16U | 0x40U : rounded);
}

// Half of the OCP MX scale E8M0, 2^(e − 128): MXFP4's code book is twice its values. ggml gives 255 no special meaning.
constexpr float halfScaleFromE8m0(std::uint8_t e) {
    return std::bit_cast<float>(e < 2 ? 0x0020'0000U << e : (e - 1U) << 23U);
}

// Half of the unsigned E4M3 scale of NVFP4. ggml ignores the top bit, but takes only 0x7F itself, which would be NaN,
// as 0.
constexpr float halfScaleFromUe4m3(std::uint8_t code) {
    const std::uint32_t exponent = (code >> 3U) & 0xFU;
    const std::uint32_t mantissa = code & 7U;
    if (code == 0x7F) {
        return 0;
    }
    if (exponent == 0) {
        return static_cast<float>(mantissa) * 0x1p-10F;
    }
    return std::bit_cast<float>((exponent + 127 - 7 - 1) << 23U | mantissa << 20U);
}

} // namespace gufo
