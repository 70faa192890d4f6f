#include "ui/messages/figure_text.h"
#include "ui/report/architecture_picture.h"
#include "ui/report/html_sections.h"
#include "ui/report/html_text.h"

#include <QCoreApplication>

namespace gufo::ui {
namespace {

// What a comparison found about a tensor of the reference.
struct TensorErrors {
    ComparedSums sums;
    bool compared = false;
    bool identical = true;
    bool truncated = false;

    void add(const TensorComparison& comparison) {
        sums.merge(comparison.sums);
        compared = true;
        identical = identical && comparison.identical;
        truncated = truncated || comparison.truncated;
    }
    void add(const TensorErrors& other) {
        sums.merge(other.sums);
        compared = compared || other.compared;
        identical = identical && other.identical;
        truncated = truncated || other.truncated;
    }
};

constexpr char kNoDifference[] = "#98a0ab";
constexpr char kNoFigure[] = "#b3261e"; // compared, but nothing that is finite

std::vector<TensorErrors> errorsOf(const ComparisonReport& report, std::size_t model) {
    const std::size_t reference = report.matches.reference;
    std::vector<TensorErrors> errors(report.matches.models[reference]->tensors.size());
    for (std::size_t row = 0; row < report.matches.rows.size(); ++row) {
        const TensorMatch& match = report.matches.rows[row];
        const ComparedRow& compared = report.comparison.rows[row];
        if (compared.wanted && match.has(reference) && compared.cells[model].state == ComparedCell::State::Compared) {
            errors[match.cells[reference].part.tensor.value].add(compared.cells[model].comparison);
        }
    }
    return errors;
}

ArchitectureColours errorColours(const MetricFact& metric, std::vector<TensorErrors> errors) {
    std::vector<double> figures;
    bool anyIsSame = false;
    for (const TensorErrors& each : errors) {
        if (const auto figure = each.compared ? metric.of(figuresOf(each.sums)) : std::nullopt) {
            figures.push_back(*figure);
        }
        anyIsSame = anyIsSame || (each.compared && each.identical);
    }
    const MetricScale scale = scaleFor(metric, figures);
    ArchitectureColours colours;
    colours.title = metricTitle(metric) + u':';
    constexpr int kTicks = 4;
    for (const double tick : scale.ticks(kTicks)) {
        colours.legend.push_back({metricColour(scale, tick), metricTextWithUnit(metric, tick)});
    }
    if (anyIsSame) {
        colours.legend.push_back({QLatin1String(kNoDifference), reportText("identical")});
    }
    colours.of = [&metric, scale, errors = std::move(errors)](
                     std::span<const TensorIndex> tensors) -> std::vector<ArchitectureColours::Share> {
        TensorErrors sum;
        for (const TensorIndex tensor : tensors) {
            if (errors[tensor.value].compared) {
                sum.add(errors[tensor.value]);
            }
        }
        if (!sum.compared) {
            return {};
        }
        const Likeness likeness = likenessOf(sum.sums, sum.identical, sum.truncated);
        if (likeness == Likeness::Identical || likeness == Likeness::Equal) {
            return {{QLatin1String(kNoDifference)}};
        }
        const auto figure = likeness == Likeness::Different ? metric.of(figuresOf(sum.sums)) : std::nullopt;
        return {{figure ? metricColour(scale, *figure) : QString(QLatin1String(kNoFigure))}};
    };
    return colours;
}

} // namespace

QString htmlArchitecture(const ComparisonReport& report, const MetricFact& metric, const QStringList& names) {
    const std::size_t reference = report.matches.reference;
    const std::shared_ptr<const Model>& model = report.matches.models[reference];
    const std::size_t other = reference == 0 ? 1 : 0; // a comparison has at least two models
    const bool byError = metric.ofPair();
    const auto picture =
        architecturePicture(model, byError ? errorColours(metric, errorsOf(report, other)) : typeColours(*model));
    if (!picture) {
        return {};
    }
    const QString coloured =
        byError ? QCoreApplication::translate("gufo::ui::Report", "Coloured by the %1 of %2.")
                      .arg(metricTitle(metric), names.value(static_cast<qsizetype>(other)))
                : QCoreApplication::translate("gufo::ui::Report", "Coloured by the types of its tensors.");
    return filled("<figure><figcaption><b>%1</b> <span class=\"muted\">%2. %3</span></figcaption>%4</figure>"
                  "<details><summary>%5</summary><p class=\"muted words\">%6</p></details>",
                  escaped(names.value(static_cast<qsizetype>(reference))), escaped(picture->summary), escaped(coloured),
                  picture->svg, escaped(QCoreApplication::translate("gufo::ui::Report", "The picture in words")),
                  escaped(picture->words));
}

} // namespace gufo::ui
