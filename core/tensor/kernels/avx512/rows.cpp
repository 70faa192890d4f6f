#include "tensor/kernels/portable/rows.h"

#include "tensor/kernels/avx512/install.h"

namespace gufo::avx512 {

void installRowKernels(RowKernels& rows) { installRows<16>(rows); }

} // namespace gufo::avx512
