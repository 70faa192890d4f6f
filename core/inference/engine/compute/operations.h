// The arithmetic of the forward pass on rows of floats. Sums of norms are in double.
//
// Threads: pure functions.
#pragma once

#include "inference/engine/binding/architecture.h"
#include "inference/engine/binding/weights.h"

#include <span>

namespace gufo::inference {

[[nodiscard]] float dot(const float* a, const float* b, std::size_t count);
// y += factor × x
void addScaled(float* y, const float* x, float factor, std::size_t count);
void add(std::span<float> y, std::span<const float> x);

// Pieces of norm.length elements each: x / √(mean x² + ε) × weight (RMS), or (x − mean) / √(variance + ε) × weight +
// bias. `out` may be `in`.
void applyNorm(const Norm& norm, NormKind kind, double epsilon, std::span<const float> in, std::span<float> out);
// The same without weights, over all of `x`.
void normalise(NormKind kind, double epsilon, std::span<float> x);

void softmax(std::span<float> x);
[[nodiscard]] float sigmoid(float x);
[[nodiscard]] float silu(float x);
[[nodiscard]] float gelu(float x); // tanh form
[[nodiscard]] float softplus(float x);
void activate(Activation activation, std::span<float> x);
// x = activation(gate) × x
void activateGated(Activation activation, std::span<const float> gate, std::span<float> x);
// cap × tanh(x / cap)
void softCap(std::span<float> x, double cap);

} // namespace gufo::inference
