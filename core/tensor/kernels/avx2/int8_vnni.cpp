// 8-bit products for AVX2 with VNNI.
#include "tensor/kernels/kernels.h"

#include <immintrin.h>

namespace {

constexpr bool kVnni = true;

inline __m256i addFours(__m256i sums, __m256i codes, __m256i x) { return _mm256_dpbusd_avx_epi32(sums, codes, x); }

} // namespace

#include "tensor/kernels/avx2/int8_tiles.h"
#include "tensor/kernels/avx2/int8_vector.h"
// The portable products use the primitives above.
#include "tensor/kernels/portable/int8_products.h"

namespace gufo::avx2 {

void installInt8Vnni(ProductKernels& products) { installPortableInt8(products); }

} // namespace gufo::avx2
