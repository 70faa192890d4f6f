// The search for the scales of a super-block of 256 weights that are levels × d × factor: a half d, and for each
// sub-block an integer factor and the levels of its weights. It is the scalar counterpart of
// kernels/portable/nested_search.h for types whose levels cannot be chosen weight by weight.
//
// A format provides:
//   Coder             chooses the levels of a sub-block for a given scale (see below)
//   kFactors, kUnit   the weights are levels × d × kUnit × factor
//   kLargest          the factors to which the largest scale of a sub-block may be mapped
//   kBlockBytes, pack(d, sub-blocks, bytes)
// A coder provides:
//   kWeights          weights of a sub-block
//   kPositive         whether scales must be positive, because the levels are symmetric
//   kPeaks            the levels to which the largest weight of a sub-block may be mapped
//   Codes             the stored form of the levels
//   choose(x, w, scale, effort, codes)   the levels with the least error, and their fit
#pragma once

#include "tensor/float_formats.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace gufo::scalar {

// How well the levels v fit the weights x at a scale: Σ w (x − scale v)², Σ w v (x − scale v) and Σ w v².
struct LevelFit {
    float error = 0;
    float slope = 0;
    float curve = 0;

    // The change of the scale that fits these levels best.
    [[nodiscard]] float step() const { return curve > 0 ? slope / curve : 0.0F; }
};

// The factors first, first + step, ….
struct Factors {
    int first;
    int step;
    int count;

    [[nodiscard]] constexpr float at(int i) const { return static_cast<float>(first + step * i); }
};

enum class Effort : std::uint8_t {
    Quick,    // may look at the likely levels only
    Thorough, // finds the best ones
};

template<typename Coder>
struct SubBlock {
    int factor = 0; // its number among the format's factors
    typename Coder::Codes codes{};
};

template<typename Format>
class ScaleSearch {
    using Coder = typename Format::Coder;
    static constexpr std::size_t kCount = 256 / Coder::kWeights;
    static constexpr float kSmallest = 0x1p-60F; // smaller numbers count as zero, because no half can represent them
    static constexpr float kLargestHalf = 65504;

public:
    ScaleSearch(const float* x, const float* w)
        : m_x(x)
        , m_w(w) {}

    void encode(std::byte* out) {
        m_best.error = 0;
        for (std::size_t i = 0; i < 256; ++i) {
            m_best.error += m_w[i] * m_x[i] * m_x[i];
        }
        float largest = 0;
        for (std::size_t s = 0; s < kCount; ++s) {
            m_ideal[s] = idealScale(s);
            largest = std::abs(m_ideal[s]) > std::abs(largest) ? m_ideal[s] : largest;
        }
        if (largest != 0) {
            for (const float factor : Format::kLargest) {
                trySuperScale(largest / (factor * Format::kUnit), Effort::Quick);
            }
            for (int round = 0; round < 2 && m_best.d != 0; ++round) {
                trySuperScale(m_best.d + m_best.step / Format::kUnit, Effort::Thorough);
            }
        }
        const float d = chooseCodes();
        Format::pack(halfFromFloat(d), m_subBlocks.data(), out);
    }

private:
    struct Trial {
        float d = 0;
        float step = 0; // to the d × kUnit that fits the levels best
        float error = 0;
        std::array<int, kCount> factors{};
    };

    LevelFit choose(std::size_t s, float scale, Effort effort, typename Coder::Codes& codes) const {
        return Coder::choose(m_x + s * Coder::kWeights, m_w + s * Coder::kWeights, scale, effort, codes);
    }

    // The best scale of a sub-block by itself: tries many, and fits the best of them to its levels.
    [[nodiscard]] float idealScale(std::size_t s) const {
        const float* const x = m_x + s * Coder::kWeights;
        const float* const w = m_w + s * Coder::kWeights;
        float peak = 0;
        float bestError = 0;
        for (std::size_t i = 0; i < Coder::kWeights; ++i) {
            peak = std::abs(x[i]) > std::abs(peak) ? x[i] : peak;
            bestError += w[i] * x[i] * x[i];
        }
        if (std::abs(peak) < kSmallest) {
            return 0;
        }
        peak = Coder::kPositive ? std::abs(peak) : peak;
        float best = 0;
        typename Coder::Codes codes;
        const auto attempt = [&](float scale) {
            const LevelFit fit = choose(s, scale, Effort::Quick, codes);
            const float fitted = scale + fit.step();
            const float error = fit.error - fit.step() * fit.slope;
            if (error < bestError && (!Coder::kPositive || fitted > 0)) {
                bestError = error;
                best = fitted;
            }
        };
        for (const float level : Coder::kPeaks) {
            attempt(peak / level);
        }
        for (int round = 0; round < 2 && best != 0; ++round) {
            attempt(best);
        }
        return best;
    }

