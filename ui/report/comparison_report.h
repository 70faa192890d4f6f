// A finished comparison as JSON, CSV and HTML, for the window and the console.
#pragma once

#include "analysis/compare/compare_metadata.h"
#include "analysis/compare/compare_models.h"
#include "ui/report/text_sink.h"

#include <QStringList>

#include <memory>
#include <span>

namespace gufo::ui {

struct MetricFact;
struct OriginReport;
struct FileOrigin;
struct Behaviour;

// Rows that were not selected appear in no report.
struct ComparisonReport {
    const TensorMatches& matches;
    const ModelComparison& comparison;
    const MetadataComparison& metadata;
    const OriginReport* origin = nullptr; // if one of two models is the origin of the other (origin_report.h)
    const Imatrix* imatrix = nullptr;     // by which errors are weighted
    // The mean KL divergence of each model's predictions from the reference's, in nats, if it was measured.
    std::vector<std::optional<double>> divergences{};
    // What swapping the tensors of each model with the reference's has shown over a text; null if it was not measured.
    std::vector<std::shared_ptr<const Behaviour>> behaviours{};
    QString behaviourText{}; // the name of the text
    // If one of several models is the origin of others: how each of the others is related to it.
    std::span<const FileOrigin> origins{};
    // Without an origin: tensors that have the weights of others.
    std::span<const ExchangedTensor> exchanged{};
    // Whether CSV and JSON name files by the paths by which they were opened, as a script wants them, or by their names
    // alone, as a report that is given to others should. HTML never shows paths.
    bool withPaths = true;

    [[nodiscard]] std::string fileName(std::size_t model) const; // in CSV and JSON
    [[nodiscard]] std::optional<double> divergence(std::size_t model) const {
        return model < divergences.size() ? divergences[model] : std::nullopt;
    }
};

// The result of the comparison for one tensor of one model.
enum class CellVerdict : std::uint8_t {
    Reference,
    Identical,
    Equal, // other bytes, but the same type and weights
    Different,
    Renamed,
    Missing,
    Extra,
    Reshaped,
    Failed,
    Absent
};
[[nodiscard]] CellVerdict cellVerdict(const ComparisonReport& report, std::size_t row, std::size_t model);
// The stable name used in JSON and CSV: "identical".
[[nodiscard]] const char* verdictName(CellVerdict verdict);
[[nodiscard]] QString verdictText(CellVerdict verdict);
// The worst verdict of a row over all models.
[[nodiscard]] CellVerdict rowVerdict(const ComparisonReport& report, std::size_t row);

// What the figures leave out, a sentence each: weights that are NaN or infinite, and weights beyond the end of a file.
[[nodiscard]] QStringList leftOutNotes(const PairSums& sums, bool truncated);
// The same in few words, for a cell of a table. Empty if nothing is left out.
[[nodiscard]] QString leftOutText(const PairSums& sums, bool truncated);
// Short words for weights that have no figure, such as "identical". Empty if they differ.
[[nodiscard]] QString likenessText(Likeness likeness, const PairSums& sums);

// What keeps the figures of a model from speaking for all of it, the most serious first: tensors of the reference that
// were not compared, and what leftOutNotes() says. A sentence each; empty if everything was compared.
[[nodiscard]] QStringList incompleteNotes(const ComparisonTotals& totals);
// Short words for a model in place of a figure: the first of these notes, or that its weights are identical or equal.
// Empty if its figures say it all.
[[nodiscard]] QString totalsText(const ComparisonTotals& totals);

// With which importance matrix errors are weighted; without one, that plain errors do not show what those files gain
// that were quantised with one. A sentence each. `imatrix`: null without one, or if no tensor was compared with
// importance.
[[nodiscard]] QStringList importanceNotes(const TensorMatches& matches, const Imatrix* imatrix);

// Which tensors of a model have the weights of others, in one line; empty if there are none.
[[nodiscard]] QString exchangedText(const TensorMatches& matches, std::span<const ExchangedTensor> exchanged,
                                    std::size_t model);

// Whether anything differs: a key, a token, or a tensor that is missing, extra, reshaped, renamed or whose type or
// weights are others. In a comparison with the origin, only what the conversion does not explain differs.
[[nodiscard]] bool differs(const ComparisonReport& report);

// The file names without folder and extension, and without the parts that all have in common ("Q4_K_M"). If they are
// not distinct, folders are added as far as they distinguish them, and numbers as a last resort.
[[nodiscard]] QStringList modelNames(std::span<const std::shared_ptr<const Model>> models);

struct JsonOptions {
    bool profiles = false; // include errors by magnitude and binned errors of each tensor and model
    // If set, "memory_limit" and "best_that_fits" are written.
    std::optional<std::uint64_t> memory{};
    std::optional<std::size_t> bestThatFits{};
};
void writeComparisonJson(const ComparisonReport& report, const JsonOptions& options, TextSink& out);

// Writes a line per tensor and model, except the reference. RFC 4180, UTF-8.
void writeComparisonCsv(const ComparisonReport& report, TextSink& out);

// Writes a comparison as one HTML file. Pictures are inline SVG and styles are inline; the file fetches nothing and has
// no scripts. All text from model files is escaped. `metric` colours the map and sorts the worst tensors.
void writeComparisonHtml(const ComparisonReport& report, const MetricFact& metric, TextSink& out);

} // namespace gufo::ui
