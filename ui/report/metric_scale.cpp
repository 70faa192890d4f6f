#include "ui/report/metric_scale.h"

#include "ui/report/color_map_tables.h"

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

double log10Of(double value) { return std::log10(std::max(value, 1e-300)); }

} // namespace

double NumberScale::positionOf(double value) const {
    if (std::isnan(value) || !(high > low)) {
        return 0;
    }
    const double at =
        logarithmic ? (log10Of(value) - log10Of(low)) / (log10Of(high) - log10Of(low)) : (value - low) / (high - low);
    return std::clamp(at, 0.0, 1.0);
}

double NumberScale::valueAt(double position) const {
    return logarithmic ? std::pow(10.0, log10Of(low) + position * (log10Of(high) - log10Of(low)))
                       : low + position * (high - low);
}

std::vector<double> NumberScale::ticks(int count) const {
    std::vector<double> values;
    if (logarithmic) {
        const double decades = log10Of(high) - log10Of(low);
        const int step = std::max(1, static_cast<int>(std::ceil(decades / count)));
        for (int decade = static_cast<int>(std::ceil(log10Of(low) - 1e-9)); decade <= log10Of(high) + 1e-9;
             decade += step) {
            values.push_back(std::pow(10.0, decade));
        }
        if (values.size() >= 2) {
            return values;
        }
        values.clear();
    }
    const double rough = (high - low) / count;
    if (!(rough > 0) || !std::isfinite(rough)) {
        return {low, high};
    }
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double factor : {5.0, 2.0, 1.0}) {
        step = factor * power >= rough * 0.999 ? factor * power : step;
    }
    for (double at = std::ceil(low / step - 1e-9) * step; at <= high + step * 1e-6; at += step) {
        values.push_back(std::abs(at) < step * 1e-9 ? 0 : at);
    }
    return values;
}

double MetricScale::closeness(double value) const {
    return metricFact(metric).higherIsCloser ? positionOf(value) : 1 - positionOf(value);
}

MetricScale scaleFor(const MetricFact& metric, std::span<const double> figures) {
    if (metric.low && metric.high) {
        return {{*metric.low, *metric.high, metric.logarithmic}, metric.metric};
    }
    double low = 0;
    double high = 0;
    for (const double figure : figures) {
        if (std::isfinite(figure) && figure > 0) {
            low = low == 0 ? figure : std::min(low, figure);
            high = std::max(high, figure);
        }
    }
    if (high == 0) {
        return {{1e-4, 1e-1, metric.logarithmic}, metric.metric};
    }
    // Rounds to half decades, so that a later figure rarely changes the scale.
    const double from = std::floor(std::log10(low) * 2 + 1e-9) / 2;
    const double to = std::max(std::ceil(std::log10(high) * 2 - 1e-9) / 2, from + 0.5);
    return {{std::pow(10.0, from), std::pow(10.0, to), metric.logarithmic}, metric.metric};
}

QString metricColour(const MetricScale& scale, double value) {
    const double last = static_cast<double>(kViridis.size() - 1);
    const auto index = static_cast<std::size_t>(std::lround(scale.closeness(value) * last));
    return QStringLiteral("#%1").arg(kViridis.at(index), 6, 16, QLatin1Char('0'));
}

} // namespace gufo::ui
