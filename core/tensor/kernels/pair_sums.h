// What the kernels that compare weights add to: sums over pairs (a, b) of finite numbers, and bins.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gufo {

// Sums in f64 of a² … over pairs of which both are finite.
struct PairSums {
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};

    std::uint64_t pairs = 0;
    std::uint64_t excluded = 0; // pairs with a NaN or an infinity
    std::uint64_t equal = 0;    // a = b; zeros of either sign are equal
    double aa = 0;              // Σa²
    double bb = 0;
    double ab = 0;
    double ee = 0;                      // Σ(a − b)²
    double absolute = 0;                // Σ|a − b|
    double bias = 0;                    // Σ(b − a)
    double maximum = 0;                 // of |a − b|
    std::uint64_t maximumIndex = kNone; // where it occurs first; kNone without a difference

    // As if both sets of pairs had been taken together, indexes as they are.
    void merge(const PairSums& other);
};

// Pairs by magnitude of a and of the error, in bins of fixed exponents: 40 KB.
struct alignas(64) PairBins {
    static constexpr std::size_t kOctaves = 64;
    static constexpr int kLowestExponent = -40; // octave i: 2^(i − 40) ≤ |x| < 2^(i − 39); the outer ones take the rest
    static constexpr std::size_t kErrorBins = 2 * kOctaves; // two in an octave, parting at 1.5 × 2^n
    static constexpr std::size_t kLanes = 8;                // sums are kept that often: equal neighbours need not wait

    struct Sums {
        double aa;
        double ee;
    };
    std::array<std::array<std::uint32_t, kErrorBins>, kOctaves> counts{}; // [of a][of a − b]; less than 2^32 pairs
    std::array<std::array<Sums, kLanes>, kOctaves> sums{};                // which lane is the kernel's choice
};

} // namespace gufo
