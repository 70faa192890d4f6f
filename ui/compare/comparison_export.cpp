#include "ui/compare/comparison_export.h"

#include "ui/plots/plot_export.h"
#include "ui/report/comparison_html.h"
#include "ui/report/comparison_report.h"
#include "ui/report/origin_report.h"

#include <array>

namespace gufo::ui {
namespace {

constexpr std::array kFormats{
    ComparisonFormatInfo{ComparisonFormat::Html,
                         QT_TRANSLATE_NOOP("gufo::ui::ComparisonExport", "Export comparison as a report"),
                         QT_TRANSLATE_NOOP("gufo::ui::ComparisonExport", "HTML page (*.html)"), ".html"},
    ComparisonFormatInfo{ComparisonFormat::Json,
                         QT_TRANSLATE_NOOP("gufo::ui::ComparisonExport", "Export comparison as JSON"),
                         QT_TRANSLATE_NOOP("gufo::ui::ComparisonExport", "JSON (*.json)"), ".json"},
    ComparisonFormatInfo{ComparisonFormat::Csv,
                         QT_TRANSLATE_NOOP("gufo::ui::ComparisonExport", "Export comparison as CSV"),
                         QT_TRANSLATE_NOOP("gufo::ui::ComparisonExport", "Comma-separated values (*.csv)"), ".csv"},
};

} // namespace

std::span<const ComparisonFormatInfo> comparisonFormats() { return kFormats; }

Result<> writeComparison(const FinishedComparison& finished, ComparisonFormat format, Metric metric,
                         const std::filesystem::path& path) {
    std::optional<OriginReport> origin;
    if (finished.origin != nullptr && finished.proof != nullptr) {
        origin.emplace(OriginReport{*finished.origin, *finished.proof, *finished.matches, *finished.metadata});
    }
    const ComparisonReport report{.matches = *finished.matches,
                                  .comparison = *finished.comparison,
                                  .metadata = *finished.metadata,
                                  .origin = origin ? &*origin : nullptr,
                                  .imatrix = finished.imatrix.get(),
                                  .divergences = finished.divergences,
                                  .origins = finished.fileOrigins,
                                  .exchanged = finished.exchanged,
                                  .withPaths = false};
    StringSink text;
    switch (format) {
    case ComparisonFormat::Html: {
        writeComparisonHtml(report, metricInfo(metricInfo(metric).inReport ? metric : Metric::Sqnr), text);
        break;
    }
    case ComparisonFormat::Json:
        writeComparisonJson(report, {}, text);
        break;
    case ComparisonFormat::Csv:
        writeComparisonCsv(report, text);
        break;
    }
    return writeBytes(text.text(), path);
}

} // namespace gufo::ui
