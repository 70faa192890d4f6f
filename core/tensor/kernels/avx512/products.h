// The parts from which the AVX-512 products are installed.
#pragma once

#include "tensor/kernels/products.h"

namespace gufo::avx512 {

void installVectorProducts(ProductKernels& products);
void installStripProducts(ProductKernels& products);
void installWideProducts(ProductKernels& products);
void installFloatProducts(ProductKernels& products);

} // namespace gufo::avx512
