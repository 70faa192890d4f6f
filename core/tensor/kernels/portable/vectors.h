// The code that AVX2 and NEON share: vectors in the compilers' portable notation. The translation unit of an
// instruction set includes its primitives.h, which defines put16(), half(), lookUp() and any() in the same unnamed
// namespace, and then the parts of this folder that it needs. Each set therefore has its own copy, with internal
// linkage.
#pragma once

#include "tensor/kernels/portable/unrolled.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

using gufo::kChecked;

using U8x16 = std::uint8_t __attribute__((vector_size(16)));
using I8x16 = std::int8_t __attribute__((vector_size(16)));
using I16x16 = std::int16_t __attribute__((vector_size(32)));
using I32x8 = std::int32_t __attribute__((vector_size(32)));
using U32x8 = std::uint32_t __attribute__((vector_size(32)));
using U64x4 = std::uint64_t __attribute__((vector_size(32)));
using I32x4 = std::int32_t __attribute__((vector_size(16)));
using I64x4 = std::int64_t __attribute__((vector_size(32)));
using F32x8 = float __attribute__((vector_size(32)));
using F32x4 = float __attribute__((vector_size(16)));
using F64x4 = double __attribute__((vector_size(32)));

template<typename T>
inline T get(const void* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

// Forces a value into memory, where each element is one load away. Compilers would extract elements from registers with
// several shuffles each.
template<typename T>
inline void putInMemory(T& value) {
    asm("" : "+m"(value));
}

inline void store8(float* to, F32x8 values) { std::memcpy(to, &values, sizeof values); }

inline F64x4 magnitude(F64x4 values) {
    return reinterpret_cast<F64x4>(reinterpret_cast<U64x4>(values) & ~std::uint64_t{0} >> 1U);
}

inline float asFloat(std::uint32_t bits) { return get<float>(&bits); }

inline U8x16 all(std::uint8_t byte) { return U8x16{} + byte; }
inline I8x16 asSigned(U8x16 bytes) { return reinterpret_cast<I8x16>(bytes); }
// Both halves go through registers: a load of sixteen bytes would wait for two stores of eight.
inline U8x16 join(std::uint64_t low, std::uint64_t high) {
    using U64x2 = std::uint64_t __attribute__((vector_size(16)));
    return reinterpret_cast<U8x16>(U64x2{low, high});
}

inline U8x16 lowNibbles(U8x16 bytes) { return bytes & 15; }
inline U8x16 highNibbles(U8x16 bytes) { return bytes >> 4; }
inline U8x16 twoBits(U8x16 bytes, int shift) { return (bytes >> static_cast<std::uint8_t>(shift)) & 3; }

} // namespace
