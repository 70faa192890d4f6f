// 8-bit products for NEON with the dotprod extension.
#include "tensor/kernels/kernels.h"

#include <arm_neon.h>

namespace {

// Adds four products to each 32-bit sum.
inline int32x4_t addFours(int32x4_t sums, int8x16_t codes, int8x16_t x) { return vdotq_s32(sums, codes, x); }
// The same, with group `group` of four values of x for all lanes.
template<int group>
inline int32x4_t addFours(int32x4_t sums, int8x16_t codes, int8x16_t x) {
    return vdotq_laneq_s32(sums, codes, x, group);
}

} // namespace

#include "tensor/kernels/neon/int8_groups.h"
// The portable products use the primitives above.
#include "tensor/kernels/portable/dot_int8.h"
#include "tensor/kernels/portable/int8_products.h"

namespace gufo::neon {

void installInt8Dotprod(ProductKernels& products) { installPortableInt8(products); }

} // namespace gufo::neon
