// 8-bit products for AVX2.
#include "tensor/kernels/kernels.h"

#include <immintrin.h>

namespace {

constexpr bool kVnni = false;

// Adds four products to each 32-bit lane. Pairs of products are first summed in 16 bits, which cannot overflow if codes
// are less than 129.
inline __m256i addFours(__m256i sums, __m256i codes, __m256i x) {
    return _mm256_add_epi32(sums, _mm256_madd_epi16(_mm256_maddubs_epi16(codes, x), _mm256_set1_epi16(1)));
}

} // namespace

#include "tensor/kernels/avx2/int8_tiles.h"
#include "tensor/kernels/avx2/int8_vector.h"
// The portable products use the primitives above.
#include "tensor/kernels/portable/int8_products.h"

namespace gufo::avx2 {

void installInt8(ProductKernels& products) { installPortableInt8(products); }

} // namespace gufo::avx2
