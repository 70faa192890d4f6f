// Exact conversions of the small floating-point formats to float. Signalling NaNs of half precision become quiet, as in
// the processors' own conversion.
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

// Rounds to nearest, ties to even; magnitudes from 65520 become infinity. NaN stays NaN and becomes quiet.
constexpr std::uint16_t halfFromFloat(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 16U & 0x8000U;
    const std::uint32_t size = bits & 0x7FFF'FFFFU;
    // Subnormal numbers are multiples of 2^-24. Adding 0.5 rounds to them.
    const float magnitude = std::bit_cast<float>(size < 0x3880'0000U ? size : 0U);
    const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(magnitude + 0.5F) - 0x3F00'0000U;
    const std::uint32_t normal = (size + 0xFFFU + (size >> 13U & 1U) - 0x3800'0000U) >> 13U;
    const std::uint32_t finite = size < 0x3880'0000U ? subnormal : normal;
    const std::uint32_t special = size > 0x7F80'0000U ? 0x7E00U | (size >> 13U & 0x3FFU) : 0x7C00U;
    return static_cast<std::uint16_t>(sign | (size >= 0x477F'F000U ? special : finite));
}

// bfloat16, the upper 16 bits of binary32.
constexpr float floatFromBrain(std::uint16_t brain) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(brain) << 16U);
}

// Rounds to nearest, ties to even; overflow gives infinity. NaN stays NaN and becomes quiet.
constexpr std::uint16_t brainFromFloat(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t rounded = (bits + 0x7FFFU + (bits >> 16U & 1U)) >> 16U;
    const bool nan = (bits & 0x7FFF'FFFFU) > 0x7F80'0000U;
    return static_cast<std::uint16_t>(nan ? bits >> 16U | 0x40U : rounded);
}

// Half of the OCP MX scale E8M0, 2^(e − 128), because MXFP4's code book holds doubled values. ggml gives 255 no special
// meaning.
constexpr float halfScaleFromE8m0(std::uint8_t e) {
    return std::bit_cast<float>(e < 2 ? 0x0020'0000U << e : (e - 1U) << 23U);
}

// Half of the unsigned E4M3 scale of NVFP4. ggml ignores the top bit, and treats only 0x7F, which would be NaN, as 0.
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

// The floats of 8 bits: sign, exponent, mantissa. E4M3 and E5M2 are defined by the Open Compute Project (OFP8): E5M2
// has infinities and NaN as IEEE 754 does; E4M3 has no infinity, and only all ones are NaN. FNUZ formats ("finite,
// unsigned zero") have a bias that is larger by one, and the code of -0 is their only NaN.
template<unsigned ExponentBits, int Bias>
constexpr float floatFromMinifloat(std::uint8_t code) {
    constexpr unsigned kMantissaBits = 7 - ExponentBits;
    const unsigned exponent = (code & 0x7FU) >> kMantissaBits;
    const unsigned mantissa = code & ((1U << kMantissaBits) - 1);
    const std::uint32_t sign = (code & 0x80U) << 24U;
    constexpr auto kUnit =
        std::bit_cast<float>(static_cast<std::uint32_t>(127 + 1 - Bias - static_cast<int>(kMantissaBits)) << 23U);
    const std::uint32_t magnitude =
        exponent == 0 ? std::bit_cast<std::uint32_t>(static_cast<float>(mantissa) * kUnit)
                      : (exponent + static_cast<std::uint32_t>(127 - Bias)) << 23U | mantissa << (23U - kMantissaBits);
    return std::bit_cast<float>(sign | magnitude);
}

inline constexpr float kQuietNaN = std::bit_cast<float>(0x7FC0'0000U);

constexpr float floatFromE4m3(std::uint8_t code) {
    return (code & 0x7FU) == 0x7F ? kQuietNaN : floatFromMinifloat<4, 7>(code);
}
constexpr float floatFromE5m2(std::uint8_t code) {
    return floatFromHalf(static_cast<std::uint16_t>(code << 8U)); // the upper half of binary16
}
constexpr float floatFromE4m3Fnuz(std::uint8_t code) {
    return code == 0x80 ? kQuietNaN : floatFromMinifloat<4, 8>(code);
}
constexpr float floatFromE5m2Fnuz(std::uint8_t code) {
    return code == 0x80 ? kQuietNaN : floatFromMinifloat<5, 16>(code);
}
// A scale of the OCP MX formats: 2^(e − 127); 255 is NaN.
constexpr float floatFromE8m0(std::uint8_t e) {
    return e == 0xFF ? kQuietNaN : std::bit_cast<float>(e == 0 ? 0x0040'0000U : static_cast<std::uint32_t>(e) << 23U);
}

} // namespace gufo
