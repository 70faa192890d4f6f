// Products of eight bits for NEON with products of fours (dotprod).
#include "tensor/kernels/kernels.h"

#include <arm_neon.h>

namespace {

// Sums of 32 bits, each plus four products.
inline int32x4_t addFours(int32x4_t sums, int8x16_t codes, int8x16_t x) { return vdotq_s32(sums, codes, x); }
// The same with four of x for all.
template<int group>
inline int32x4_t addFours(int32x4_t sums, int8x16_t codes, int8x16_t x) {
    return vdotq_laneq_s32(sums, codes, x, group);
}

} // namespace

#include "tensor/kernels/neon/int8_groups.h"
// The portable products are made of the primitives above.
#include "tensor/kernels/portable/install_int8.h"

namespace gufo::neon {

void installInt8Dotprod(ProductKernels& products) { installPortableInt8(products); }

} // namespace gufo::neon
