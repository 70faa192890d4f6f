#include "inference/engine/compute/operations.h"

#include "tensor/kernels/kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

namespace gufo::inference {
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

namespace {

void normaliseBy(NormKind kind, double epsilon, const float* in, const float* weights, float* out, std::size_t count) {
    const RowKernels& rows = activeKernels().rows;
    const auto length = static_cast<double>(count);
    const double mean = kind == NormKind::Layer ? rows.sum(in, count) / length : 0;
    const double factor = 1 / std::sqrt(rows.squares(in, count, mean) / length + epsilon);
    rows.normalise(in, mean, factor, weights, out, count);
}

} // namespace

void applyNorm(const Norm& norm, NormKind kind, double epsilon, std::span<const float> in, std::span<float> out) {
    const std::size_t length = norm.length;
    for (std::size_t begin = 0; begin < in.size(); begin += length) {
        const std::size_t weights = begin % norm.weight.size();
        float* piece = out.data() + begin;
        normaliseBy(kind, epsilon, in.data() + begin, norm.weight.data() + weights, piece, length);
        if (!norm.bias.empty()) {
            addScaled(piece, norm.bias.data() + weights, 1, length);
        }
    }
}

void normalise(NormKind kind, double epsilon, std::span<float> x) {
    normaliseBy(kind, epsilon, x.data(), nullptr, x.data(), x.size());
}

void sparsify(std::span<float> x, double deviations) {
    const RowKernels& rows = activeKernels().rows;
    const auto count = static_cast<double>(x.size());
    const double mean = rows.sum(x.data(), x.size()) / count;
    const double deviation =
        x.size() > 1 ? std::sqrt(rows.squares(x.data(), x.size(), mean) / (count - 1)) : 0; // of a sample
    const auto threshold = static_cast<float>(mean + deviations * deviation);
    std::ranges::transform(x, x.begin(), [&](float v) { return std::max(v - threshold, 0.0F); });
}

void softmax(std::span<float> x) {
    const float largest = *std::ranges::max_element(x);
    const auto factor = static_cast<float>(1 / activeKernels().rows.exponentials(x.data(), x.size(), largest));
    for (float& value : x) {
        value *= factor;
    }
}

float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

float silu(float x) {
    activeKernels().rows.silu(&x, nullptr, &x, 1);
    return x;
}

float softplus(float x) {
    activeKernels().rows.softplus(&x, 1);
    return x;
}

void softplus(std::span<float> x) { activeKernels().rows.softplus(x.data(), x.size()); }

float exactGelu(float x) { return 0.5F * x * (1 + std::erf(x * std::numbers::sqrt2_v<float> / 2)); }

namespace {

void exactGeluOfAll(const float* of, const float* by, float* out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = exactGelu(of[i]) * (by != nullptr ? by[i] : 1);
    }
}

void relu(const float* of, const float* by, float* out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = std::max(of[i], 0.0F) * (by != nullptr ? by[i] : 1);
    }
}

void squaredRelu(const float* of, const float* by, float* out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const float positive = std::max(of[i], 0.0F);
        out[i] = positive * positive * (by != nullptr ? by[i] : 1);
    }
}

RowKernels::Gate gateOf(Activation activation) {
    const RowKernels& rows = activeKernels().rows;
    switch (activation) {
    case Activation::Silu:
        return rows.silu;
    case Activation::ExactGelu:
        return exactGeluOfAll;
    case Activation::Relu:
        return relu;
    case Activation::SquaredRelu:
        return squaredRelu;
    case Activation::Gelu:
    case Activation::Xielu: // this one and the next are computed by separate functions
    case Activation::ClampedSwiglu:
        break;
    }
    return rows.gelu;
}

} // namespace

void activate(Activation activation, std::span<float> x) { gateOf(activation)(x.data(), nullptr, x.data(), x.size()); }

void activateXielu(const XieluShape& shape, std::span<float> x) {
    std::array<float, 256> exponentials{};
    for (std::size_t begin = 0; begin < x.size(); begin += exponentials.size()) {
        const std::span<float> part = x.subspan(begin, std::min(exponentials.size(), x.size() - begin));
        std::ranges::transform(part, exponentials.begin(), [&](float v) { return std::min(v, shape.epsilon); });
        (void)activeKernels().rows.exponentials(exponentials.data(), part.size(), 0); // none is above 1
        for (std::size_t i = 0; i < part.size(); ++i) {
            const float v = part[i];
            part[i] = (v > 0 ? shape.positive * v * v : shape.negative * (exponentials[i] - 1 - v)) + shape.beta * v;
        }
    }
}

namespace {

constexpr float kLimit = 7;
constexpr float kSlope = 1.702F;

void clampedSwiglu(std::span<const float> gate, std::span<float> x) {
    std::array<float, 256> sloped{};
    for (std::size_t begin = 0; begin < x.size(); begin += sloped.size()) {
        const std::span<float> part = x.subspan(begin, std::min(sloped.size(), x.size() - begin));
        std::ranges::transform(gate.subspan(begin, part.size()), sloped.begin(),
                               [](float g) { return kSlope * std::min(g, kLimit); });
        // g sigmoid(slope g) = silu(slope g) / slope
        std::ranges::transform(part, part.begin(),
                               [](float u) { return (std::clamp(u, -kLimit, kLimit) + 1) / kSlope; });
        activeKernels().rows.silu(sloped.data(), part.data(), part.data(), part.size());
    }
}

} // namespace

void activateGated(Activation activation, std::span<const float> gate, std::span<float> x) {
    if (activation == Activation::ClampedSwiglu) {
        return clampedSwiglu(gate, x);
    }
    gateOf(activation)(gate.data(), x.data(), x.data(), x.size());
}

void softCap(std::span<float> x, double cap) {
    const auto limit = static_cast<float>(cap);
    for (float& value : x) {
        value = limit * std::tanh(value / limit);
    }
}

void finishLogits(const ModelShape& shape, std::span<float> logits) {
    if (shape.logitFactor != 1) {
        const auto factor = static_cast<float>(shape.logitFactor);
        std::ranges::transform(logits, logits.begin(), [&](float x) { return x * factor; });
    }
    if (shape.logitCap > 0) {
        softCap(logits, shape.logitCap);
    }
}

} // namespace gufo::inference
