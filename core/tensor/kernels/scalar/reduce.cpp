#include "tensor/kernels/scalar/reduce.h"

#include "base/byte_order.h"
#include "tensor/kernels/kernels.h"
#include "tensor/kernels/portable/folds.h"

#include <algorithm>
#include <cmath>

namespace gufo::scalar {
namespace {

template<typename T>
PowerSums sumValues(const T* values, std::size_t count, double shift) {
    PowerSums sums;
    sums.shift = shift;
    for (std::size_t i = 0; i < count; ++i) {
        const double value = values[i];
        if (!std::isfinite(value)) {
            ++(std::isnan(value) ? sums.nans : sums.infinities);
            continue;
        }
        ++sums.finite;
        sums.zeros += value == 0 ? 1U : 0U;
        sums.min = std::min(sums.min, value);
        sums.max = std::max(sums.max, value);
        sums.absolute += std::abs(value);
        const double d = value - shift;
        const double square = d * d;
        sums.sum1 += d;
        sums.sum2 += square;
        sums.sum3 += square * d;
        sums.sum4 += square * square;
    }
    return sums;
}

template<typename T>
void binValues(const T* values, std::size_t count, const BinPlan& plan, BinCounts& counts) {
    const double hi = plan.edges[plan.bins];
    for (std::size_t i = 0; i < count; ++i) {
        const double value = values[i];
        if (value >= plan.lo && value <= hi) {
            ++counts.counts[binOf(value, plan)];
        } else if (std::isfinite(value)) {
            ++(value < plan.lo ? counts.below : counts.above);
        }
    }
}

} // namespace

std::uint32_t binOf(double value, const BinPlan& plan) {
    const std::uint32_t last = plan.bins - 1;
    if (plan.search) {
        const auto* upper = std::upper_bound(plan.edges, plan.edges + plan.bins + 1, value);
        return std::min(static_cast<std::uint32_t>(upper - plan.edges - 1), last);
    }
    // As in numpy.histogram: guess the bin by multiplication, then correct it by comparing with the edges.
    auto bin = std::min(static_cast<std::uint32_t>((value - plan.lo) * plan.perUnit), last);
    while (value < plan.edges[bin]) {
        --bin;
    }
    while (bin < last && value >= plan.edges[bin + 1]) {
        ++bin;
    }
    return bin;
}

PowerSums sumFloats(const float* values, std::size_t count, double shift) { return sumValues(values, count, shift); }

PowerSums sumDoubles(const double* values, std::size_t count, double shift) { return sumValues(values, count, shift); }

Extremes extremes(const float* values, std::size_t count) {
    Extremes found;
    for (std::size_t i = 0; i < count; ++i) {
        if (std::isfinite(values[i])) {
            found.smallest = std::min(found.smallest, values[i]);
            found.largest = std::max(found.largest, values[i]);
        }
    }
    return found;
}

void binFloats(const float* values, std::size_t count, const BinPlan& plan, BinCounts& counts) {
    binValues(values, count, plan, counts);
}

void binDoubles(const double* values, std::size_t count, const BinPlan& plan, BinCounts& counts) {
    binValues(values, count, plan, counts);
}

void countShorts(const std::byte* values, std::size_t count, std::uint32_t* counts) {
    for (std::size_t i = 0; i < count; ++i) {
        ++counts[load<std::uint16_t>(values + 2 * i)];
    }
}

void installReductions(Kernels& kernels) {
    kernels.sumFloats = sumFloats;
    kernels.extremes = extremes;
    kernels.binFloats = binFloats;
    kernels.countShorts = countShorts;
    kernels.sumPairs = sumPairs;
    kernels.foldLargest = foldLargest;
    kernels.foldSums = foldSums;
    kernels.foldSquares = foldSquares;
}

} // namespace gufo::scalar
