#include "tensor/kernels/kernels.h"

#include <algorithm>

namespace gufo {

const Kernels& kernelsFor(Isa isa) {
    if (std::ranges::find(availableIsas(), isa) == availableIsas().end()) {
        return scalar::kernels();
    }
    switch (isa) {
    case Isa::Scalar:
    case Isa::Neon:
    case Isa::Avx2:
    case Isa::Avx512:
        break;
    }
    return scalar::kernels();
}

const Kernels& activeKernels() {
    static const Kernels& active = kernelsFor(activeIsa());
    return active;
}

} // namespace gufo
