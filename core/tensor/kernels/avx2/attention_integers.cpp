// Attention over F16 and Q8_0 in integers.
#include "tensor/kernels/avx2/vectors16.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/x86/attention_f16.h"
#include "tensor/kernels/x86/attention_q8.h"
#include "tensor/tensor_type.h"

namespace gufo::avx2 {

void installIntegerAttention(AttentionKernels& kernels) {
    kernels.types[TensorType::F16] = {.score = attention_f16::score<Vectors16, scoreF16AsFloats>,
                                      .scoreTiles = attention_f16::scoreTiles<Vectors16>,
                                      .gather = attention_f16::gather<Vectors16>};
    auto& q8 = kernels.types[TensorType::Q8_0];
    q8.scoreTiles = attention_q8::scoreTiles<Vectors16>;
    q8.gather = attention_q8::gather<Vectors16>;
}

} // namespace gufo::avx2
