#include "ui/messages/figure_text.h"
#include "ui/report/html_sections.h"
#include "ui/report/html_series.h"
#include "ui/report/html_text.h"
#include "ui/report/metric_scale.h"

#include <QRectF>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

namespace gufo::ui {
namespace {

// Two axes with ticks and a grid, and the mapping from values to coordinates.
struct HtmlAxis {
    NumberScale scale;
    QString title;
    std::function<QString(double)> label;
    int ticks = 6;
};

class HtmlAxes {
public:
    HtmlAxes(double width, double height, HtmlAxis x, HtmlAxis y);

    [[nodiscard]] double x(double value) const;
    [[nodiscard]] double y(double value) const;
    [[nodiscard]] double left() const { return kLeft; }
    [[nodiscard]] double right() const { return m_width - kRight; }
    [[nodiscard]] double top() const { return kTop; }
    [[nodiscard]] double bottom() const { return m_height - kBottom; }

    // Opens the SVG with axes, grid and titles. `name` is the text alternative for screen readers.
    [[nodiscard]] QString begin(const QString& name) const;
    [[nodiscard]] static QString end() { return QStringLiteral("</svg>"); }

private:
    static constexpr double kLeft = 62;
    static constexpr double kRight = 18;
    static constexpr double kTop = 12;
    static constexpr double kBottom = 42;

