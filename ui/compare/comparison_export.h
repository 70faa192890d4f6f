// Exports a finished comparison to a file as a report or as figures (ui/report), and tables of its pages as CSV.
#pragma once

#include "analysis/compare/compare_metadata.h"
#include "analysis/compare/compare_models.h"
#include "convert/origin/compare_origin.h"
#include "ui/compare/comparison.h"
#include "ui/plots/picture_frame.h"
#include "ui/report/metric.h"
#include "ui/report/origin_report.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace gufo::ui {

enum class ComparisonFormat : std::uint8_t { Html, Json, Csv };

struct ComparisonFormatFact {
    ComparisonFormat format;
    const char* title;  // title of the dialog; translation context gufo::ui::ComparisonExport
    const char* filter; // translated likewise
    const char* suffix;
};
[[nodiscard]] std::span<const ComparisonFormatFact> comparisonFormats();

struct FinishedComparison {
    std::shared_ptr<const TensorMatches> matches;
    std::shared_ptr<const ModelComparison> comparison;
    std::shared_ptr<const MetadataComparison> metadata;
    // Null unless one of two models is the origin of the other.
    std::shared_ptr<const convert::Origin> origin{};
    std::shared_ptr<const convert::OriginProof> proof{};
    std::shared_ptr<const Imatrix> imatrix{};                   // by which errors are weighted
    std::vector<std::optional<double>> divergences{};           // as in ComparisonReport
    std::vector<std::shared_ptr<const Behaviour>> behaviours{}; // as in ComparisonReport
    QString behaviourText{};
    std::vector<FileOrigin> fileOrigins{}; // of several files
    std::vector<ExchangedTensor> exchanged{};
};

// `metric` colours the report's map. Not for the UI thread. Errors: WriteFailed and others of writing.
[[nodiscard]] Result<> writeComparison(const FinishedComparison& finished, ComparisonFormat format, Metric metric,
                                       const std::filesystem::path& path);

// A frame for an exported picture that names the files, and the reference of the comparison. `subject` is what the
// picture shows of them: a tensor with its shape, or empty for whole models.
[[nodiscard]] PictureFrame comparisonFrame(const Comparison& comparison, const QString& title,
                                           const std::vector<std::size_t>& files, const QString& subject = {});
// The legend entries of these files' lines.
[[nodiscard]] std::vector<PictureKey> fileKeys(const Comparison& comparison, const std::vector<std::size_t>& files);

// The rows of a table as comma-separated values according to RFC 4180: cells with a comma, a quote or a line break are
// quoted, and lines end with CR LF.
[[nodiscard]] QString csvText(const QStringList& header, const QList<QStringList>& rows);
// A machine-readable number: 9 digits and a decimal point. Empty if there is no value.
[[nodiscard]] QString csvNumber(std::optional<double> value);

} // namespace gufo::ui