    // Tries a value of d with the two factors next to the ideal scale of each sub-block or, in the end, with all that
    // give a scale of similar size: there may be better ones than the nearest, because the error of many fine levels
    // has many minima.
    void trySuperScale(float wanted, Effort effort) {
        constexpr Factors kFactors = Format::kFactors;
        Trial trial{.d = floatFromHalf(halfFromFloat(std::clamp(wanted, -kLargestHalf, kLargestHalf)))};
        const float unit = trial.d * Format::kUnit;
        if (trial.d == 0 || (Coder::kPositive && trial.d < 0)) {
            return;
        }
        float slope = 0;
        float curve = 0;
        typename Coder::Codes codes;
        for (std::size_t s = 0; s < kCount; ++s) {
            const float position = (m_ideal[s] / unit - static_cast<float>(kFactors.first)) / kFactors.step;
            const float clamped = std::clamp(position, 0.0F, static_cast<float>(kFactors.count - 1));
            const float ideal = std::abs(m_ideal[s]);
            int factor = 0;
            LevelFit fit{.error = std::numeric_limits<float>::infinity()};
            for (int candidate = 0; candidate < kFactors.count; ++candidate) {
                const float scale = unit * kFactors.at(candidate);
                const bool similar = std::abs(scale) > 0.7F * ideal && std::abs(scale) < 1.35F * ideal;
                const bool next = std::abs(static_cast<float>(candidate) - clamped) < 1;
                if (!next && (effort == Effort::Quick || !similar)) {
                    continue;
                }
                const LevelFit candidateFit = choose(s, scale, Effort::Quick, codes);
                if (candidateFit.error < fit.error) {
                    fit = candidateFit;
                    factor = candidate;
                }
            }
            trial.factors[s] = factor;
            trial.error += fit.error;
            slope += kFactors.at(factor) * fit.slope;
            curve += kFactors.at(factor) * kFactors.at(factor) * fit.curve;
            if (!(trial.error < m_best.error)) {
                return;
            }
        }
        trial.step = curve > 0 ? slope / curve : 0.0F;
        m_best = trial;
    }

    // Chooses the levels for the best d, and returns the half that fits them best.
    float chooseCodes() {
        const float unit = m_best.d * Format::kUnit;
        float slope = 0;
        float curve = 0;
        for (std::size_t s = 0; s < kCount; ++s) {
            const float factor = Format::kFactors.at(m_best.factors[s]);
            m_subBlocks[s].factor = m_best.factors[s];
            const LevelFit fit = choose(s, unit * factor, Effort::Thorough, m_subBlocks[s].codes);
            slope += factor * fit.slope;
            curve += factor * factor * fit.curve;
        }
        const float wanted = curve > 0 ? m_best.d + slope / curve / Format::kUnit : m_best.d;
        const float fitted = floatFromHalf(halfFromFloat(std::clamp(wanted, -kLargestHalf, kLargestHalf)));
        const float change = (fitted - m_best.d) * Format::kUnit;
        const bool better = m_best.d != 0 && change * (change * curve - 2 * slope) < 0;
        return better ? fitted : m_best.d;
    }

    const float* m_x;
    const float* m_w;
    std::array<float, kCount> m_ideal{};
    Trial m_best;
    std::array<SubBlock<Coder>, kCount> m_subBlocks{};
};

// A function of the table Kernels::encode.
template<typename Format>
void encodeSuperBlocks(const float* x, std::size_t blocks, const float* importance, std::size_t columns,
                       std::byte* out) {
    static constexpr auto kOnes = [] {
        std::array<float, 256> ones{};
        ones.fill(1);
        return ones;
    }();
    for (std::size_t b = 0; b < blocks; ++b) {
        const float* const w = importance != nullptr ? importance + 256 * b % columns : kOnes.data();
        ScaleSearch<Format>(x + 256 * b, w).encode(out + b * Format::kBlockBytes);
    }
}

} // namespace gufo::scalar
