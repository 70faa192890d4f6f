// The residual of activations that were rounded to eight bits, rounded to eight bits too. The products of both add up
// to those of activations of about sixteen bits, with the kernels for eight, for every type of weights.
#pragma once

#include "tensor/kernels/products.h"

#include <algorithm>

namespace gufo::inference {

// Rounds the residual x − `rounded`, of which the runs are as far apart as those of the result.
inline void roundResidual(const ProductKernels& products, const float* x, std::size_t columns, const Int8Run* rounded,
                          const Int8Out& to) {
    for (std::size_t begin = 0, run = 0; begin < columns; begin += kRunWeights, ++run) {
        const Int8Run& known = rounded[run * to.stride];
        const std::size_t count = std::min(kRunWeights, columns - begin);
        float residual[kRunWeights]{};
        std::copy_n(x + begin, count, residual); // values beyond the row are 0
        for (std::size_t part = 0; part < kRunWeights / 16; ++part) {
            for (std::size_t i = 16 * part; i < 16 * part + 16; ++i) { // of constant length, to be vectorised
                residual[i] -= known.scales[part] * static_cast<float>(known.values[i]);
            }
        }
        products.toInt8(residual, count,
                        {.runs = to.runs + run * to.stride,
                         .transposed = to.transposed != nullptr ? to.transposed + run : nullptr});
    }
}

} // namespace gufo::inference
