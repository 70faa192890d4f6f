// One row of the review in full: texts line by line, arrays by their differing elements, everything else as the value
// before and after.
#pragma once

#include "ui/saving/review_model.h"
#include "ui/widgets/folded_diff.h"

#include <QString>

namespace gufo::ui {

inline constexpr std::size_t kMaxDetailElements = 1'000; // differing elements of an array that are listed

// Not for the UI thread: long texts and arrays take a while. Errors: Cancelled.
[[nodiscard]] Result<FoldedDiff> reviewDetail(const ReviewModel::State& state, const Difference& difference,
                                              const JobContext& job);

// All rows. Markdown: a table, and after it the texts that have several lines as diffs. Not for the UI thread.
[[nodiscard]] Result<QString> reviewReport(const ReviewModel::State& state, bool markdown, const JobContext& job);

} // namespace gufo::ui
