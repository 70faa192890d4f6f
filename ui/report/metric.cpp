#include "ui/report/metric.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace gufo::ui {
namespace {

using F = PairFigures;
constexpr auto kMetrics = std::to_array<MetricFact>({
    // clang-format off
    {Metric::Sqnr, "sqnr", QT_TRANSLATE_NOOP("gufo::ui::Metric", "SQNR"), QT_TRANSLATE_NOOP("gufo::ui::Metric", "dB"), QT_TRANSLATE_NOOP("gufo::ui::Metric", "higher is closer"),
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "Signal to quantisation noise by block and role"), true, false, 10, 40,
     [](const F& f) { return f.sqnrDb; }, true, true},
    {Metric::Nmse, "nmse", QT_TRANSLATE_NOOP("gufo::ui::Metric", "NMSE"), "", QT_TRANSLATE_NOOP("gufo::ui::Metric", "lower is closer"),
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "Normalised mean squared error by block and role"), false, true, 1e-4, 1e-1,
     [](const F& f) { return f.nmse; }, true, true},
    {Metric::Rmse, "rmse", QT_TRANSLATE_NOOP("gufo::ui::Metric", "RMSE"), "", QT_TRANSLATE_NOOP("gufo::ui::Metric", "lower is closer"),
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "Root mean square error by block and role"), false, true, {}, {},
     [](const F& f) { return f.rmse; }, true, true},
    {Metric::MeanError, "mae", QT_TRANSLATE_NOOP("gufo::ui::Metric", "Mean error"), "", QT_TRANSLATE_NOOP("gufo::ui::Metric", "lower is closer"),
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "Mean absolute error by block and role"), false, true, {}, {},
     [](const F& f) { return f.mae; }, true, true},
    {Metric::MaxError, "max_error", QT_TRANSLATE_NOOP("gufo::ui::Metric", "Max error"), "", QT_TRANSLATE_NOOP("gufo::ui::Metric", "lower is closer"),
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "Largest error by block and role"), false, true, {}, {},
     [](const F& f) { return f.maxError; }, true, true},
    {Metric::Cosine, "cosine", QT_TRANSLATE_NOOP("gufo::ui::Metric", "Cosine"), "", QT_TRANSLATE_NOOP("gufo::ui::Metric", "higher is closer"),
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "Cosine similarity by block and role"), true, false, 0.95, 1,
     [](const F& f) { return f.cosine; }, true, true},
    {Metric::EqualShare, "equal", QT_TRANSLATE_NOOP("gufo::ui::Metric", "Equal weights"), QT_TRANSLATE_NOOP("gufo::ui::Metric", "%"), QT_TRANSLATE_NOOP("gufo::ui::Metric", "higher is closer"),
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "Share of equal weights by block and role"), true, false, 0, 1,
     [](const F& f) { return f.equalShare; }, false, true}, // 0 nearly everywhere, which would make a map of one colour
    {Metric::WeightedSqnr, "weighted_sqnr", QT_TRANSLATE_NOOP("gufo::ui::Metric", "Weighted SQNR"), QT_TRANSLATE_NOOP("gufo::ui::Metric", "dB"), QT_TRANSLATE_NOOP("gufo::ui::Metric", "higher is closer"),
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "SQNR weighted by the importance matrix, by block and role"), true, false, 10, 40,
     [](const F& f) { return f.weightedSqnrDb; }, false, true, true}, // on the map with a matrix
    {Metric::BitsPerWeight, "bits", QT_TRANSLATE_NOOP("gufo::ui::Metric", "Bits per weight"), "", QT_TRANSLATE_NOOP("gufo::ui::Metric", "bits/weight"),
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "Bits per weight by block and role"), true, false, 2, 8.5, nullptr, true, true},
    {Metric::Type, "type", QT_TRANSLATE_NOOP("gufo::ui::Metric", "Type"), "", QT_TRANSLATE_NOOP("gufo::ui::Metric", "bits/weight"),
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "Tensor type by block and role"), true, false, 2, 8.5, nullptr, true, false},
    // Not of tensors: measured by running the models (ui/compare/lock_step).
    {Metric::Divergence, "kl", QT_TRANSLATE_NOOP("gufo::ui::Metric", "KL divergence"), QT_TRANSLATE_NOOP("gufo::ui::Metric", "nats"), QT_TRANSLATE_NOOP("gufo::ui::Metric", "lower is closer"),
     QT_TRANSLATE_NOOP("gufo::ui::Metric", "Mean KL divergence of the predictions"), false, true, {}, {}, nullptr, false, false},
    // clang-format on
});
constexpr bool isInOrder() {
    for (std::size_t i = 0; i < kMetrics.size(); ++i) {
        if (kMetrics[i].metric != static_cast<Metric>(i)) {
            return false;
        }
    }
    return true;
}
static_assert(isInOrder(), "metricFact() finds a row by its number");

QString tr(const char* text) {
    return *text == '\0' ? QString() : QCoreApplication::translate("gufo::ui::Metric", text);
}

} // namespace

std::span<const MetricFact> metrics() { return kMetrics; }

const MetricFact& metricFact(Metric metric) { return kMetrics[static_cast<std::size_t>(metric)]; }

