#include "tensor/kernels/x86/attention_f16.h"

#include "tensor/kernels/avx512/vectors16.h"
#include "tensor/kernels/kernels.h"
#include "tensor/tensor_type.h"

namespace gufo::avx512 {

void installAttentionF16(AttentionKernels& kernels) {
    kernels.types[TensorType::F16] = {
        .score = score<Vectors16, scoreF16AsFloats>, .scoreTiles = scoreTiles<Vectors16>, .gather = gather<Vectors16>};
}

} // namespace gufo::avx512
