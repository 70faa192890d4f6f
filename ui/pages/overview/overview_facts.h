// The fact strip and the shape table of the overview.
#pragma once

#include "ui/pages/overview/overview_data.h"

namespace gufo::ui {

[[nodiscard]] std::vector<OverviewFact> overviewFacts(const Model& model, const Model::Totals& totals);
[[nodiscard]] QList<OverviewRow> shapeRows(const Model& model);
[[nodiscard]] QString kindText(const Model& model); // see Overview::kind

} // namespace gufo::ui
