// Installs the kernels that the including instruction set has defined.
#pragma once

#include "tensor/kernels/portable/code_book_decoders.h"
#include "tensor/kernels/portable/decoders.h"
#include "tensor/kernels/portable/float_products.h"
#include "tensor/kernels/portable/folds.h"
#include "tensor/kernels/portable/ik_decoders.h"
#include "tensor/kernels/portable/pairs.h"
#include "tensor/kernels/portable/reductions.h"
#include "tensor/kernels/portable/rows.h"

namespace {

inline void installIkDecoders(gufo::Kernels& kernels) {
    using gufo::TensorType;
    kernels.decode[TensorType::Q6_0] = decodeQ6_0;
    kernels.decode[TensorType::IQ2_K] = decodeIQ2_K;
    kernels.decode[TensorType::IQ3_K] = decodeIQ3_K;
    kernels.decode[TensorType::IQ4_K] = decodeIQ4_K;
    kernels.decode[TensorType::IQ5_K] = decodeIQ5_K;
    kernels.decode[TensorType::IQ6_K] = decodeIQ6_K;
    kernels.decodeInRow[TensorType::IQ1_BN] = decodeIQ1_BN;
    kernels.decodeInRow[TensorType::IQ2_BN] = decodeIQ2_BN;
    kernels.decodeInRow[TensorType::IQ2_KS] = decodeIQ2_KS;
    kernels.decodeInRow[TensorType::IQ3_KS] = decodeIQ3_KS;
    kernels.decodeInRow[TensorType::IQ4_KS] = decodeIQ4_KS;
    kernels.decodeInRow[TensorType::IQ4_KSS] = decodeIQ4_KSS;
    kernels.decodeInRow[TensorType::IQ5_KS] = decodeIQ5_KS;
    kernels.decodeInRow[TensorType::IQ2_KL] = decodeIQ2_KL;
}

inline void installGgjtDecoders(gufo::Kernels& kernels) {
    using gufo::TensorType;
    using enum Nibbles;
    kernels.decode[TensorType::Q2_0] = decodeQ2_0;
    kernels.decode[TensorType::Q4_2] = decodeQ4_2;
    kernels.decode[TensorType::Q4_3] = decodeQ4_3;
    kernels.decode[TensorType::Q4_0_GGJT1] = decodeGgjt<FloatScales, false, false, Neighbours>;
    kernels.decode[TensorType::Q4_1_GGJT1] = decodeGgjt<FloatScales, true, false, Neighbours>;
    kernels.decode[TensorType::Q5_0_GGJT1] = decodeGgjt<HalfScales, false, true, Neighbours>;
    kernels.decode[TensorType::Q5_1_GGJT1] = decodeGgjt<HalfScales, true, true, Neighbours>;
    kernels.decode[TensorType::Q8_0_GGJT1] = decodeQ8_0_GGJT1;
    kernels.decode[TensorType::Q4_0_GGJT2] = decodeGgjt<FloatScales, false, false, Halves>;
    kernels.decode[TensorType::Q4_1_GGJT2] = decodeGgjt<FloatScales, true, false, Halves>;
}

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
    installIkDecoders(kernels);
    installGgjtDecoders(kernels);
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
