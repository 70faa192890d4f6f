#include "tensor/kernels/kernels.h"

#include <arm_neon.h>
#include <cstring>

namespace {

using Floats = float __attribute__((vector_size(16)));

inline Floats multiplyAdd(Floats a, Floats b, Floats c) {
    return reinterpret_cast<Floats>(vfmaq_f32(reinterpret_cast<float32x4_t>(c), reinterpret_cast<float32x4_t>(a),
                                              reinterpret_cast<float32x4_t>(b)));
}
inline uint16x4_t load4(const std::byte* from) {
    uint16x4_t v;
    std::memcpy(&v, from, sizeof v);
    return v;
}
inline Floats loadF16(const std::byte* from) {
    return reinterpret_cast<Floats>(vcvt_f32_f16(vreinterpret_f16_u16(load4(from))));
}
inline Floats loadBf16(const std::byte* from) { return reinterpret_cast<Floats>(vshll_n_u16(load4(from), 16)); }
inline Floats signedBytes(const std::byte* from) {
    std::uint32_t four = 0;
    std::memcpy(&four, from, sizeof four);
    const int16x8_t wide = vmovl_s8(vreinterpret_s8_u32(vdup_n_u32(four)));
    return reinterpret_cast<Floats>(vcvtq_f32_s32(vmovl_s16(vget_low_s16(wide))));
}
inline float half(const std::byte* from) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, from, sizeof bits);
    return vgetq_lane_f32(vcvt_f32_f16(vreinterpret_f16_u16(vdup_n_u16(bits))), 0);
}

constexpr std::size_t kTogether = 8;

} // namespace

#include "tensor/kernels/portable/attention.h"

namespace gufo::neon {

void installAttention(AttentionKernels& kernels) { installPortableAttention(kernels); }

} // namespace gufo::neon
