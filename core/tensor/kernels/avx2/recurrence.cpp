#include "tensor/kernels/kernels.h"

#include <immintrin.h>

namespace {

using Floats = float __attribute__((vector_size(32)));

inline Floats multiplyAdd(Floats a, Floats b, Floats c) {
    return reinterpret_cast<Floats>(
        _mm256_fmadd_ps(reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b), reinterpret_cast<__m256>(c)));
}

} // namespace

#include "tensor/kernels/portable/recurrence.h"

namespace gufo::avx2 {

void installRecurrence(RecurrenceKernels& kernels) { installPortableRecurrence(kernels); }

} // namespace gufo::avx2
