// Arithmetic on rows of floats that are being worked on: activations, norms, softmax.
//
// Exponentials are within 2 ulp of the exact ones where those are normal numbers, and 0 below; the same on every
// instruction set within that.
#pragma once

#include <cstddef>

namespace gufo {

struct RowKernels {
    // out[i] = f(of[i]) × by[i]; `by` may be null, for 1, and `out` any of them. SiLU x / (1 + e^−x), GELU with tanh.
    using Gate = void (*)(const float* of, const float* by, float* out, std::size_t count);
    Gate silu = nullptr;
    Gate gelu = nullptr;

    // x[i] = e^(x[i] − largest), none of which is more than 1; returns their sum.
    double (*exponentials)(float* x, std::size_t count, float largest) = nullptr;

    double (*sum)(const float* x, std::size_t count) = nullptr;
    // Σ (x[i] − mean)²
    double (*squares)(const float* x, std::size_t count, double mean) = nullptr;
    // out[i] = (x[i] − mean) × factor × weights[i], where `weights` may be null, for 1; `out` may be `x`.
    void (*normalise)(const float* x, double mean, double factor, const float* weights, float* out,
                      std::size_t count) = nullptr;
};

} // namespace gufo