    double m_width;
    double m_height;
    HtmlAxis m_x;
    HtmlAxis m_y;
};

HtmlAxes::HtmlAxes(double width, double height, HtmlAxis x, HtmlAxis y)
    : m_width(width)
    , m_height(height)
    , m_x(std::move(x))
    , m_y(std::move(y)) {}

double HtmlAxes::x(double value) const { return left() + m_x.scale.positionOf(value) * (right() - left()); }

double HtmlAxes::y(double value) const { return bottom() - m_y.scale.positionOf(value) * (bottom() - top()); }

QString HtmlAxes::begin(const QString& name) const {
    QString svg =
        filled("<svg class=\"plot\" role=\"img\" aria-label=\"%1\" viewBox=\"0 0 %2 %3\" width=\"%2\" height=\"%3\">",
               escaped(name), px(m_width), px(m_height));
    for (const double tick : m_y.scale.ticks(m_y.ticks)) {
        svg += filled("<path class=\"grid\" d=\"M%1 %2H%3\"/><text x=\"%4\" y=\"%5\" text-anchor=\"end\">%6</text>",
                      px(left()), px(y(tick)), px(right()), px(left() - 8), px(y(tick) + 4), escaped(m_y.label(tick)));
    }
    for (const double tick : m_x.scale.ticks(m_x.ticks)) {
        svg += filled("<path class=\"grid\" d=\"M%1 %2V%3\"/><text x=\"%1\" y=\"%4\" text-anchor=\"middle\">%5</text>",
                      px(x(tick)), px(top()), px(bottom()), px(bottom() + 17), escaped(m_x.label(tick)));
    }
    svg += filled("<path class=\"axis\" d=\"M%1 %2V%3H%4\"/>", px(left()), px(top()), px(bottom()), px(right()));
    svg += filled("<text class=\"muted\" x=\"%1\" y=\"%2\" text-anchor=\"middle\">%3</text>",
                  px((left() + right()) / 2), px(m_height - 6), escaped(m_x.title));
    svg += filled("<text class=\"muted\" transform=\"translate(13 %1) rotate(-90)\" text-anchor=\"middle\">%2</text>",
                  px((top() + bottom()) / 2), escaped(m_y.title));
    return svg;
}

struct Point {
    std::size_t model;
    double size;    // bytes
    double quality; // value of the metric; its best value for files that lose nothing
    Likeness likeness;
    bool frontier = false;
};

const MetricFact& qualityMetric(const MetricFact& metric) {
    return metric.ofPair() ? metric : *findReportMetric("sqnr");
}

// A point is on the frontier if no other is both at most as large and at least as good, and better in one of the two.
void markFrontier(std::vector<Point>& points, bool higherIsCloser) {
    const auto noWorse = [&](double a, double b) { return higherIsCloser ? a >= b : a <= b; };
    for (Point& point : points) {
        point.frontier = std::ranges::none_of(points, [&](const Point& other) {
            return other.size <= point.size && noWorse(other.quality, point.quality) &&
                   (other.size < point.size || other.quality != point.quality);
        });
    }
}

// Places each label where it covers no point and no other label.
class Labels {
public:
    explicit Labels(QRectF area)
        : m_area(area) {}
    void keepFree(double x, double y) { m_taken.emplace_back(x - 7, y - 7, 14, 14); }
    [[nodiscard]] QString place(double x, double y, const QString& name, bool strong) {
        const double width = static_cast<double>(name.size()) * 7 + 4;
        constexpr double kHeight = 15;
        const std::array<QRectF, 6> places{
            QRectF(x - width - 9, y - 17, width, kHeight), QRectF(x + 9, y + 2, width, kHeight),
            QRectF(x - width - 9, y + 2, width, kHeight),  QRectF(x + 9, y - 17, width, kHeight),
            QRectF(x - width / 2, y - 26, width, kHeight), QRectF(x - width / 2, y + 11, width, kHeight)};
        const auto* free = std::ranges::find_if(places, [&](const QRectF& place) {
            return m_area.contains(place) &&
                   std::ranges::none_of(m_taken, [&](const QRectF& taken) { return taken.intersects(place); });
        });
        const QRectF place = free != places.end() ? *free : places[3];
        m_taken.push_back(place);
        return filled("<text class=\"%1\" x=\"%2\" y=\"%3\" text-anchor=\"middle\">%4</text>",
                      strong ? QStringLiteral("strong") : QStringLiteral("muted"), px(place.center().x()),
                      px(place.bottom() - 4), escaped(name));
    }

private:
    QRectF m_area;
    std::vector<QRectF> m_taken;
};

// An axis range around the values with some margin. Logarithmic only if the values are far apart.
NumberScale around(double low, double high, bool logarithmic) {
    if (logarithmic) {
        const double factor = high > low * 1.02 ? std::pow(high / low, 0.12) : 1.5;
        return {low / factor, high * factor, high / low > 20};
    }
    const double room = high > low ? (high - low) * 0.12 : std::max(1.0, std::abs(high) * 0.1);
    return {low - room, high + room, false};
}

// The unit for an axis of sizes up to `bytes`.
struct SizeUnit {
    double bytes;
    const char* name;
};
SizeUnit unitFor(double bytes) {
    constexpr std::array<const char*, 4> kNames{"KiB", "MiB", "GiB", "TiB"};
    std::size_t i = 0;
    double unit = 1024;
    while (i + 1 < kNames.size() && bytes >= 1000 * unit) {
        unit *= 1024;
        ++i;
    }
    return {unit, kNames.at(i)};
}

QString sizeLabel(double bytes) { return formatBytes(static_cast<std::uint64_t>(std::llround(bytes))); }

QString decade(double value) {
    const int exponent = static_cast<int>(std::lround(std::log10(value)));
    static const QString kDigits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text = exponent < 0 ? QStringLiteral("10⁻") : QStringLiteral("10");
    for (const QChar digit : QString::number(std::abs(exponent))) {
        text += kDigits[digit.digitValue()];
    }
    return text;
}

QString modelTitle(const QString& name, const Point& point, const MetricFact& metric) {
    return QStringLiteral("%1\n%2, %3 %4")
        .arg(name, sizeLabel(point.size), metricTitle(metric),
             point.likeness == Likeness::Different ? metricTextWithUnit(metric, point.quality)
                                                   : likenessText(point.likeness, {}));
}

} // namespace

QString htmlTradeoff(const ComparisonReport& report, const MetricFact& shown, const QStringList& names) {
    const MetricFact& metric = qualityMetric(shown);
    const double best = metric.higherIsCloser ? std::numeric_limits<double>::infinity() : 0;
    std::vector<Point> points;
    for (std::size_t model = 0; model < report.matches.models.size(); ++model) {
        if (model == report.matches.reference) {
            continue;
        }
        const ComparisonTotals totals = report.comparison.totals(report.matches, model);
        const auto quality = metric.of(totals.byParameters);
        const Likeness likeness = totals.likeness();
        const bool lossless = likeness == Likeness::Identical || likeness == Likeness::Equal;
        if (totals.complete() && (lossless || (quality && likeness == Likeness::Different))) {
            points.push_back({model, static_cast<double>(report.matches.models[model]->totals().fileBytes),
                              lossless ? best : *quality, likeness});
        }
    }
    if (points.size() < 2) { // a single point makes no plot
        return {};
    }
    markFrontier(points, metric.higherIsCloser);
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const Point& point : points) {
        if (std::isfinite(point.quality)) {
            low = std::min(low, point.quality);
            high = std::max(high, point.quality);
        }
    }
    const bool none = low > high;
    const auto [minimum, maximum] = std::ranges::minmax(points, {}, &Point::size);
    NumberScale quality = around(none ? 0 : low, none ? 1 : high, metric.logarithmic && low > 0);
    const QString unit = metricUnit(metric);
    const QString reference = names[static_cast<qsizetype>(report.matches.reference)];
    const SizeUnit sizeUnit = unitFor(maximum.size);
    const HtmlAxes axes(
        760, 380,
        {around(minimum.size / sizeUnit.bytes, maximum.size / sizeUnit.bytes, true),
         QCoreApplication::translate("gufo::ui::Report", "File size, %1").arg(QLatin1String(sizeUnit.name)),
         [](double value) { return formatReal(value, 3); }},
        {quality,
         QCoreApplication::translate("gufo::ui::Report", "%1 against %2").arg(metricTitle(metric), reference) +
             (unit.isEmpty() ? QString() : QStringLiteral(", ") + unit),
         [&](double value) { return quality.logarithmic ? decade(value) : formatReal(value, 4); }});
    QString svg = axes.begin(QCoreApplication::translate("gufo::ui::Report", "Size and quality of each file"));
    // Identical files are drawn at the edge.
    const auto place = [&](const Point& point) {
        return std::isfinite(point.quality) ? axes.y(point.quality)
               : metric.higherIsCloser      ? axes.top()
                                            : axes.bottom();
    };
    std::vector<Point> frontier;
    std::ranges::copy_if(points, std::back_inserter(frontier), &Point::frontier);
    std::ranges::sort(frontier, {}, &Point::size);
    QString path;
    for (const Point& point : frontier) {
        path += path.isEmpty() ? filled("M%1 %2", px(axes.x(point.size / sizeUnit.bytes)), px(place(point)))
                               : filled("H%1V%2", px(axes.x(point.size / sizeUnit.bytes)), px(place(point)));
    }
    svg += filled("<path class=\"frontier\" d=\"%1H%2\"/>", path, px(axes.right()));
    Labels labels({axes.left(), axes.top() - 10, axes.right() - axes.left() + 10, axes.bottom() - axes.top() + 10});
    for (const Point& point : points) {
        labels.keepFree(axes.x(point.size / sizeUnit.bytes), place(point));
    }
    for (const Point& point : points) {
        const QString name = names[static_cast<qsizetype>(point.model)];
        svg += filled("<path class=\"point %1%2\" d=\"%3\"><title>%4</title></path>",
                      seriesClass(report.matches, point.model), point.frontier ? QString() : QStringLiteral(" hollow"),
                      seriesPath(report.matches, point.model, axes.x(point.size / sizeUnit.bytes), place(point), 5.5),
                      escaped(modelTitle(name, point, metric)));
        svg += labels.place(axes.x(point.size / sizeUnit.bytes), place(point), name, point.frontier);
    }
    const QString frontierKey =
        filled("<p class=\"muted note\"><svg width=\"30\" height=\"11\" aria-hidden=\"true\"><path class=\"frontier\" "
               "d=\"M0 5.5H30\"/></svg> %1</p>",
               QCoreApplication::translate("gufo::ui::Report", "efficient frontier: no smaller file is as close; the "
                                                               "marks of the other files are hollow"));
    return chartFigure(report, names, QCoreApplication::translate("gufo::ui::Report", "Size against quality"),
                       svg + HtmlAxes::end() + frontierKey);
}

