// Pairs tensors of two models that have different names by what they contain.
//
// Tensors of one type are pairs if a sample of their weights is equal; others, if a sample of their weights is nearly
// the same up to the error of quantisation. A pair must be the only one possible for both of its tensors: copies of a
// tensor, and tensors that are constant, are never paired. Only samples are read, a few KiB of each tensor.
#pragma once

#include "analysis/tensor_part.h"
#include "base/job_context.h"

#include <span>
#include <utility>
#include <vector>

namespace gufo {

struct ContentPair {
    std::size_t a = 0; // positions in the two lists
    std::size_t b = 0;
};

// Tensors, or parts of tensors, whose shapes differ are never pairs. Errors: Cancelled.
[[nodiscard]] Result<std::vector<ContentPair>> matchByContent(const Model& modelA, std::span<const TensorPart> a,
                                                              const Model& modelB, std::span<const TensorPart> b,
                                                              const JobContext& job = {});

} // namespace gufo
