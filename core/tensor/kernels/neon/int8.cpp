// 8-bit products for NEON.
#include "tensor/kernels/kernels.h"

#include <arm_neon.h>

namespace {

// Adds four products to each 32-bit sum. Two products fit in 16 bits, even 2 × 127 × −128.
inline int32x4_t addFours(int32x4_t sums, int8x16_t codes, int8x16_t x) {
    const int16x8_t low = vmull_s8(vget_low_s8(codes), vget_low_s8(x));
    return vpadalq_s16(sums, vpaddq_s16(low, vmull_high_s8(codes, x)));
}
// The same, with group `group` of four values of x for all lanes.
template<int group>
inline int32x4_t addFours(int32x4_t sums, int8x16_t codes, int8x16_t x) {
    return addFours(sums, codes, vreinterpretq_s8_s32(vdupq_laneq_s32(vreinterpretq_s32_s8(x), group)));
}

} // namespace

#include "tensor/kernels/neon/int8_groups.h"
// The portable products use the primitives above.
#include "tensor/kernels/portable/dot_int8.h"
#include "tensor/kernels/portable/int8_products.h"

namespace gufo::neon {

void installInt8(ProductKernels& products) { installPortableInt8(products); }

} // namespace gufo::neon
