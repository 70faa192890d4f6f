#include "ui/report/comparison_metric.h"

#include "ui/messages/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace gufo::ui {
namespace {

#define T(text) QT_TRANSLATE_NOOP("gufo::ui::Report", text)
constexpr auto kMetrics = std::to_array<ReportMetric>({
    {"sqnr", T("SQNR"), "dB", true, false, 10, 40, true, [](const PairFigures& f) { return f.sqnrDb; }},
    {"nmse", T("NMSE"), "", false, true, 1e-4, 1e-1, true, [](const PairFigures& f) { return f.nmse; }},
    {"rmse", T("RMSE"), "", false, true, {}, {}, true, [](const PairFigures& f) { return f.rmse; }},
    {"mae", T("Mean error"), "", false, true, {}, {}, true, [](const PairFigures& f) { return f.mae; }},
    {"max_error", T("Max error"), "", false, true, {}, {}, true, [](const PairFigures& f) { return f.maxError; }},
    {"cosine", T("Cosine"), "", true, false, 0.95, 1, true, [](const PairFigures& f) { return f.cosine; }},
    {"equal", T("Equal weights"), "%", true, false, 0, 1, true, [](const PairFigures& f) { return f.equalShare; }},
    {"bits", T("Bits per weight"), "", true, false, 2, 8.5, false, nullptr},
});
#undef T

} // namespace

std::span<const ReportMetric> reportMetrics() { return kMetrics; }

const ReportMetric* findReportMetric(std::string_view id) {
    const auto* row = std::ranges::find(kMetrics, id, [](const ReportMetric& m) { return std::string_view(m.id); });
    return row != kMetrics.end() ? row : nullptr;
}

QString metricTitle(const ReportMetric& metric) {
    return QCoreApplication::translate("gufo::ui::Report", metric.title);
}

std::optional<double> metricOf(const ReportMetric& metric, const ComparisonReport& report, std::size_t row,
                               std::size_t model) {
    const TensorMatch& match = report.matches.rows[row];
    if (!metric.ofPair) {
        return match.has(model) ? report.matches.models[model]->tensor(match.cells[model].part.tensor).bitsPerWeight()
                                : std::nullopt;
    }
    const ComparedCell& cell = report.comparison.rows[row].cells[model];
    return cell.state == ComparedCell::State::Compared ? metric.of(cell.comparison.figures()) : std::nullopt;
}

QString metricText(const ReportMetric& metric, double value) {
    const std::string_view id = metric.id;
    const auto fixed = [](double number, int decimals) {
        return QString::number(number, 'f', decimals).replace(u'-', QChar(0x2212));
    };
    if (id == "sqnr") {
        return fixed(value, 1);
    }
    if (id == "equal") {
        return fixed(100 * value, 1);
    }
    if (id == "cosine") {
        return fixed(value, 5);
    }
    return id == "bits" ? formatBitsPerWeight(value) : formatReal(value, 3);
}

std::vector<std::size_t> worstFirst(const ComparisonReport& report, const ReportMetric& metric,
                                    std::optional<std::size_t> model) {
    struct Entry {
        std::ptrdiff_t verdict;
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
        for (std::size_t own = model.value_or(0); own < (model ? *model + 1 : models); ++own) {
            const CellVerdict verdict = cellVerdict(report, row, own);
            if (verdict == CellVerdict::Identical || verdict == CellVerdict::Reference ||
                verdict == CellVerdict::Absent) {
                continue;
            }
            constexpr std::array kOrder{CellVerdict::Failed, CellVerdict::Missing, CellVerdict::Reshaped,
                                        CellVerdict::Extra};
            const auto value = metricOf(metric, report, row, own);
            const double ascending = value ? (metric.higherIsCloser ? *value : -*value) : 0;
            const Entry entry{std::ranges::find(kOrder, verdict) - kOrder.begin(), !value, ascending, row};
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
