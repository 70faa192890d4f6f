// NEON (AArch64) primitives of the portable kernels.
#pragma once

#include "tensor/kernels/portable/vectors.h"

#include <arm_neon.h>

namespace {

inline float half(const void* from) {
    return vgetq_lane_f32(vcvt_f32_f16(vreinterpret_f16_u16(vdup_n_u16(get<std::uint16_t>(from)))), 0);
}

inline I8x16 lookUp(I8x16 table, U8x16 codes) {
    return reinterpret_cast<I8x16>(vqtbl1q_s8(reinterpret_cast<int8x16_t>(table), reinterpret_cast<uint8x16_t>(codes)));
}

inline bool any(I32x8 mask) {
    const auto halves = get<uint32x4x2_t>(&mask);
    return vmaxvq_u32(vorrq_u32(halves.val[0], halves.val[1])) != 0;
}

// Joins two vectors into eight floats.
inline F32x8 pair(float32x4_t low, float32x4_t high) {
    const float32x4_t both[2]{low, high};
    return get<F32x8>(both);
}
inline float32x4_t lower(F32x8 v) { return get<float32x4_t>(&v); }
inline float32x4_t upper(F32x8 v) { return get<float32x4_t>(reinterpret_cast<const char*>(&v) + 16); }

// a × b + c, rounded once.
inline F32x8 multiplyAdd(F32x8 a, F32x8 b, F32x8 c) {
    return pair(vfmaq_f32(lower(c), lower(a), lower(b)), vfmaq_f32(upper(c), upper(a), upper(b)));
}

inline F64x4 multiplyAdd(F64x4 a, F64x4 b, F64x4 c) {
    const auto x = get<float64x2x2_t>(&a);
    const auto y = get<float64x2x2_t>(&b);
    const auto z = get<float64x2x2_t>(&c);
    const float64x2_t both[2]{vfmaq_f64(z.val[0], x.val[0], y.val[0]), vfmaq_f64(z.val[1], x.val[1], y.val[1])};
    return get<F64x4>(both);
}

inline F64x4 doubles(F32x4 values) { return __builtin_convertvector(values, F64x4); }
inline F64x4 doubles(I32x4 values) { return __builtin_convertvector(values, F64x4); }

// Where one of the operands is NaN, the second one is returned.
inline F32x8 smaller(F32x8 a, F32x8 b) { return a < b ? a : b; }
inline F32x8 larger(F32x8 a, F32x8 b) { return a > b ? a : b; }
inline U32x8 smaller(U32x8 a, U32x8 b) { return a < b ? a : b; }
inline U32x8 larger(U32x8 a, U32x8 b) { return a > b ? a : b; }
inline F64x4 larger(F64x4 a, F64x4 b) { return a > b ? a : b; }

// Stores eight numbers below 65,536 as 16-bit numbers.
inline void narrow(std::uint16_t* out, I32x8 numbers) {
    const auto all = get<uint32x4x2_t>(&numbers);
    vst1q_u16(out, vcombine_u16(vmovn_u32(all.val[0]), vmovn_u32(all.val[1])));
}

// Stores thirty-two numbers below 256 as bytes, in pairs that begin with the smaller one.
inline void storePairs(std::uint8_t* out, const I32x8 (&numbers)[4]) {
    const auto shorts = [&](std::size_t i) {
        const auto all = get<uint32x4x2_t>(&numbers[i]);
        return vcombine_u16(vmovn_u32(all.val[0]), vmovn_u32(all.val[1]));
    };
    for (std::size_t i = 0; i < 2; ++i) {
        const uint16x8_t a = shorts(i);
        const uint16x8_t b = shorts(i + 2);
        const uint16x8_t pairs = vorrq_u16(vminq_u16(a, b), vshlq_n_u16(vmaxq_u16(a, b), 8));
        vst1q_u8(out + 16 * i, vreinterpretq_u8_u16(pairs));
    }
}

// Converts sixteen levels to floats.
inline float32x4x4_t widen(I8x16 levels) {
    const auto bytes = reinterpret_cast<int8x16_t>(levels);
    const int16x8_t low = vmovl_s8(vget_low_s8(bytes));
    const int16x8_t high = vmovl_high_s8(bytes);
    return {{vcvtq_f32_s32(vmovl_s16(vget_low_s16(low))), vcvtq_f32_s32(vmovl_high_s16(low)),
             vcvtq_f32_s32(vmovl_s16(vget_low_s16(high))), vcvtq_f32_s32(vmovl_high_s16(high))}};
}

// Stores sixteen levels times a scale.
inline void put16(float* out, I8x16 levels, float scale) {
    const float32x4x4_t values = widen(levels);
    for (int i = 0; i < 4; ++i) {
        vst1q_f32(out + 4 * i, vmulq_n_f32(values.val[i], scale));
    }
}
// The same, minus a minimum.
inline void put16(float* out, I8x16 levels, float scale, float minimum) {
    const float32x4x4_t values = widen(levels);
    const float32x4_t m = vdupq_n_f32(minimum);
    for (int i = 0; i < 4; ++i) {
        vst1q_f32(out + 4 * i, vsubq_f32(vmulq_n_f32(values.val[i], scale), m));
    }
}

inline F32x8 eightHalves(const std::byte* from) {
    const auto bits = get<uint16x8_t>(from);
    return pair(vcvt_f32_f16(vreinterpret_f16_u16(vget_low_u16(bits))), vcvt_high_f32_f16(vreinterpretq_f16_u16(bits)));
}
inline F32x8 eightBrains(const std::byte* from) {
    const auto bits = get<uint16x8_t>(from);
    return pair(vreinterpretq_f32_u32(vshll_n_u16(vget_low_u16(bits), 16)),
                vreinterpretq_f32_u32(vshll_high_n_u16(bits, 16)));
}

inline void decodeF16(const std::byte* from, std::size_t count, float* out) {
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        vst1q_f32(out + i, vcvt_f32_f16(vreinterpret_f16_u16(get<uint16x4_t>(from + 2 * i))));
    }
    for (; i < count; ++i) {
        out[i] = half(from + 2 * i);
    }
}

inline void decodeBF16(const std::byte* from, std::size_t count, float* out) {
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        vst1q_f32(out + i, vreinterpretq_f32_u32(vshll_n_u16(get<uint16x4_t>(from + 2 * i), 16)));
    }
    for (; i < count; ++i) {
        out[i] = asFloat(static_cast<std::uint32_t>(get<std::uint16_t>(from + 2 * i)) << 16U);
    }
}

} // namespace
