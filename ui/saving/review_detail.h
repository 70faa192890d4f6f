// The full detail of one row of the review: texts line by line, arrays by their differing elements, and other values
// before and after.
#pragma once

#include "ui/saving/review_model.h"
#include "ui/widgets/folded_diff.h"

#include <QString>

namespace gufo::ui {

inline constexpr std::size_t kMaxDetailElements = 1'000; // limit of the listed elements of an array

// Not for the UI thread: long texts and arrays take a while. Errors: Cancelled.
[[nodiscard]] Result<FoldedDiff> reviewDetail(const ReviewModel::State& state, const Difference& difference,
                                              const JobContext& job);

// All rows. In Markdown: a table, followed by diffs of the multi-line texts. Not for the UI thread.
[[nodiscard]] Result<QString> reviewReport(const ReviewModel::State& state, bool markdown, const JobContext& job);

} // namespace gufo::ui
