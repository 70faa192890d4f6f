// The scale of a block of F16 in the KV cache, which is contained in its codes (tensor/kernels/attention.h). Everything
// has internal linkage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

constexpr int kCodeBits = 14;               // the largest magnitude of a code is 2^14
constexpr std::size_t kScaleCodes = 4;      // that contain the exponent
constexpr std::uint32_t kScaleBits = 2;     // of each of them
constexpr std::uint32_t kNoExponent = 0xFF; // of blocks with NaN or infinities

// The scale of a block. `exponent` is the exponent field, of eight bits, of the block's largest magnitude as a float.
// A block whose largest magnitude is at least 1 and less than 2, for example, has the exponent 127 and the scale 2^-13.
[[gnu::always_inline]] inline float scaleOfExponent(std::uint32_t exponent) {
    constexpr std::uint32_t kShift = kCodeBits - 1; // 2^e is 2^13 units
    const std::uint32_t bits = exponent > kShift ? (exponent - kShift) << 23U : 0;
    return __builtin_bit_cast(float, exponent == kNoExponent ? 0x7FC0'0000 : bits);
}

// The same from the first codes of a block, whose two lowest bits are the exponent. The pairs 2, 1, 3, 1, for example,
// are the exponent 0b01'11'01'10 = 118.
[[gnu::always_inline]] inline float scaleOfCodes(const std::byte* codes) {
    std::uint64_t four = 0;
    std::memcpy(&four, codes, sizeof four);
    four &= 0x0003'0003'0003'0003;
    four |= four >> 14U; // the first two pairs of bits, and from bit 32 on the others
    return scaleOfExponent(static_cast<std::uint32_t>(four | four >> 28U) & 0xFFU);
}

} // namespace
