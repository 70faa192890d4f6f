// The mistakes that may explain why a tensor differs from its origin, and the test for one of them.
#pragma once

#include "convert/origin/compare_origin.h"

namespace gufo::convert {

// Departures from the operations that the plan has for a row, the likeliest first. Only those that keep the shape are
// possible. `others` are rows of the plan whose weights the file may have instead.
[[nodiscard]] std::vector<Misfit> possibleMisfits(const Origin& origin, std::size_t row,
                                                  std::span<const std::size_t> others);

// Types that weights may have been rounded to on their way to the type of the file.
[[nodiscard]] std::vector<Misfit> detours();

// Whether the part of the file is equal to that of the origin if the mistake is made. JobContext::threads workers.
// Errors: Cancelled; those of applied().
// A detour explains a quantised tensor only if the file has the bits that Gufo's encoder then makes.
[[nodiscard]] Result<bool> isMisfit(const Origin& origin, const TensorPart& part, const PartReader& file,
                                    const Misfit& misfit, const JobContext& job);

} // namespace gufo::convert
