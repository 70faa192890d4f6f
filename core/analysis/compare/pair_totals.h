// The totals from which figures are computed: sums in which pairs may have different weights, and bins for any number
// of pairs.
#pragma once

#include "analysis/compare/pair_figures.h"

namespace gufo {

// The PairSums of several tensors, each with its own weight.
struct WeightedSums {
    double pairs = 0;
    double excluded = 0;
    double equal = 0;
    double aa = 0;
    double bb = 0;
    double ab = 0;
    double ee = 0;
    double absolute = 0;
    double bias = 0;
    double maximum = 0; // not weighted

    void add(const PairSums& sums, double weight);
};
[[nodiscard]] PairFigures figuresOf(const WeightedSums& sums);

class ProfileTotals {
public:
    // Adds the contents of the bins and clears them.
    void take(PairBins& bins);
    void merge(const ProfileTotals& other);
    [[nodiscard]] ErrorProfile profile() const;

private:
    std::array<std::uint64_t, PairBins::kOctaves> m_pairs{};
    std::array<PairBins::Sums, PairBins::kOctaves> m_sums{};
    std::array<std::uint64_t, PairBins::kErrorBins> m_errors{};
};

} // namespace gufo
