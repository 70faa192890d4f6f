// Every quantised type that can be decoded. A type added to a list here gets its decoders, its fields and its tests.
#pragma once

#include "tensor/kernels/scalar/iq_blocks.h"
#include "tensor/kernels/scalar/k_blocks.h"
#include "tensor/kernels/scalar/simple_blocks.h"

namespace gufo::scalar {

// Calls visit.template operator()<Block>() for each.
template<typename Visit>
constexpr void forEachBlockType(Visit visit) {
    const auto each = [&]<typename... Block>() { (visit.template operator()<Block>(), ...); };
    each.template operator()<Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q8_1, Q1_0, Q2_0, TQ1_0, TQ2_0, MXFP4, NVFP4>();
    each.template operator()<Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, Q8_K>();
    each.template operator()<IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS, IQ3_S, IQ1_S, IQ1_M, IQ4_NL, IQ4_XS>();
}

} // namespace gufo::scalar
