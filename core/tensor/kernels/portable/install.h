// Installs the kernels that the including instruction set has defined.
#pragma once

#include "tensor/kernels/portable/code_book_decoders.h"
#include "tensor/kernels/portable/decoders.h"
#include "tensor/kernels/portable/float_products.h"
#include "tensor/kernels/portable/folds.h"
#include "tensor/kernels/portable/pairs.h"
#include "tensor/kernels/portable/reductions.h"
#include "tensor/kernels/portable/rows.h"

namespace {

inline void installPortable(gufo::Kernels& kernels) {
    using gufo::TensorType;
    const auto set = [&](TensorType type, gufo::Kernels::Decode decode) { kernels.decode[type] = decode; };
    set(TensorType::F16, decodeF16);
    set(TensorType::BF16, decodeBF16);
    set(TensorType::Q4_0, decodeQ4_0);
    set(TensorType::Q4_1, decodeQ4_1);
    set(TensorType::Q5_0, decodeQ5_0);
    set(TensorType::Q5_1, decodeQ5_1);
    set(TensorType::Q8_0, decodeSignedBytes<34, 2>);
    set(TensorType::Q8_1, decodeSignedBytes<36, 4>);
    set(TensorType::Q1_0, decodeQ1_0);
    set(TensorType::TQ1_0, decodeTQ1_0);
    set(TensorType::TQ2_0, decodeTQ2_0);
    set(TensorType::MXFP4, decodeMXFP4);
    set(TensorType::NVFP4, decodeNVFP4);
    set(TensorType::Q2_K, decodeQ2_K);
    set(TensorType::Q3_K, decodeQ3_K);
    set(TensorType::Q4_K, decodeQ4_K);
    set(TensorType::Q5_K, decodeQ5_K);
    set(TensorType::Q6_K, decodeQ6_K);
    set(TensorType::Q8_K, decodeQ8_K);
    set(TensorType::IQ4_NL, decodeIQ4_NL);
    set(TensorType::IQ4_XS, decodeIQ4_XS);
    set(TensorType::IQ2_XXS, decodeIQ2_XXS);
    set(TensorType::IQ2_XS, decodeIQ2_XS);
    set(TensorType::IQ2_S, decodeIQ2_S);
    set(TensorType::IQ3_XXS, decodeIQ3_XXS);
    set(TensorType::IQ3_S, decodeIQ3_S);
    set(TensorType::IQ1_S, decodeIQ1_S);
    set(TensorType::IQ1_M, decodeIQ1_M);
    kernels.sumFloats = sumFloats;
    kernels.extremes = extremes;
    kernels.binFloats = binFloats;
    kernels.sumPairs = sumPairs;
    kernels.foldLargest = foldLargest;
    kernels.foldSums = foldSums;
    kernels.foldSquares = foldSquares;
    installPortableProducts(kernels.products);
    installRows<8>(kernels.rows);
}

} // namespace
