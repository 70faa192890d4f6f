// Central moments that can be merged, so that a tensor may be taken in pieces of any size and order.
#pragma once

#include "analysis/statistics.h"
#include "tensor/kernels/reduce.h"

#include <limits>

namespace gufo {

struct Moments {
    std::uint64_t finite = 0;
    std::uint64_t zeros = 0;
    std::uint64_t nans = 0;
    std::uint64_t infinities = 0;
    double min = std::numeric_limits<double>::infinity();
    double max = -std::numeric_limits<double>::infinity();
    double absolute = 0; // Σ|x|
    double mean = 0;
    double m2 = 0; // Σ(x − mean)^k
    double m3 = 0;
    double m4 = 0;
    std::uint64_t firstNonFinite = kNone; // index of a weight

    static constexpr std::uint64_t kNone = ~std::uint64_t{0};

    // Nothing where the sums cancel: the shift is so far from the mean, in deviations, that digits are lost; take them
    // again with the mean (written to `mean`) as the shift.
    [[nodiscard]] static bool fromSums(const PowerSums& sums, Moments& out);

    // As if the values of both had been taken together (Pébay, "Formulas for robust, one-pass parallel computation of
    // covariances and arbitrary-order statistical moments", 2008).
    void merge(const Moments& other);

    [[nodiscard]] Statistics statistics() const;
};

// The moments of one run of values, taken twice where once is not exact enough. sum(shift) gives the power sums.
template<typename Sum>
[[nodiscard]] Moments momentsOf(double shift, Sum sum) {
    Moments moments;
    if (!Moments::fromSums(sum(shift), moments)) {
        static_cast<void>(Moments::fromSums(sum(moments.mean), moments));
    }
    return moments;
}

} // namespace gufo
