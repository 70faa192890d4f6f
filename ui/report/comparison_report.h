// A finished comparison on paper: JSON, CSV and HTML, for the window and the console alike.
#pragma once

#include "analysis/compare/compare_metadata.h"
#include "analysis/compare/compare_models.h"
#include "ui/report/text_sink.h"

#include <QStringList>

namespace gufo::ui {

// Rows that were not wanted appear nowhere.
struct ComparisonReport {
    const TensorMatches& matches;
    const ModelComparison& comparison;
    const MetadataComparison& metadata;
};

// What became of one tensor in one model.
enum class CellVerdict : std::uint8_t {
    Reference,
    Identical,
    Different,
    Renamed,
    Missing,
    Extra,
    Reshaped,
    Failed,
    Absent
};
[[nodiscard]] CellVerdict cellVerdict(const ComparisonReport& report, std::size_t row, std::size_t model);
// The stable name for JSON and CSV: "identical".
[[nodiscard]] const char* verdictName(CellVerdict verdict);
[[nodiscard]] QString verdictText(CellVerdict verdict);
// Of a row over all models: the worst.
[[nodiscard]] CellVerdict rowVerdict(const ComparisonReport& report, std::size_t row);

// Whether anything differs: a key, a token, a tensor that is missing, extra, reshaped, renamed or not the same bytes.
[[nodiscard]] bool differs(const ComparisonReport& report);

// The names of the files without folder and ending, those parts left out that all have in common ("Q4_K_M"); with their
// paths, and in the end numbers, where that would not tell them apart.
[[nodiscard]] QStringList modelNames(std::span<const std::shared_ptr<const Model>> models);

struct JsonOptions {
    bool profiles = false; // errors by magnitude and errors in bins for each tensor and model
};
void writeComparisonJson(const ComparisonReport& report, const JsonOptions& options, TextSink& out);

// A line for each tensor and model but the reference, RFC 4180, UTF-8.
void writeComparisonCsv(const ComparisonReport& report, TextSink& out);

} // namespace gufo::ui
