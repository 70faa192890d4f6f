// Specifies the comparison of weights, pair by pair.
#include "tensor/kernels/pair_sums.h"
#include "tensor/kernels/scalar/reduce.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace gufo {

void PairSums::merge(const PairSums& other) {
    pairs += other.pairs;
    excluded += other.excluded;
    equal += other.equal;
    aa += other.aa;
    bb += other.bb;
    ab += other.ab;
    ee += other.ee;
    absolute += other.absolute;
    bias += other.bias;
    if (other.maximum > maximum || (other.maximum == maximum && other.maximumIndex < maximumIndex)) {
        maximum = other.maximum;
        maximumIndex = other.maximumIndex;
    }
}

namespace scalar {
namespace {

// The exponent of a double, followed by the upper `mantissaBits` bits of its mantissa: with two bits, 1.5 becomes
// 0x3FF × 4 + 0b10 = 0xFFE.
std::int64_t magnitudeBits(double value, unsigned mantissaBits) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value) & 0x7FFF'FFFF'FFFF'FFFFU;
    return static_cast<std::int64_t>(bits >> (52U - mantissaBits));
}

constexpr std::int64_t kLowest = 1023 + PairBins::kLowestExponent;

template<typename T>
PairSums sumValues(const T* a, const T* b, std::size_t count, double known, PairBins* bins) {
    PairSums sums;
    for (std::size_t i = 0; i < count; ++i) {
        const double x = a[i];
        const double y = b[i];
        if (!std::isfinite(x) || !std::isfinite(y)) {
            ++sums.excluded;
            continue;
        }
        const double error = x - y;
        const double magnitude = std::abs(error);
        ++sums.pairs;
        sums.equal += error == 0 ? 1U : 0U;
        sums.aa += x * x;
        sums.bb += y * y;
        sums.ab += x * y;
        sums.ee += error * error;
        sums.absolute += magnitude;
        sums.bias -= error;
        if (magnitude > sums.maximum) {
            sums.maximum = magnitude;
            sums.maximumIndex = i;
        }
        if (bins != nullptr) {
            const std::size_t octave = octaveOf(x);
            ++bins->counts[octave][errorBinOf(error)];
            bins->sums[octave][0].aa += x * x;
            bins->sums[octave][0].ee += error * error;
        }
    }
    if (!(sums.maximum > known)) {
        sums.maximumIndex = PairSums::kNone;
    }
    return sums;
}

} // namespace

std::size_t octaveOf(double a) {
    constexpr auto kLast = static_cast<std::int64_t>(PairBins::kOctaves) - 1;
    return static_cast<std::size_t>(std::clamp<std::int64_t>(magnitudeBits(a, 0) - kLowest, 0, kLast));
}

std::size_t errorBinOf(double error) {
    constexpr auto kLast = static_cast<std::int64_t>(PairBins::kErrorBins) - 1;
    return static_cast<std::size_t>(std::clamp<std::int64_t>(magnitudeBits(error, 1) - 2 * kLowest, 0, kLast));
}

PairSums sumPairs(const float* a, const float* b, std::size_t count, double known, PairBins* bins) {
    return sumValues(a, b, count, known, bins);
}

PairSums sumPairsOfDoubles(const double* a, const double* b, std::size_t count, double known, PairBins* bins) {
    return sumValues(a, b, count, known, bins);
}

std::uint64_t indexOfError(const float* a, const float* b, std::size_t count, double error) {
    for (std::size_t i = 0; i < count; ++i) {
        if (std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])) == error) {
            return i;
        }
    }
    return PairSums::kNone;
}

} // namespace scalar
} // namespace gufo