const MetricFact* findReportMetric(std::string_view id) {
    const auto* row = std::ranges::find(kMetrics, id, [](const MetricFact& m) { return std::string_view(m.id); });
    return row != kMetrics.end() && row->inReport ? row : nullptr;
}

QString metricTitle(const MetricFact& metric) { return tr(metric.title); }

QString metricUnit(const MetricFact& metric) { return tr(metric.unit); }

QString metricHint(const MetricFact& metric) { return tr(metric.hint); }

QString metricHeading(const MetricFact& metric) { return tr(metric.heading); }

QString metricFullTitle(const MetricFact& metric) {
    const QString unit = metricUnit(metric);
    return unit.isEmpty() ? metricTitle(metric) : QStringLiteral("%1 (%2)").arg(metricTitle(metric), unit);
}

QString metricText(const MetricFact& metric, double value) {
    const auto fixed = [](double number, int decimals) {
        return QString::number(number, 'f', decimals)
            .replace(u'-', QChar(0x2212))
            .replace(QLatin1Char('.'), figureLocale().decimalPoint());
    };
    // As many decimals as are needed to tell nearly all from all: 99.998 instead of 100.0.
    const auto below = [&](double number, double all, int decimals) {
        constexpr int kMostDecimals = 12;
        const int first = decimals;
        QString text = fixed(number, decimals);
        while (number < all && decimals < kMostDecimals && text == fixed(all, decimals)) {
            text = fixed(number, ++decimals);
        }
        // What differs only by the rounding of sums is all.
        return text == fixed(all, kMostDecimals) ? fixed(all, first) : text;
    };
    switch (metric.metric) {
    case Metric::Sqnr:
    case Metric::WeightedSqnr:
        return fixed(value, 1);
    case Metric::EqualShare:
        return below(100 * value, 100, 1);
    case Metric::Cosine:
        return below(value, 1, 5);
    case Metric::BitsPerWeight:
    case Metric::Type:
        return formatBitsPerWeight(value);
    case Metric::Nmse:
    case Metric::Rmse:
    case Metric::MeanError:
    case Metric::MaxError:
    case Metric::Divergence:
        break;
    }
    return formatReal(value, 3);
}

QString metricTextWithUnit(const MetricFact& metric, double value) {
    const QString unit = metricUnit(metric);
    return unit.isEmpty() ? metricText(metric, value) : metricText(metric, value) + u' ' + unit;
}

std::optional<double> metricOf(const MetricFact& metric, const PairFigures& figures) {
    return metric.ofPair() ? metric.of(figures) : std::nullopt;
}

std::optional<double> metricOf(const MetricFact& metric, const ComparisonReport& report, std::size_t row,
                               std::size_t model) {
    const TensorMatch& match = report.matches.rows[row];
    if (!metric.ofPair()) {
        return match.has(model) ? report.matches.models[model]->tensor(match.cells[model].part.tensor).bitsPerWeight()
                                : std::nullopt;
    }
    const ComparedCell& cell = report.comparison.rows[row].cells[model];
    return cell.state == ComparedCell::State::Compared ? metric.of(cell.comparison.figures()) : std::nullopt;
}

std::vector<std::size_t> worstFirst(const ComparisonReport& report, const MetricFact& metric,
                                    std::optional<std::size_t> model) {
    struct Entry {
        std::ptrdiff_t verdict;
        bool complete;
        bool undefined;
        double value;
        std::size_t row;
        auto operator<=>(const Entry&) const = default;
    };
    const auto before = [](const Entry& a, const Entry& b) { return (a <=> b) < 0; };
    std::vector<Entry> entries;
    for (std::size_t row = 0; row < report.matches.rows.size(); ++row) {
        if (!report.comparison.rows[row].wanted) {
            continue;
        }
        std::optional<Entry> worst;
        const std::size_t models = report.matches.models.size();
        for (std::size_t index = model.value_or(0); index < (model ? *model + 1 : models); ++index) {
            const CellVerdict verdict = cellVerdict(report, row, index);
            if (verdict == CellVerdict::Identical || verdict == CellVerdict::Equal ||
                verdict == CellVerdict::Reference || verdict == CellVerdict::Absent) {
                continue;
            }
            constexpr std::array kOrder{CellVerdict::Failed, CellVerdict::Missing, CellVerdict::Reshaped,
                                        CellVerdict::Extra};
            // Weights that only one of the files lacks or that are not finite outweigh any figure of the others.
            const TensorComparison& compared = report.comparison.rows[row].cells[index].comparison;
            const bool leavesOut = compared.sums.excluded > 0 || compared.truncated;
            const auto value = metricOf(metric, report, row, index);
            const double ascending = value ? (metric.higherIsCloser ? *value : -*value) : 0;
            const Entry entry{std::ranges::find(kOrder, verdict) - kOrder.begin(), !leavesOut, !value, ascending, row};
            worst = worst && before(*worst, entry) ? *worst : entry;
        }
        if (worst) {
            entries.push_back(*worst);
        }
    }
    std::ranges::sort(entries, before);
    std::vector<std::size_t> rows;
    rows.reserve(entries.size());
    for (const Entry& entry : entries) {
        rows.push_back(entry.row);
    }
    return rows;
}

} // namespace gufo::ui
