#include "tensor/kernels/neon/primitives.h"
// The NEON kernels: the portable ones, compiled with the primitives of primitives.h.
#include "tensor/kernels/portable/install.h"

namespace gufo::neon {

void install(Kernels& kernels) { installPortable(kernels); }

} // namespace gufo::neon
