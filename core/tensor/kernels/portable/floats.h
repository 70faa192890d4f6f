// Vectors of floats as wide as an instruction set's. Included by attention.h after the
// translation unit has defined Floats.
#pragma once

#include "tensor/kernels/portable/unrolled.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

constexpr std::size_t kFloats = sizeof(Floats) / sizeof(float);
using Ints = std::int32_t __attribute__((vector_size(sizeof(Floats))));
using Bits = std::uint32_t __attribute__((vector_size(sizeof(Floats)))); // whose sums may wrap

inline Floats loadFloats(const void* from) {
    Floats v;
    std::memcpy(&v, from, sizeof v);
    return v;
}
// The first `count`, then zeros.
inline Floats loadFloats(const float* from, std::size_t count) {
    float some[kFloats]{};
    std::memcpy(some, from, count * sizeof(float));
    return loadFloats(some);
}
inline void storeFloats(float* to, Floats v) { std::memcpy(to, &v, sizeof v); }

// In every lane. (x + 0 would be another number for −0, and so takes an addition.)
inline Floats splat(float x) { return x - Floats{}; }

} // namespace
