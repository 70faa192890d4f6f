#include "tensor/kernels/x86/attention_q8.h"

#include "tensor/kernels/avx2/vectors16.h"
#include "tensor/kernels/kernels.h"
#include "tensor/tensor_type.h"

namespace gufo::avx2 {

void installAttentionQ8(AttentionKernels& kernels) {
    auto& functions = kernels.types[TensorType::Q8_0];
    functions.scoreTiles = scoreTiles<Vectors16>;
    functions.gather = gather<Vectors16>;
}

} // namespace gufo::avx2
