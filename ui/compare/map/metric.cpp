#include "ui/compare/map/metric.h"

#include "ui/messages/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr auto kMetrics = std::to_array<MetricInfo>({
    {Metric::Sqnr, "sqnr", QT_TRANSLATE_NOOP("gufo::ui::Metric", "SQNR"), QT_TRANSLATE_NOOP("gufo::ui::Metric", "dB"),
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "higher is closer"),
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "Signal to quantisation noise by block and role"), true, false, 10, 40,
     true},
    {Metric::Nmse, "nmse", QT_TRANSLATE_NOOP("gufo::ui::Metric", "NMSE"), "",
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "lower is closer"),
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "Normalised mean squared error by block and role"), false, true, 1e-4, 1e-1,
     true},
    {Metric::Rmse,
     "rmse",
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "RMSE"),
     "",
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "lower is closer"),
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "Root mean square error by block and role"),
     false,
     true,
     {},
     {},
     true},
    {Metric::Cosine, "cosine", QT_TRANSLATE_NOOP("gufo::ui::Metric", "Cosine"), "",
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "higher is closer"),
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "Cosine similarity by block and role"), true, false, 0.95, 1, true},
    {Metric::MaxError,
     "max_error",
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "Max error"),
     "",
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "lower is closer"),
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "Largest error by block and role"),
     false,
     true,
     {},
     {},
     true},
    {Metric::BitsPerWeight, "bits", QT_TRANSLATE_NOOP("gufo::ui::Metric", "Bits per weight"),
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "bits/weight"), "",
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "Bits per weight by block and role"), true, false, 2, 8.5, false},
    {Metric::Type, "type", QT_TRANSLATE_NOOP("gufo::ui::Metric", "Type"),
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "bits/weight"), "",
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "Tensor type by block and role"), true, false, 2, 8.5, false},
});

QString tr(const char* text) {
    return *text == '\0' ? QString() : QCoreApplication::translate("gufo::ui::Metric", text);
}

double log10Of(double value) { return std::log10(std::max(value, 1e-300)); }

} // namespace

std::span<const MetricInfo> metrics() { return kMetrics; }

const MetricInfo& metricInfo(Metric metric) { return kMetrics[static_cast<std::size_t>(metric)]; }

QString metricTitle(Metric metric) { return tr(metricInfo(metric).title); }

QString metricUnit(Metric metric) { return tr(metricInfo(metric).unit); }

QString metricHint(Metric metric) { return tr(metricInfo(metric).hint); }

QString metricHeading(Metric metric) { return tr(metricInfo(metric).heading); }

QString metricFullTitle(Metric metric) {
    const QString unit = metricInfo(metric).isError ? metricUnit(metric) : QString();
    return unit.isEmpty() ? metricTitle(metric) : QStringLiteral("%1 (%2)").arg(metricTitle(metric), unit);
}

std::optional<double> metricOf(Metric metric, const PairFigures& figures) {
    switch (metric) {
    case Metric::Sqnr:
        return figures.sqnrDb;
    case Metric::Nmse:
        return figures.nmse;
    case Metric::Rmse:
        return figures.rmse;
    case Metric::Cosine:
        return figures.cosine;
    case Metric::MaxError:
        return figures.maxError;
    case Metric::BitsPerWeight:
    case Metric::Type:
        break;
    }
    return {};
}

QString formatMetric(Metric metric, double value) {
    switch (metric) {
    case Metric::Sqnr:
        return QString::number(value, 'f', 1).replace(u'-', QChar(0x2212));
    case Metric::Cosine:
        return QString::number(value, 'f', 4).replace(u'-', QChar(0x2212));
    case Metric::BitsPerWeight:
    case Metric::Type:
        return formatBitsPerWeight(value);
    case Metric::Nmse:
    case Metric::Rmse:
    case Metric::MaxError:
        break;
    }
    return formatReal(value, 3);
}

double MetricScale::positionOf(double value) const {
    if (std::isnan(value) || !(high > low)) {
        return 0;
    }
    const double at = metricInfo(metric).logarithmic ? (log10Of(value) - log10Of(low)) / (log10Of(high) - log10Of(low))
                                                     : (value - low) / (high - low);
    return std::clamp(at, 0.0, 1.0);
}

double MetricScale::valueAt(double position) const {
    return metricInfo(metric).logarithmic ? std::pow(10.0, log10Of(low) + position * (log10Of(high) - log10Of(low)))
                                          : low + position * (high - low);
}

QColor MetricScale::colorOf(double value, ColorMap map) const {
    if (!metricInfo(metric).isError) {
        return map == ColorMap::Viridis || value > high + 1 ? bitsPerWeightColor(value)
                                                            : colorMapAt(map, positionOf(value));
    }
    const double at = positionOf(value);
    return colorMapAt(map, metricInfo(metric).higherIsCloser ? at : 1 - at);
}

std::vector<double> MetricScale::ticks() const {
    std::vector<double> values;
    if (metricInfo(metric).logarithmic) {
        const int first = static_cast<int>(std::ceil(log10Of(low) - 1e-9));
        const int last = static_cast<int>(std::floor(log10Of(high) + 1e-9));
        for (int decade = first; decade <= last; ++decade) {
            values.push_back(std::pow(10.0, decade));
        }
        if (values.size() < 2) {
            values = {low, high};
        }
        return values;
    }
    const double rough = (high - low) / 6;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = power;
    for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
        step = factor * power;
        if (step >= rough * 0.999) {
            break;
        }
    }
    for (double at = std::ceil(low / step - 1e-9) * step; at <= high + step * 1e-6; at += step) {
        values.push_back(at);
    }
    return values;
}

MetricScale scaleFor(Metric metric, std::span<const double> figures) {
    const MetricInfo& info = metricInfo(metric);
    if (info.low && info.high) {
        return {metric, *info.low, *info.high};
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
        return {metric, 1e-4, 1e-1};
    }
    // Whole halves of decades, so that a late figure seldom moves the scale.
    const auto step = [](double value, bool up) {
        const double halves = std::log10(value) * 2;
        return std::pow(10.0, (up ? std::ceil(halves + 1e-9) : std::floor(halves - 1e-9)) / 2);
    };
    return {metric, step(low, false), step(high, true)};
}

} // namespace gufo::ui
