#include "ui/compare/map/metric_color.h"

namespace gufo::ui {

QColor metricColor(const MetricScale& scale, double value, ColorMap map) {
    // Bits per weight have colours of their own, and unquantised weights stand out.
    if (!metricInfo(scale.metric).ofPair() && (map == ColorMap::Viridis || value > scale.high + 1)) {
        return bitsPerWeightColor(value);
    }
    return colorMapAt(map, scale.closeness(value));
}

} // namespace gufo::ui
