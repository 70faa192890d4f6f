// What differs beside the weights: keys, tokens, chat templates.
#pragma once

#include "ui/report/comparison_report.h"

namespace gufo::ui {

[[nodiscard]] QString htmlMetadata(const ComparisonReport& report, const QStringList& names);
// Each template of each model against the reference's, by lines. Empty where none differs.
[[nodiscard]] QString htmlTemplates(const ComparisonReport& report, const QStringList& names);

} // namespace gufo::ui
