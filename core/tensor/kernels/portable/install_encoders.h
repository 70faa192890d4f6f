// Installs the encoders, which use the lookUp16() of the including instruction set.
#pragma once

#include "tensor/kernels/kernels.h"
#include "tensor/kernels/portable/code_book_encoders.h"
#include "tensor/kernels/portable/encoders.h"
#include "tensor/kernels/portable/ik_encoders.h"
#include "tensor/tensor_type.h"

namespace {

inline void installPortableEncoders(gufo::Kernels& kernels) {
    using gufo::TensorType;
    const auto set = [&](TensorType type, gufo::Kernels::Encode encode) { kernels.encode[type] = encode; };
    set(TensorType::Q4_0, encodeQ4_0);
    set(TensorType::Q4_1, encodeQ4_1);
    set(TensorType::Q5_0, encodeQ5_0);
    set(TensorType::Q5_1, encodeQ5_1);
    set(TensorType::Q8_0, encodeQ8_0);
    set(TensorType::Q2_K, encodeQ2_K);
    set(TensorType::Q3_K, encodeQ3_K);
    set(TensorType::Q4_K, encodeQ4_K);
    set(TensorType::Q5_K, encodeQ5_K);
    set(TensorType::Q6_K, encodeQ6_K);
    set(TensorType::IQ4_NL, encodeIQ4_NL);
    set(TensorType::IQ4_XS, encodeIQ4_XS);
    set(TensorType::MXFP4, encodeMXFP4);
    set(TensorType::IQ2_XXS, encodeWithBook<FormatIQ2_XXS>);
    set(TensorType::IQ2_XS, encodeWithBook<FormatIQ2_XS>);
    set(TensorType::IQ2_S, encodeWithBook<FormatIQ2_S>);
    set(TensorType::IQ3_XXS, encodeWithBook<FormatIQ3_XXS>);
    set(TensorType::IQ3_S, encodeWithBook<FormatIQ3_S>);
    set(TensorType::IQ1_S, encodeWithBook<FormatIQ1_S>);
    set(TensorType::IQ1_M, encodeWithBook<FormatIQ1_M>);
    set(TensorType::IQ2_K, encodeFactored<FormatIQ2_K>);
    set(TensorType::IQ3_K, encodeFactored<FormatIQ3_K>);
    set(TensorType::IQ4_K, encodeFactored<FormatIQ4_K>);
    set(TensorType::IQ5_K, encodeFactored<FormatIQ5_K>);
    set(TensorType::IQ6_K, encodeFactored<FormatIQ6_K>);
    set(TensorType::IQ2_KS, encodeFactoredRow<FormatIQ2_KS>);
    set(TensorType::IQ3_KS, encodeFactoredRow<FormatIQ3_KS>);
    set(TensorType::IQ4_KS, encodeFactoredRow<FormatIQ4_KS>);
    set(TensorType::IQ5_KS, encodeFactoredRow<FormatIQ5_KS>);
    set(TensorType::IQ4_KSS, encodeFactoredRow<FormatIQ4_KSS>);
    set(TensorType::IQ2_KL, encodeFactoredRow<FormatIQ2_KL>);
}

} // namespace
