// The reductions that specify what the other instruction sets compute. Those of doubles exist only here.
#pragma once

#include "tensor/kernels/pair_sums.h"
#include "tensor/kernels/reduce.h"

#include <cstddef>

namespace gufo {
struct Kernels;
}

namespace gufo::scalar {

[[nodiscard]] PowerSums sumFloats(const float* values, std::size_t count, double shift);
[[nodiscard]] Extremes extremes(const float* values, std::size_t count);
[[nodiscard]] PowerSums sumDoubles(const double* values, std::size_t count, double shift);
void binFloats(const float* values, std::size_t count, const BinPlan& plan, BinCounts& counts);
void binDoubles(const double* values, std::size_t count, const BinPlan& plan, BinCounts& counts);
void countShorts(const std::byte* values, std::size_t count, std::uint32_t* counts);

[[nodiscard]] PairSums sumPairs(const float* a, const float* b, std::size_t count, double known, PairBins* bins);
[[nodiscard]] PairSums sumPairsOfDoubles(const double* a, const double* b, std::size_t count, double known,
                                         PairBins* bins);
// Returns the first i with |a[i] − b[i]| = error, or PairSums::kNone.
[[nodiscard]] std::uint64_t indexOfError(const float* a, const float* b, std::size_t count, double error);
// The indices in PairBins of a finite weight of the reference and of a finite error.
[[nodiscard]] std::size_t octaveOf(double a);
[[nodiscard]] std::size_t errorBinOf(double error);

void installReductions(Kernels& kernels);

// Returns the bin of a value between the first and last edges.
[[nodiscard]] std::uint32_t binOf(double value, const BinPlan& plan);

} // namespace gufo::scalar
