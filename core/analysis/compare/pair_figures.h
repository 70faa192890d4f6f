// The figures of two sets of weights, a (the reference) and b, after one pass over their pairs.
#pragma once

#include "tensor/kernels/pair_sums.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace gufo {

// Sums over pairs to whose columns an importance matrix gives importance.
struct ImportanceSums {
    double error = 0;  // Σ importance × (a − b)²
    double energy = 0; // Σ importance × a²
};
struct ComparedSums : PairSums {
    ImportanceSums important{}; // 0 without importance

    using PairSums::merge;
    void merge(const ComparedSums& other);
};

// Figures derived from the sums. A figure has no value if it is undefined: there is no pair, a norm is 0, or a double
// cannot hold it.
struct PairFigures {
    std::optional<double> rmse{};
    std::optional<double> mae{};
    std::optional<double> bias{}; // mean of b − a
    std::optional<double> maxError{};
    std::optional<double> nmse{};   // Σ(a−b)² / Σa²; 0 if all weights of both are 0, no value if only a's weights are
    std::optional<double> sqnrDb{}; // −10·log10 of nmse; no value if nmse is 0
    // As nmse and sqnrDb, with errors weighted by importance; no value without an importance matrix. The output of a
    // matrix depends on its columns as much as their inputs are large, so these figures show what quantising with an
    // importance matrix gains.
    std::optional<double> weightedNmse{};
    std::optional<double> weightedSqnrDb{};
    std::optional<double> cosine{};     // from −1 to 1
    std::optional<double> equalShare{}; // share of equal pairs; values that are not finite are never equal
};
[[nodiscard]] PairFigures figuresOf(const PairSums& sums);
[[nodiscard]] PairFigures figuresOf(const ComparedSums& sums);

// How two sets of weights compare, apart from the figures. These cover only finite pairs that both files contain, so
// perfect figures alone do not imply that the weights are equal.
enum class Likeness : std::uint8_t {
    Identical,          // the same type and bytes
    Equal,              // other bytes, but every weight was compared and is equal
    EqualWhereCompared, // as Equal, but weights are left out: NaN, infinite, or beyond the end of a file
    Different,
};
[[nodiscard]] Likeness likenessOf(const PairSums& sums, bool identical, bool truncated);

// Errors by the magnitude of the reference's weight, and errors by their own magnitude. The bins are exact counts and
// sums whose range need not be known beforehand, so one pass suffices. Only non-empty bins are kept.
struct ErrorProfile {
    // Weights with 2^exponent ≤ |a| < 2^(exponent + 1). kLowest also contains all smaller weights and zeros, kHighest
    // all larger ones.
    struct Octave {
        int exponent = 0;
        std::uint64_t pairs = 0;
        double squares = 0;      // Σa²
        double errorSquares = 0; // Σ(a−b)²
        // √(Σ(a−b)² / Σa²); no value if the weights are 0.
        [[nodiscard]] std::optional<double> relativeError() const;
    };
    std::vector<Octave> octaves; // ascending
    // Pairs with lower ≤ |a − b| < upper. An octave has two bins, which meet at 1.5 times its power of two. The first
    // possible bin (lower = 0) also contains errors of 0.
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
