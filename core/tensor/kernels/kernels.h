// The functions that exist once per instruction set, as a table of pointers. kernels/scalar fills all of it; the other
// sets replace what they do faster. Everything in an instruction set's translation units has internal linkage, so that
// the linker cannot give one set's code to another.
#pragma once

#include "base/cpu_features.h"
#include "tensor/kernels/reduce.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace gufo {

struct Kernels {
    // `count` whole little-endian blocks, at any alignment, to count × blockSize floats.
    using Decode = void (*)(const std::byte* blocks, std::size_t count, float* out);
    std::array<Decode, 64> decode{}; // by type id; null where the type cannot be decoded

    PowerSums (*sumFloats)(const float* values, std::size_t count, double shift) = nullptr;
    void (*binFloats)(const float* values, std::size_t count, const BinPlan& plan, BinCounts& counts) = nullptr;
    // Values of 16 bits, little-endian: how often each of the 65,536 occurs, added to counts[value].
    void (*countShorts)(const std::byte* values, std::size_t count, std::uint32_t* counts) = nullptr;
};

// One that is not available falls back to scalar.
[[nodiscard]] const Kernels& kernelsFor(Isa isa);
// Those of activeIsa().
[[nodiscard]] const Kernels& activeKernels();

namespace scalar {
[[nodiscard]] const Kernels& kernels();
} // namespace scalar

} // namespace gufo
