// The reductions that specify what the other instruction sets compute; also those of doubles, which exist here only.
#pragma once

#include "tensor/kernels/reduce.h"

#include <cstddef>

namespace gufo {
struct Kernels;
}

namespace gufo::scalar {

[[nodiscard]] PowerSums sumFloats(const float* values, std::size_t count, double shift);
[[nodiscard]] PowerSums sumDoubles(const double* values, std::size_t count, double shift);
void binFloats(const float* values, std::size_t count, const BinPlan& plan, BinCounts& counts);
void binDoubles(const double* values, std::size_t count, const BinPlan& plan, BinCounts& counts);
void countShorts(const std::byte* values, std::size_t count, std::uint32_t* counts);

void installReductions(Kernels& kernels);

// The bin of a value that lies within the edges.
[[nodiscard]] std::uint32_t binOf(double value, const BinPlan& plan);

} // namespace gufo::scalar
