#include "tensor/kernels/kernels.h"

#include <arm_neon.h>

namespace {

using Floats = float __attribute__((vector_size(16)));

inline Floats multiplyAdd(Floats a, Floats b, Floats c) {
    return reinterpret_cast<Floats>(vfmaq_f32(reinterpret_cast<float32x4_t>(c), reinterpret_cast<float32x4_t>(a),
                                              reinterpret_cast<float32x4_t>(b)));
}

} // namespace

#include "tensor/kernels/portable/recurrence.h"

namespace gufo::neon {

void installRecurrence(RecurrenceKernels& kernels) { installPortableRecurrence(kernels); }

} // namespace gufo::neon
