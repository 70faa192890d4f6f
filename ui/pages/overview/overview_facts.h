// The fact strip and the shape table of the overview.
#pragma once

#include "ui/pages/overview/overview_data.h"

namespace gufo::ui {

// The model in GGUF's keys (convert/description.h).
[[nodiscard]] std::vector<OverviewFact> overviewFacts(const Model& model, const Model::Totals& totals);
[[nodiscard]] QList<OverviewRow> shapeRows(const Model& model);
[[nodiscard]] QString kindText(const Model& model); // see Overview::kind

// Whether the output has no matrix of its own but uses the embedding's. Encoders have no output.
[[nodiscard]] bool hasTiedOutput(const Model& model);

} // namespace gufo::ui
