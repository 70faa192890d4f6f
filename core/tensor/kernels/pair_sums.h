// The accumulators of the kernels that compare weights: sums over pairs (a, b) of finite numbers, and bins.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gufo {

// Sums in f64 over pairs in which both numbers are finite.
struct PairSums {
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};

    std::uint64_t pairs = 0;
    std::uint64_t excluded = 0; // pairs with a NaN or an infinity
    std::uint64_t equal = 0;    // pairs with a = b; zeros are equal whatever their sign
    double aa = 0;              // Σa²
    double bb = 0;
    double ab = 0;
    double ee = 0;                      // Σ(a − b)²
    double absolute = 0;                // Σ|a − b|
    double bias = 0;                    // Σ(b − a)
    double maximum = 0;                 // largest |a − b|
    std::uint64_t maximumIndex = kNone; // its first index; kNone if there is no difference

    // Adds the sums of another set of pairs. Indices are kept as they are.
    void merge(const PairSums& other);
};

// Counts pairs by the magnitudes of a and of the error, in bins with fixed exponents. Takes 40 KB.
struct alignas(64) PairBins {
    static constexpr std::size_t kOctaves = 64;
    static constexpr int kLowestExponent = -40; // octave i: 2^(i − 40) ≤ |x| < 2^(i − 39); the outermost ones include
                                                // everything beyond
    static constexpr std::size_t kErrorBins = 2 * kOctaves; // two per octave, which meet at 1.5 × 2^n
    static constexpr std::size_t kLanes = 8;                // copies of the sums, so that adding to the same bin twice
                                                            // in a row does not stall

    struct Sums {
        double aa;
        double ee;
    };
    std::array<std::array<std::uint32_t, kErrorBins>, kOctaves> counts{}; // [octave of a][bin of a − b]; less than 2^32
                                                                          // pairs
    std::array<std::array<Sums, kLanes>, kOctaves> sums{};                // the kernel chooses the lane
};

} // namespace gufo
