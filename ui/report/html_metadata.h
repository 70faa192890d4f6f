// Differences other than weights: keys, tokens and chat templates.
#pragma once

#include "ui/report/comparison_report.h"

namespace gufo::ui {

[[nodiscard]] QString htmlMetadata(const ComparisonReport& report, const QStringList& names);
// A line diff of each model's templates against the reference's. Empty if there are no differences.
[[nodiscard]] QString htmlTemplates(const ComparisonReport& report, const QStringList& names);

} // namespace gufo::ui
