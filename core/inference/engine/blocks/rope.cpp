#include "inference/engine/blocks/rope.h"

#include "inference/engine/compute/operations.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gufo::inference {
namespace {

// The pair that makes `rotations` full rotations within the original context (YaRN, equation 17 ff.).
double pairOf(double rotations, const RopeShape& shape, double rotated) {
    return rotated * std::log(shape.originalContext / (rotations * 2 * std::numbers::pi)) / (2 * std::log(shape.base));
}

} // namespace

Rope::Rope(Memory& memory, std::size_t batch, RopeKind kind, const RopeShape& shape, std::span<const float> factors)
    : m_kind(kind)
    , m_magnitude(shape.attentionFactor) {
    if (kind == RopeKind::None) {
        return;
    }
    const std::uint32_t rotated = shape.rotated;
    const bool yarn = shape.scaling == RopeScaling::Yarn;
    const double low = yarn ? std::max(0.0, std::floor(pairOf(shape.yarnFast, shape, rotated))) : 0;
    const double high = yarn ? std::min(rotated - 1.0, std::ceil(pairOf(shape.yarnSlow, shape, rotated))) : 0;
    for (std::uint32_t pair = 0; pair < rotated / 2; ++pair) {
        const double factor = pair < factors.size() ? static_cast<double>(factors[pair]) : 1;
        const double original = std::pow(shape.base, -2.0 * pair / rotated) / factor;
        // Fast pairs keep their frequency, slow pairs are interpolated, and pairs in between blend the two.
        const double slow = yarn ? std::clamp((pair - low) / std::max(0.001, high - low), 0.0, 1.0) : 1;
        const bool still = pair < shape.still.size() && shape.still[pair];
        m_frequencies.push_back(still ? 0 : original * (shape.scale * slow + (1 - slow)));
    }
    if (yarn) {
        m_magnitude *= 1 + 0.1 * std::log(1 / shape.scale);
    }
    m_cosines = memory.take<float>(batch, m_frequencies.size());
    m_sines = memory.take<float>(batch, m_frequencies.size());
}

void Rope::prepare(std::uint32_t first, std::size_t count, std::size_t index) {
    for (std::size_t i = 0; i < count; ++i) {
        prepareOne(index + i, static_cast<double>(first) + static_cast<double>(i), m_magnitude);
    }
}

void Rope::prepareShift(std::int64_t positions) { prepareOne(0, static_cast<double>(positions), 1); }

void Rope::prepareOne(std::size_t index, double position, double magnitude) {
    const std::size_t pairs = m_frequencies.size();
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        const double angle = position * m_frequencies[pair];
        m_cosines[index * pairs + pair] = static_cast<float>(std::cos(angle) * magnitude);
        m_sines[index * pairs + pair] = static_cast<float>(std::sin(angle) * magnitude);
    }
}

void Rope::rotate(float* head, std::size_t index) const {
    const std::size_t pairs = m_frequencies.size();
    rotatePairs(head, m_cosines + index * pairs, m_sines + index * pairs);
}

void Rope::rotatePairs(float* head, const float* cosines, const float* sines) const {
    const std::size_t pairs = m_frequencies.size();
    const bool interleaved = m_kind == RopeKind::Interleaved;
    std::size_t pair = 0;
    for (; pair + 4 <= pairs; pair += 4) {
        const F32x4 cosine = load4(cosines + pair);
        const F32x4 sine = load4(sines + pair);
        float* first = head + (interleaved ? 2 * pair : pair);
        float* second = interleaved ? first + 4 : first + pairs;
        const F32x4 low = load4(first);
        const F32x4 high = load4(second);
        const F32x4 a = interleaved ? __builtin_shufflevector(low, high, 0, 2, 4, 6) : low;
        const F32x4 b = interleaved ? __builtin_shufflevector(low, high, 1, 3, 5, 7) : high;
        const F32x4 turnedA = a * cosine - b * sine;
        const F32x4 turnedB = a * sine + b * cosine;
        store4(first, interleaved ? __builtin_shufflevector(turnedA, turnedB, 0, 4, 1, 5) : turnedA);
        store4(second, interleaved ? __builtin_shufflevector(turnedA, turnedB, 2, 6, 3, 7) : turnedB);
    }
    for (; pair < pairs; ++pair) {
        float& a = head[interleaved ? 2 * pair : pair];
        float& b = head[interleaved ? 2 * pair + 1 : pair + pairs];
        const float rotated = a * cosines[pair] - b * sines[pair];
        b = a * sines[pair] + b * cosines[pair];
        a = rotated;
    }
}

} // namespace gufo::inference