QString htmlProfiles(const ComparisonReport& report, const QStringList& names) {
    struct Sum {
        std::map<double, ErrorProfile::ErrorBin> errors;
        std::map<int, ErrorProfile::Octave> octaves;
    };
    const std::size_t models = report.matches.models.size();
    std::vector<Sum> sums(models);
    for (const ComparedRow& row : report.comparison.rows) {
        for (std::size_t model = 0; model < models; ++model) {
            for (const ErrorProfile::ErrorBin& bin : row.cells[model].comparison.profile.errors) {
                auto& sum = sums[model].errors.try_emplace(bin.lower, bin.lower, bin.upper, 0).first->second;
                sum.pairs += bin.pairs;
            }
            for (const ErrorProfile::Octave& octave : row.cells[model].comparison.profile.octaves) {
                auto& sum = sums[model].octaves[octave.exponent];
                sum.pairs += octave.pairs;
                sum.squares += octave.squares;
                sum.errorSquares += octave.errorSquares;
            }
        }
    }
    // The outermost bins are open at one end and are not drawn.
    const auto inside = [](double lower, double upper) { return lower > 0 && std::isfinite(upper); };
    double minimum = std::numeric_limits<double>::infinity();
    double largest = 0;
    double maximum = 0;
    int lowest = ErrorProfile::kHighest;
    int highest = ErrorProfile::kLowest;
    double worst = 0;
    double closest = std::numeric_limits<double>::infinity();
    const auto shown = [](int exponent, const ErrorProfile::Octave& octave) {
        const auto error = octave.relativeError();
        return exponent > ErrorProfile::kLowest && exponent < ErrorProfile::kHighest && error.value_or(0) > 0;
    };
    for (const Sum& sum : sums) {
        for (const auto& [lower, bin] : sum.errors) {
            if (inside(bin.lower, bin.upper)) {
                minimum = std::min(minimum, bin.lower);
                largest = std::max(largest, bin.upper);
                maximum = std::max(maximum, static_cast<double>(bin.pairs));
            }
        }
        for (const auto& [exponent, octave] : sum.octaves) {
            if (shown(exponent, octave)) {
                lowest = std::min(lowest, exponent);
                highest = std::max(highest, exponent);
                worst = std::max(worst, *octave.relativeError());
                closest = std::min(closest, *octave.relativeError());
            }
        }
    }
    if (maximum == 0) {
        return {};
    }
    const auto decades = [](double low, double high) {
        return NumberScale{std::pow(10, std::floor(std::log10(low))), std::pow(10, std::ceil(std::log10(high))), true};
    };
    const HtmlAxes sizes(
        520, 300, {{minimum, largest, true}, QCoreApplication::translate("gufo::ui::Report", "Error |a − b|"), decade},
        {decades(1, std::max(maximum, 10.0)), QCoreApplication::translate("gufo::ui::Report", "Number of weights"),
         decade});
    QString svg = sizes.begin(QCoreApplication::translate("gufo::ui::Report", "Number of weights by error"));
    for (std::size_t model = 0; model < models; ++model) {
        QString path;
        double end = 0;
        for (const auto& [lower, bin] : sums[model].errors) {
            if (!inside(bin.lower, bin.upper)) {
                continue;
            }
            path += end == bin.lower ? QString() : filled("M%1 %2", px(sizes.x(bin.lower)), px(sizes.bottom()));
            path += filled("L%1 %2H%3", px(sizes.x(bin.lower)), px(sizes.y(static_cast<double>(bin.pairs))),
                           px(sizes.x(bin.upper)));
            end = bin.upper;
        }
        if (!path.isEmpty()) {
            svg += filled("<path class=\"line %1\" d=\"%2V%3\"><title>%4</title></path>",
                          seriesClass(report.matches, model), path, px(sizes.bottom()),
                          escaped(names[static_cast<qsizetype>(model)]));
        }
    }
    QString html = QStringLiteral("<div class=\"pair\">") +
                   chartFigure(report, names, QCoreApplication::translate("gufo::ui::Report", "Distribution of errors"),
                               svg + HtmlAxes::end());
    if (worst > 0) {
        const HtmlAxes magnitudes(520, 300,
                                  {{std::ldexp(1.0, lowest), std::ldexp(1.0, std::max(highest, lowest + 1)), true},
                                   QCoreApplication::translate("gufo::ui::Report", "Magnitude of the weight |a|"),
                                   decade},
                                  {decades(closest, worst * 1.001),
                                   QCoreApplication::translate("gufo::ui::Report", "Relative error (RMS)"), decade});
        svg = magnitudes.begin(QCoreApplication::translate("gufo::ui::Report", "Relative error by weight magnitude"));
        for (std::size_t model = 0; model < models; ++model) {
            QString path;
            for (const auto& [exponent, octave] : sums[model].octaves) {
                if (shown(exponent, octave)) {
                    // Each point is drawn at the middle of its octave.
                    path += filled("%1%2 %3", path.isEmpty() ? QStringLiteral("M") : QStringLiteral("L"),
                                   px(magnitudes.x(std::ldexp(std::sqrt(2.0), exponent))),
                                   px(magnitudes.y(*octave.relativeError())));
                }
            }
            if (!path.isEmpty()) {
                svg += filled("<path class=\"line %1\" d=\"%2\"><title>%3</title></path>",
                              seriesClass(report.matches, model), path, escaped(names[static_cast<qsizetype>(model)]));
            }
        }
        html += chartFigure(report, names,
                            QCoreApplication::translate("gufo::ui::Report", "Relative error by weight magnitude"),
                            svg + HtmlAxes::end());
    }
    return html + QStringLiteral("</div>");
}

} // namespace gufo::ui
