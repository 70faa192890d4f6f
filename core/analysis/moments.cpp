#include "analysis/moments.h"

#include <algorithm>
#include <cmath>

namespace gufo {
namespace {

// If the squared distance of the mean from the shift is at most this many variances, the fourth moment keeps 12 digits.
constexpr double kTrustedDistance = 100;

std::optional<double> ifFinite(double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; }

} // namespace

bool Moments::fromSums(const PowerSums& sums, Moments& out) {
    out = {.finite = sums.finite,
           .zeros = sums.zeros,
           .nans = sums.nans,
           .infinities = sums.infinities,
           .min = sums.min,
           .max = sums.max,
           .absolute = sums.absolute};
    if (sums.finite == 0) {
        return true;
    }
    if (sums.min == sums.max) {
        out.mean = sums.min;
        return true;
    }
    const auto n = static_cast<double>(sums.finite);
    const double d = sums.sum1 / n; // mean − shift
    out.mean = std::clamp(sums.shift + d, sums.min, sums.max);
    out.m2 = sums.sum2 - n * d * d;
    if (out.m2 < 0) {
        out.m2 = 0;
    }
    out.m3 = sums.sum3 - 3 * d * sums.sum2 + 2 * n * d * d * d;
    out.m4 = sums.sum4 - 4 * d * sums.sum3 + 6 * d * d * sums.sum2 - 3 * n * d * d * d * d;
    return n * d * d <= kTrustedDistance * out.m2;
}

void Moments::merge(const Moments& other) {
    zeros += other.zeros;
    nans += other.nans;
    infinities += other.infinities;
    firstNonFinite = std::min(firstNonFinite, other.firstNonFinite);
    if (other.finite == 0) {
        return;
    }
    min = std::min(min, other.min);
    max = std::max(max, other.max);
    absolute += other.absolute;
    const auto a = static_cast<double>(finite);
    const auto b = static_cast<double>(other.finite);
    const double n = a + b;
    const double d = other.mean - mean;
    const double dn = d / n;
    m4 += other.m4 + d * dn * dn * dn * a * b * (a * a - a * b + b * b) +
          6 * dn * dn * (a * a * other.m2 + b * b * m2) + 4 * dn * (a * other.m3 - b * m3);
    m3 += other.m3 + d * dn * dn * a * b * (a - b) + 3 * dn * (a * other.m2 - b * m2);
    m2 += other.m2 + d * dn * a * b;
    mean = finite == 0 ? other.mean : mean + dn * b;
    finite += other.finite;
}

Statistics Moments::statistics() const {
    Statistics result;
    result.count = finite + nans + infinities;
    result.zeros = zeros;
    result.nans = nans;
    result.infinities = infinities;
    if (firstNonFinite != kNone) {
        result.firstNonFinite = firstNonFinite;
    }
    if (finite == 0) {
        return result;
    }
    const auto n = static_cast<double>(finite);
    result.min = min;
    result.max = max;
    result.mean = ifFinite(mean);
    result.absMean = ifFinite(absolute / n);
    result.std = ifFinite(std::sqrt(m2 / n));
    if (min < max && m2 > 0) {
        const double variance = m2 / n;
        result.skew = ifFinite(m3 / n / (variance * std::sqrt(variance)));
        result.kurtosis = ifFinite(m4 / n / (variance * variance) - 3);
    }
    return result;
}

} // namespace gufo
