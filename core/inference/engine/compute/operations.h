// Arithmetic of the forward pass on rows of floats. Norms sum in double precision.
//
// Thread contract: pure functions.
#pragma once

#include "inference/engine/binding/graph_traits.h"
#include "inference/engine/binding/shape.h"
#include "inference/engine/binding/weights.h"

#include <cstring>
#include <span>

namespace gufo::inference {

[[nodiscard]] float dot(const float* a, const float* b, std::size_t count);
// y += factor × x
void addScaled(float* y, const float* x, float factor, std::size_t count);
void add(std::span<float> y, std::span<const float> x);

// Norms pieces of norm.length elements each: x / √(mean x² + ε) × weight (RMS), or (x − mean) / √(variance + ε) ×
// weight + bias (Layer). `out` may be `in`.
void applyNorm(const Norm& norm, NormKind kind, double epsilon, std::span<const float> in, std::span<float> out);
// The same without weights, over the whole of `x`.
void normalise(NormKind kind, double epsilon, std::span<float> x);

// Subtracts the mean and `deviations` standard deviations, and replaces negative results by 0.
void sparsify(std::span<float> x, double deviations);

void softmax(std::span<float> x);
[[nodiscard]] float sigmoid(float x);
[[nodiscard]] float silu(float x);
[[nodiscard]] float gelu(float x); // tanh approximation
[[nodiscard]] float exactGelu(float x);
[[nodiscard]] float softplus(float x); // ln(1 + e^x)
void softplus(std::span<float> x);     // of each element, which is several times as fast
// The activations that have no parameters.
void activate(Activation activation, std::span<float> x);
void activateXielu(const XieluShape& shape, std::span<float> x);
// x = activation(gate) × x
void activateGated(Activation activation, std::span<const float> gate, std::span<float> x);
// cap × tanh(x / cap)
void softCap(std::span<float> x, double cap);
// Applies the factor and the soft cap of logits.
void finishLogits(const ModelShape& shape, std::span<float> logits);

// Four floats at once, in the vector extension of GCC and Clang, which works on every processor.
using F32x4 = float __attribute__((vector_size(16)));

inline F32x4 load4(const float* from) {
    F32x4 value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

inline void store4(float* to, F32x4 value) { std::memcpy(to, &value, sizeof value); }

} // namespace gufo::inference
