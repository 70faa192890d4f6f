#include "tensor/kernels/neon/primitives.h"
// The portable kernels use the primitives above.
#include "tensor/kernels/portable/install.h"

namespace gufo::neon {

void install(Kernels& kernels) { installPortable(kernels); }

} // namespace gufo::neon
