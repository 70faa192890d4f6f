// Arithmetic on rows of floats: activations, norms, softmax.
//
// Exponentials are within 2 ulp of the exact value if that is a normal number, and 0 below. Instruction sets may differ
// within these bounds.
#pragma once

#include <cstddef>

namespace gufo {

struct RowKernels {
    // out[i] = f(of[i]) × by[i]. `by` may be null, which means 1; `out` may be the same as `of` or `by`. SiLU is x / (1
    // + e^−x); GELU is the approximation with tanh; the sigmoid is 1 / (1 + e^−x).
    using Gate = void (*)(const float* of, const float* by, float* out, std::size_t count);
    Gate silu = nullptr;
    Gate gelu = nullptr;
    Gate sigmoid = nullptr;

    // x[i] = ln(1 + e^x[i]), within 4 ulp under the same condition.
    void (*softplus)(float* x, std::size_t count) = nullptr;
    // x[i] = e^(x[i] − largest), which is at most 1. Returns their sum.
    double (*exponentials)(float* x, std::size_t count, float largest) = nullptr;

    double (*sum)(const float* x, std::size_t count) = nullptr;
    // Σ (x[i] − mean)²
    double (*squares)(const float* x, std::size_t count, double mean) = nullptr;
    // out[i] = (x[i] − mean) × factor × weights[i]. `weights` may be null, which means 1; `out` may be `x`.
    void (*normalise)(const float* x, double mean, double factor, const float* weights, float* out,
                      std::size_t count) = nullptr;
};

} // namespace gufo
