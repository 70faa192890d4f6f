// Arithmetic on rows of floats, element by element.
#include "tensor/kernels/kernels.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gufo::scalar {
namespace {

float silu(float x) { return x / (1 + std::exp(-x)); }

// The approximation with tanh, from Hendrycks and Gimpel 2016.
float gelu(float x) {
    constexpr auto kRoot = static_cast<float>(std::numbers::sqrt2 * std::numbers::inv_sqrtpi); // √(2/π)
    return 0.5F * x * (1 + std::tanh(kRoot * x * (1 + 0.044715F * x * x)));
}

float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

template<float (*function)(float)>
void gate(const float* of, const float* by, float* out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = function(of[i]) * (by != nullptr ? by[i] : 1);
    }
}

// It equals x in float where e^x is large.
void softplus(float* x, std::size_t count) {
    std::transform(x, x + count, x, [](float v) { return v > 20 ? v : std::log1p(std::exp(v)); });
}

double exponentials(float* x, std::size_t count, float largest) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        x[i] = std::exp(x[i] - largest);
        sum += static_cast<double>(x[i]);
    }
    return sum;
}

double sum(const float* x, std::size_t count) {
    double total = 0;
    for (std::size_t i = 0; i < count; ++i) {
        total += static_cast<double>(x[i]);
    }
    return total;
}

double squares(const float* x, std::size_t count, double mean) {
    double total = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double centred = static_cast<double>(x[i]) - mean;
        total += centred * centred;
    }
    return total;
}

void normalise(const float* x, double mean, double factor, const float* weights, float* out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const auto value = static_cast<float>((static_cast<double>(x[i]) - mean) * factor);
        out[i] = value * (weights != nullptr ? weights[i] : 1);
    }
}

} // namespace

void installRows(RowKernels& rows) {
    rows = {.silu = gate<silu>,
            .gelu = gate<gelu>,
            .sigmoid = gate<sigmoid>,
            .softplus = softplus,
            .exponentials = exponentials,
            .sum = sum,
            .squares = squares,
            .normalise = normalise};
}

} // namespace gufo::scalar
