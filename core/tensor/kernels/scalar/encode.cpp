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
#include "base/byte_order.h"
#include "tensor/float_formats.h"
#include "tensor/kernels/portable/install_encoders.h"

namespace gufo::scalar {
namespace {

template<std::uint16_t (*toBits)(float)>
void encodeShorts(const float* weights, std::size_t count, const float*, std::size_t, std::byte* out) {
    for (std::size_t i = 0; i < count; ++i) {
        store(out + 2 * i, toBits(weights[i]));
    }
}

} // namespace

void installEncoders(Kernels& kernels) {
    installPortableEncoders(kernels);
    installLevelEncoders(kernels);
    kernels.encode[TensorType::F16] = encodeShorts<halfFromFloat>;
    kernels.encode[TensorType::BF16] = encodeShorts<brainFromFloat>;
}

} // namespace gufo::scalar
