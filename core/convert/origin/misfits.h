// The mistakes that are tried with a tensor that differs from its origin, and the test of one of them.
#pragma once

#include "convert/origin/compare_origin.h"

namespace gufo::convert {

// What could have been done to a row instead of what the plan says, the likeliest first. Only what keeps the shape is
// possible. `others` are rows whose weights could be in its place.
[[nodiscard]] std::vector<Misfit> possibleMisfits(const Origin& origin, std::size_t row,
                                                  std::span<const std::size_t> others);

// Whether the part of a file is what the misfit describes. Errors: Cancelled, those of reading the source.
[[nodiscard]] Result<bool> isMisfit(const Origin& origin, const TensorPart& part, const PartReader& file,
                                    const Misfit& misfit, const JobContext& job);

} // namespace gufo::convert
