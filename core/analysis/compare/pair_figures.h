// What is known of two sets of weights, a (the reference) and b, after one pass over their pairs. Definitions and edge
// cases: DESIGN.md §6.
#pragma once

#include "tensor/kernels/pair_sums.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace gufo {

// Figures of sums. Nothing where they make no sense: no pair, a norm of 0, or beyond what a double holds.
struct PairFigures {
    std::optional<double> rmse{};
    std::optional<double> mae{};
    std::optional<double> bias{}; // mean of b − a
    std::optional<double> maxError{};
    std::optional<double> nmse{};   // Σ(a−b)² / Σa²; 0 for equal zeros, nothing for others against zeros
    std::optional<double> sqnrDb{}; // −10·log10 of it; nothing where it is 0
    std::optional<double> cosine{};
    std::optional<double> equalShare{}; // of the pairs
};
[[nodiscard]] PairFigures figuresOf(const PairSums& sums);

// Errors by the magnitude of the reference's weight, and errors by their own magnitude: exact counts and sums in bins
// that need no range beforehand, so that one pass is enough. Only the bins in use are kept.
struct ErrorProfile {
    // Weights with 2^exponent ≤ |a| < 2^(exponent + 1). kLowest takes all smaller ones and zeros, kHighest all larger.
    struct Octave {
        int exponent = 0;
        std::uint64_t pairs = 0;
        double squares = 0;      // Σa²
        double errorSquares = 0; // Σ(a−b)²
        // √(Σ(a−b)² / Σa²); nothing where the weights are 0.
        [[nodiscard]] std::optional<double> relativeError() const;
    };
    std::vector<Octave> octaves; // ascending
    // Pairs with lower ≤ |a − b| < upper: the two bins of an octave part at one and a half times its power of two. The
    // first possible bin (lower = 0) also takes errors of 0.
    struct ErrorBin {
        double lower = 0;
        double upper = 0; // +∞ for the last possible bin
        std::uint64_t pairs = 0;
    };
    std::vector<ErrorBin> errors; // ascending

    static constexpr int kLowest = PairBins::kLowestExponent;
    static constexpr int kHighest = kLowest + static_cast<int>(PairBins::kOctaves) - 1;
};

} // namespace gufo
