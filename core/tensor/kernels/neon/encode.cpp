#include <cstddef>

namespace {

constexpr std::size_t kVectorBytes = 16;

} // namespace

#include "tensor/kernels/portable/compared_parts.h"
#include "tensor/kernels/portable/lanes.h"

namespace {

// Looks up entry `index` of sixteen in each lane.
inline Lanes lookUp16(const float (&table)[kLanes], LaneInts index) {
    Lanes found{};
    for (std::size_t s = 0; s < kLanes; ++s) {
        found.set(s, table[index[s]]);
    }
    return found;
}

// Looks up entry `index` of any table in each lane.
inline Lanes gather(const float* table, LaneInts index) {
    Lanes found{};
    for (std::size_t s = 0; s < kLanes; ++s) {
        found.set(s, table[index[s]]);
    }
    return found;
}

} // namespace

// The encoders use the primitives above.
#include "tensor/kernels/portable/install_encoders.h"

namespace gufo::neon {

void installEncoders(Kernels& kernels) { installPortableEncoders(kernels); }

} // namespace gufo::neon
