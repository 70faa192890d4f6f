// Installs the 8-bit products that the including instruction set has defined. Those with one vector or a few are
// dotRows<ForVectors<Type>> and dotStreams<ForVectors<Type>>; kFew is Int8Products::few.
#pragma once

#include "tensor/kernels/portable/int8_code_books.h"
#include "tensor/kernels/portable/int8_rounding.h"
#include "tensor/kernels/portable/int8_strip.h"
#include "tensor/kernels/portable/prefetch_ahead.h"

namespace {

template<typename... Type>
inline void installTypes(gufo::ProductKernels& products) {
    ((products.int8[Type::kType] = {dotRows<ForVectors<Type>>, multiplyStrip<Type>, dotStreams<ForVectors<Type>>,
                                    kFew}),
     ...);
}

// Reads as many streams alternately as the products do.
std::uint64_t readBytes(const std::byte* from, std::size_t count) {
    U64x4 sums[4]{};
    const std::size_t streamBytes = count / gufo::kStreams / 128 * 128;
    for (std::size_t i = 0; i < streamBytes; i += 128) {
        for (std::size_t s = 0; s < gufo::kStreams; ++s) {
            const std::byte* at = from + s * streamBytes + i;
            prefetchAhead<128>(at);
            for (std::size_t k = 0; k < 4; ++k) {
                sums[k] += get<U64x4>(at + 32 * k);
            }
        }
    }
    const U64x4 all4 = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    std::uint64_t total = (all4[0] + all4[1]) + (all4[2] + all4[3]);
    for (std::size_t i = gufo::kStreams * streamBytes; i < count; ++i) {
        total += static_cast<std::uint64_t>(from[i]);
    }
    return total;
}

inline void installPortableInt8(gufo::ProductKernels& products) {
    products.toInt8 = toInt8;
    products.readBytes = readBytes;
    products.peakInt8 = multiplyFoursOften;
    installTypes<Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q8_1, MXFP4, NVFP4>(products);
    installTypes<Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, Q8_K, IQ4_NL, IQ4_XS>(products);
    installTypes<IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS, IQ3_S, IQ1_S, IQ1_M>(products);
    installTypes<TQ1_0, TQ2_0, Q1_0, Q2_0>(products);
}

} // namespace
