// Writes a comparison as one HTML file. Pictures are inline SVG and styles are inline; the file fetches nothing and has
// no scripts. All text from model files is escaped.
#pragma once

#include "ui/report/metric.h"

namespace gufo::ui {

// `metric` colours the map and sorts the worst tensors.
void writeComparisonHtml(const ComparisonReport& report, const MetricInfo& metric, TextSink& out);

} // namespace gufo::ui
