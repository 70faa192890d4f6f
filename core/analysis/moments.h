// Central moments that can be merged, so that a tensor can be processed in pieces of any size and in any order.
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
    std::uint64_t firstNonFinite = kNone; // index of the first weight that is not finite

    static constexpr std::uint64_t kNone = ~std::uint64_t{0};

    // Returns false if the sums suffer from cancellation because the shift is too many deviations away from the mean.
    // `out.mean` is set nevertheless, and the sums must be computed again with it as the shift.
    [[nodiscard]] static bool fromSums(const PowerSums& sums, Moments& out);

    // Merges the moments of two sets of values (Pébay, "Formulas for robust, one-pass parallel computation of
    // covariances and arbitrary-order statistical moments", 2008).
    void merge(const Moments& other);

    [[nodiscard]] Statistics statistics() const;
};

// The moments of one run of values. sum(shift) computes the power sums; it is called a second time if the first result
// is not exact enough.
template<typename Sum>
[[nodiscard]] Moments momentsOf(double shift, Sum sum) {
    Moments moments;
    if (!Moments::fromSums(sum(shift), moments)) {
        static_cast<void>(Moments::fromSums(sum(moments.mean), moments));
    }
    return moments;
}

} // namespace gufo
