#include <cstddef>
#include <immintrin.h>

namespace {

constexpr std::size_t kVectorBytes = 32;

} // namespace

#include "tensor/kernels/portable/lanes.h"

namespace {

// Looks up entry `index` of sixteen in each lane.
inline Lanes lookUp16(const float (&table)[kLanes], LaneInts index) {
    const __m256 low = _mm256_loadu_ps(table);
    const __m256 high = _mm256_loadu_ps(table + 8);
    return Lanes::each([&](std::size_t p) {
        const auto at = reinterpret_cast<__m256i>(index.parts[p]);
        // The fourth bit of the index, shifted to the sign, selects the half of the table.
        const __m256 upper = _mm256_castsi256_ps(_mm256_slli_epi32(at, 28));
        return reinterpret_cast<Lanes::Part>(
            _mm256_blendv_ps(_mm256_permutevar8x32_ps(low, at), _mm256_permutevar8x32_ps(high, at), upper));
    });
}

} // namespace

// The encoders use the primitives above.
#include "tensor/kernels/portable/install_encoders.h"

namespace gufo::avx2 {

void installEncoders(Kernels& kernels) { installPortableEncoders(kernels); }

} // namespace gufo::avx2
