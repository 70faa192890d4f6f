// Arithmetic on rows of floats, and the recurrences, which use it.
#include "tensor/kernels/avx512/install.h"

#include <immintrin.h>

namespace {

using Floats = float __attribute__((vector_size(64)));

inline Floats multiplyAdd(Floats a, Floats b, Floats c) {
    return reinterpret_cast<Floats>(
        _mm512_fmadd_ps(reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b), reinterpret_cast<__m512>(c)));
}

} // namespace

#include "tensor/kernels/portable/recurrence.h"

namespace gufo::avx512 {

void installRowKernels(RowKernels& rows) { installRows<16>(rows); }
void installRecurrence(RecurrenceKernels& kernels) { installPortableRecurrence(kernels); }

} // namespace gufo::avx512
