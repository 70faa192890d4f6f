// A comparison as one HTML file: pictures as inline SVG, styles inline, nothing fetched, no scripts. Everything that
// comes from a file is escaped.
#pragma once

#include "ui/report/metric.h"

namespace gufo::ui {

// `metric`: what the map is coloured by and the worst tensors are sorted by.
void writeComparisonHtml(const ComparisonReport& report, const MetricInfo& metric, TextSink& out);

} // namespace gufo::ui
