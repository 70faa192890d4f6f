// Vectors of floats in the width of an instruction set. Included by attention.h after the translation unit has defined
// Floats.
#pragma once

#include "tensor/kernels/portable/unrolled.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

constexpr std::size_t kFloats = sizeof(Floats) / sizeof(float);
using Ints = std::int32_t __attribute__((vector_size(sizeof(Floats))));
using Bits = std::uint32_t __attribute__((vector_size(sizeof(Floats)))); // unsigned, so that sums may wrap

inline Floats loadFloats(const void* from) {
    Floats v;
    std::memcpy(&v, from, sizeof v);
    return v;
}
// Loads `count` floats and fills the other lanes with zeros.
inline Floats loadFloats(const float* from, std::size_t count) {
    float filled[kFloats]{};
    std::memcpy(filled, from, count * sizeof(float));
    return loadFloats(filled);
}
inline void storeFloats(float* to, Floats v) { std::memcpy(to, &v, sizeof v); }

// Broadcasts x. (x + 0 would change −0 and therefore cost an addition; x − 0 does not.)
inline Floats splat(float x) { return x - Floats{}; }

} // namespace
