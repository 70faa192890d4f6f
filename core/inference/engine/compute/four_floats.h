// Four floats at once, on any processor: what compilers make vectors of without being told which.
#pragma once

#include <cstring>

namespace gufo::inference {

using F32x4 = float __attribute__((vector_size(16)));

inline F32x4 load4(const float* from) {
    F32x4 value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

inline void store4(float* to, F32x4 value) { std::memcpy(to, &value, sizeof value); }

} // namespace gufo::inference
