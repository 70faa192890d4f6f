#include "tensor/kernels/avx2/primitives.h"
// The portable kernels use the primitives above.
#include "tensor/kernels/portable/install.h"

namespace gufo::avx2 {

void install(Kernels& kernels) { installPortable(kernels); }

} // namespace gufo::avx2
