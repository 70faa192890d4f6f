// The install functions of the AVX-512 kernels.
#pragma once

#include "tensor/kernels/kernels.h"
#include "tensor/tensor_type.h"

namespace gufo::avx512 {

void installSimple(Kernels& kernels);           // decode_simple.cpp
void installCodeBooks(Kernels& kernels);        // decode_code_books.cpp
void installReductions(Kernels& kernels);       // reduce.cpp
void installPairs(Kernels& kernels);            // pairs.cpp
void installProducts(ProductKernels& products); // products.cpp
void installRowKernels(RowKernels& rows);       // rows.cpp

// The parts of installProducts().
void installVectorProducts(ProductKernels& products); // int8_vector.cpp
void installStripProducts(ProductKernels& products);  // int8_strip.cpp
void installWideProducts(ProductKernels& products);   // wide_strip.cpp
void installFloatProducts(ProductKernels& products);  // float_products.cpp

} // namespace gufo::avx512
