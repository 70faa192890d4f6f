#include "tensor/kernels/avx2/primitives.h"
// The AVX2 kernels: the portable ones, compiled with the primitives of primitives.h.
#include "tensor/kernels/portable/install.h"

namespace gufo::avx2 {

void install(Kernels& kernels) { installPortable(kernels); }

} // namespace gufo::avx2
