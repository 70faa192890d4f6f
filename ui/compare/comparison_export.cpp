#include "ui/compare/comparison_export.h"

#include "ui/plots/plot_export.h"
#include "ui/report/comparison_report.h"
#include "ui/report/origin_report.h"
#include "ui/shell/native_path.h"
#include "ui/widgets/table_text.h"

#include <QCoreApplication>

#include <array>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr std::array kFormats{
    ComparisonFormatFact{ComparisonFormat::Html,
                         QT_TRANSLATE_NOOP("gufo::ui::ComparisonExport", "Export comparison as a report"),
                         QT_TRANSLATE_NOOP("gufo::ui::ComparisonExport", "HTML page (*.html)"), ".html"},
    ComparisonFormatFact{ComparisonFormat::Json,
                         QT_TRANSLATE_NOOP("gufo::ui::ComparisonExport", "Export comparison as JSON"),
                         QT_TRANSLATE_NOOP("gufo::ui::ComparisonExport", "JSON (*.json)"), ".json"},
    ComparisonFormatFact{ComparisonFormat::Csv,
                         QT_TRANSLATE_NOOP("gufo::ui::ComparisonExport", "Export comparison as CSV"),
                         QT_TRANSLATE_NOOP("gufo::ui::ComparisonExport", "Comma-separated values (*.csv)"), ".csv"},
};

class FrameWords {
    Q_DECLARE_TR_FUNCTIONS(gufo::ui::ComparisonFrame)
};

QString named(const ComparedFile& file) {
    const QString name = fileNameText(file.place);
    return name == file.label ? name : QStringLiteral("%1 (%2)").arg(file.label, name);
}

QString line(const QStringList& cells) {
    QStringList quoted;
    for (QString cell : cells) {
        if (cell.contains(u',') || cell.contains(u'"') || cell.contains(u'\n') || cell.contains(u'\r')) {
            cell = u'"' + cell.replace(u'"', QStringLiteral("\"\"")) + u'"';
        }
        quoted << cell;
    }
    return quoted.join(u',') + QStringLiteral("\r\n");
}

} // namespace

std::span<const ComparisonFormatFact> comparisonFormats() { return kFormats; }

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
                                  .behaviours = finished.behaviours,
                                  .behaviourText = finished.behaviourText,
                                  .origins = finished.fileOrigins,
                                  .exchanged = finished.exchanged,
                                  .withPaths = false};
    StringSink text;
    switch (format) {
    case ComparisonFormat::Html: {
        writeComparisonHtml(report, metricFact(metricFact(metric).inReport ? metric : Metric::Sqnr), text);
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

PictureFrame comparisonFrame(const Comparison& comparison, const QString& title, const std::vector<std::size_t>& files,
                             const QString& subject) {
    QStringList names;
    for (const std::size_t file : files) {
        if (file != comparison.reference()) {
            names << named(comparison.files()[file]);
        }
    }
    PictureFrame frame{.title = title, .lines = {}};
    if (!subject.isEmpty()) {
        frame.lines << subject;
    }
    if (!names.isEmpty()) {
        frame.lines << names.join(QStringLiteral(", "));
    }
    if (comparison.reference() < comparison.files().size()) {
        frame.lines << FrameWords::tr("Reference: %1").arg(named(comparison.files()[comparison.reference()]));
    }
    return frame;
}

std::vector<PictureKey> fileKeys(const Comparison& comparison, const std::vector<std::size_t>& files) {
    std::vector<PictureKey> keys;
    for (const std::size_t file : files) {
        keys.push_back(seriesKey(comparison.files()[file].label, comparison.files()[file].series));
    }
    return keys;
}

QString csvText(const QStringList& header, const QList<QStringList>& rows) {
    QString text = line(header);
    for (const QStringList& row : rows) {
        text += line(row);
    }
    return text;
}

QString csvNumber(std::optional<double> value) {
    return value && std::isfinite(*value) ? exactText(*value) : QString();
}

} // namespace gufo::ui
