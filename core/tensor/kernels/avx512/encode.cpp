#include <cstddef>
#include <immintrin.h>

namespace {

constexpr std::size_t kVectorBytes = 64;

} // namespace

#include "tensor/kernels/portable/lanes.h"

namespace {

// Looks up entry `index` of sixteen in each lane.
inline Lanes lookUp16(const float (&table)[kLanes], LaneInts index) {
    const __m512 entries = _mm512_loadu_ps(table);
    return Lanes::each([&](std::size_t p) {
        return reinterpret_cast<Lanes::Part>(_mm512_permutexvar_ps(reinterpret_cast<__m512i>(index.parts[p]), entries));
    });
}

} // namespace

// The encoders use the primitives above.
#include "tensor/kernels/portable/install_encoders.h"

namespace gufo::avx512 {

void installEncoders(Kernels& kernels) { installPortableEncoders(kernels); }

} // namespace gufo::avx512
