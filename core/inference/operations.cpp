#include "inference/operations.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace gufo::inference {
namespace {

using F32x4 = float __attribute__((vector_size(16)));

F32x4 load4(const float* from) {
    F32x4 value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

void store4(float* to, F32x4 value) { std::memcpy(to, &value, sizeof value); }

} // namespace

float dot(const float* a, const float* b, std::size_t count) {
    F32x4 sums[4]{};
    std::size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        for (std::size_t k = 0; k < 4; ++k) {
            sums[k] += load4(a + i + 4 * k) * load4(b + i + 4 * k);
        }
    }
    const F32x4 sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    float total = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    for (; i < count; ++i) {
        total += a[i] * b[i];
    }
    return total;
}

void addScaled(float* y, const float* x, float factor, std::size_t count) {
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        store4(y + i, load4(y + i) + factor * load4(x + i));
    }
    for (; i < count; ++i) {
        y[i] += factor * x[i];
    }
}

void add(std::span<float> y, std::span<const float> x) { addScaled(y.data(), x.data(), 1, y.size()); }

void applyNorm(const Norm& norm, NormKind kind, double epsilon, std::span<const float> in, std::span<float> out) {
    const std::size_t length = norm.length;
    for (std::size_t begin = 0; begin < in.size(); begin += length) {
        const std::span<float> piece = out.subspan(begin, length);
        std::copy_n(in.data() + begin, length, piece.data());
        normalise(kind, epsilon, piece);
        const std::size_t weights = begin % norm.weight.size();
        for (std::size_t i = 0; i < length; ++i) {
            piece[i] *= norm.weight[weights + i];
        }
        if (!norm.bias.empty()) {
            addScaled(piece.data(), norm.bias.data() + weights, 1, length);
        }
    }
}

void normalise(NormKind kind, double epsilon, std::span<float> x) {
    const auto count = static_cast<double>(x.size());
    double mean = 0;
    if (kind == NormKind::Layer) {
        for (const float value : x) {
            mean += static_cast<double>(value);
        }
        mean /= count;
    }
    double squares = 0;
    for (const float value : x) {
        const double centred = static_cast<double>(value) - mean;
        squares += centred * centred;
    }
    const double factor = 1 / std::sqrt(squares / count + epsilon);
    for (float& value : x) {
        value = static_cast<float>((static_cast<double>(value) - mean) * factor);
    }
}

void softmax(std::span<float> x) {
    const float largest = *std::ranges::max_element(x);
    double sum = 0;
    for (float& value : x) {
        value = std::exp(value - largest);
        sum += static_cast<double>(value);
    }
    const auto factor = static_cast<float>(1 / sum);
    for (float& value : x) {
        value *= factor;
    }
}

float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

float silu(float x) { return x / (1 + std::exp(-x)); }

// Hendrycks and Gimpel 2016, the approximation with tanh.
float gelu(float x) {
    constexpr auto kRoot = static_cast<float>(std::numbers::sqrt2 * std::numbers::inv_sqrtpi); // √(2/π)
    return 0.5F * x * (1 + std::tanh(kRoot * x * (1 + 0.044715F * x * x)));
}

// ln(1 + e^x), which is x where e^x would overflow.
float softplus(float x) { return x > 20 ? x : std::log1p(std::exp(x)); }

void activate(Activation activation, std::span<float> x) {
    for (float& value : x) {
        value = activation == Activation::Silu ? silu(value) : gelu(value);
    }
}

void activateGated(Activation activation, std::span<const float> gate, std::span<float> x) {
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] *= activation == Activation::Silu ? silu(gate[i]) : gelu(gate[i]);
    }
}

void softCap(std::span<float> x, double cap) {
    const auto limit = static_cast<float>(cap);
    for (float& value : x) {
        value = limit * std::tanh(value / limit);
    }
}

} // namespace gufo::inference
