#include "cli/verbs/compare_text.h"

#include "cli/cancellation.h"
#include "cli/engine_options.h"
#include "cli/progress_line.h"
#include "cli/text_input.h"
#include "cli/text_table.h"
#include "inference/measuring/perplexity.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/messages/model_text.h"
#include "ui/report/fitting.h"
#include "ui/report/origin_report.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>

namespace gufo::cli {
namespace {

using ui::CellVerdict;
using ui::ComparisonReport;

constexpr std::size_t kShortList = 20;
constexpr std::size_t kMaxKeys = 30;
constexpr qsizetype kLongestValue = 48;

// Uses an ASCII minus sign, which other programs can parse.
QString plain(QString text) { return text.replace(QChar(0x2212), QLatin1Char('-')); }

QString figure(const ui::MetricFact& metric, const std::optional<double>& value) {
    return value ? plain(ui::metricText(metric, *value)) : QStringLiteral("-");
}

QString shortValue(std::string_view key, const Value& value, std::string_view architecture) {
    const QString text = ui::namedValue(key, value, architecture, 4);
    return text.size() > kLongestValue ? text.left(kLongestValue - 1) + u'…' : text;
}

QString count(std::uint64_t n) { return n == 0 ? QStringLiteral("-") : ui::formatCount(n); }

class Printer {
public:
    Printer(Console& console, const ComparisonReport& report, const CompareText& options)
        : m_console(console)
        , m_report(report)
        , m_matches(report.matches)
        , m_options(options)
        , m_names(ui::modelNames(report.matches.models)) {}

    void print() {
        if (m_report.origin != nullptr) {
            printVerdict(*m_report.origin, {});
        }
        for (const ui::FileOrigin& origin : m_report.origins) {
            printVerdict(origin.report(), nameOf(origin.file));
        }
        printIncomplete();
        printModels();
        if (m_options.memory) {
            printBestThatFits(*m_options.memory);
        }
        printMetadata();
        printTokenizers();
        printTensors();
    }

private:
    [[nodiscard]] std::size_t models() const { return m_matches.models.size(); }
    [[nodiscard]] QString nameOf(std::size_t model) const { return m_names[static_cast<qsizetype>(model)]; }

    // `file` is the name of the file, if there are several.
    void printVerdict(const ui::OriginReport& origin, const QString& file) {
        const bool same = origin.proof.verdict == convert::OriginVerdict::Same;
        const QString verdict = ui::originVerdictText(origin);
        m_console.out().writeLine(
            m_console.coloured(same ? Colour::Bold : Colour::Yellow,
                               file.isEmpty() ? verdict : QStringLiteral("%1: %2").arg(file, verdict)));
        for (const QString& detail : ui::originDetails(origin)) {
            m_console.out().writeLine(QStringLiteral("  ") + plain(detail));
        }
        m_console.out().writeLine();
    }

    // How many tensors of a model have the types and weights of the reference, and how many compared ones do not.
    [[nodiscard]] std::array<std::uint64_t, 2> identicalAndDifferent(const ComparisonTotals& totals,
                                                                     std::size_t model) const {
        const auto found = std::ranges::find(m_report.origins, model, &ui::FileOrigin::file);
        const convert::OriginProof* proof = m_report.origin != nullptr        ? &m_report.origin->proof
                                            : found != m_report.origins.end() ? &found->proved->proof
                                                                              : nullptr;
        return proof != nullptr
                   ? std::array{proof->same(), proof->count(convert::TensorProof::Different)}
                   : std::array{totals.identical + totals.equal, totals.tensors - totals.identical - totals.equal};
    }

    void printModels() {
        std::vector<Column> columns{
            {Cli::tr("Model")}, {Cli::tr("Size"), Align::Right}, {Cli::tr("Bits"), Align::Right}};
        std::vector<const ui::MetricFact*> figures;
        for (const ui::MetricFact& metric : ui::pairMetrics(m_report)) {
            figures.push_back(&metric);
            columns.push_back({ui::metricFullTitle(metric), Align::Right});
        }
        const bool measured = !m_report.divergences.empty();
        const ui::MetricFact& divergence = ui::metricFact(ui::Metric::Divergence);
        if (measured) {
            columns.push_back({ui::metricFullTitle(divergence), Align::Right});
        }
        for (const QString& title : {Cli::tr("Identical"), Cli::tr("Different"), Cli::tr("Missing"), Cli::tr("Extra"),
                                     Cli::tr("Reshaped"), Cli::tr("Failed")}) {
            columns.push_back({title, Align::Right});
        }
        TextTable table(columns);
        for (std::size_t model = 0; model < models(); ++model) {
            const ComparisonTotals totals = m_report.comparison.totals(m_matches, model);
            const auto whole = m_matches.models[model]->totals();
            const bool reference = model == m_matches.reference;
            std::vector<QString> cells{reference ? Cli::tr("%1 (reference)").arg(nameOf(model)) : nameOf(model),
                                       ui::formatBytes(whole.fileBytes),
                                       whole.bitsPerWeight ? ui::formatBitsPerWeight(*whole.bitsPerWeight) : "-"};
            for (const ui::MetricFact* metric : figures) {
                cells.push_back(reference ? QString() : figure(*metric, metric->of(totals.byParameters)));
            }
            if (measured) {
                cells.push_back(reference ? QString() : figure(divergence, m_report.divergence(model)));
            }
            const auto [identical, different] = identicalAndDifferent(totals, model);
            for (const std::uint64_t n :
                 {identical, different, totals.missing, totals.extra, totals.reshaped, totals.failed}) {
                cells.push_back(reference ? QString() : count(n));
            }
            table.addRow(std::move(cells), Colour::Bold);
        }
        table.print(m_console);
        for (const QString& note :
             ui::importanceNotes(m_matches, m_report.comparison.hasImportance ? m_report.imatrix : nullptr)) {
            m_console.out().writeLine(plain(note));
        }
    }

    // What the figures do not say comes before them.
    void printIncomplete() {
        for (std::size_t model = 0; model < models(); ++model) {
            const ComparisonTotals totals = m_report.comparison.totals(m_matches, model);
            const QStringList notes = m_report.origin != nullptr ? ui::leftOutNotes(totals.sums, totals.truncated != 0)
                                                                 : ui::incompleteNotes(totals);
            for (const QString& note : notes) {
                m_console.out().writeLine(
                    m_console.coloured(Colour::Yellow, QStringLiteral("%1: %2").arg(nameOf(model), note)));
            }
            if (const QString line = ui::exchangedText(m_matches, m_report.exchanged, model); !line.isEmpty()) {
                m_console.out().writeLine(
                    m_console.coloured(Colour::Yellow, QStringLiteral("%1: %2").arg(nameOf(model), line)));
            }
        }
    }

    void printBestThatFits(std::uint64_t limit) {
        m_console.out().writeLine();
        const ui::MetricFact& metric = m_options.fitting;
        const auto best = ui::bestThatFits(m_report, metric, limit);
        if (!best) {
            m_console.out().writeLine(Cli::tr("No model runs within %1.").arg(ui::formatBytes(limit)));
            return;
        }
        const ui::FitCandidate chosen = ui::fitCandidate(m_report, *best, metric);
        const QString closeness =
            chosen.exact || !chosen.quality
                ? Cli::tr("without loss")
                : QStringLiteral("%1 %2").arg(ui::metricTitle(metric),
                                              plain(ui::metricTextWithUnit(metric, *chosen.quality)));
        m_console.out().writeLine(
            Cli::tr("The best that fits into %1: %2 (%3 to run, %4)")
                .arg(ui::formatBytes(limit), nameOf(*best), ui::formatBytes(*chosen.memory), closeness));
    }

    void heading(const QString& text) {
        m_console.out().writeLine();
        m_console.out().writeLine(m_console.coloured(Colour::Bold, text));
    }

    void printMetadata() {
        std::vector<const MetadataRow*> rows;
        for (const MetadataRow& row : m_report.metadata.rows) {
            if (!row.same()) {
                rows.push_back(&row);
            }
        }
        if (rows.empty()) {
            heading(Cli::tr("Metadata: no key differs"));
            return;
        }
        heading(Cli::tr("Metadata: %n keys differ", nullptr, ui::numerus(rows.size())));
        std::vector<Column> columns{{Cli::tr("Key")}};
        for (std::size_t model = 0; model < models(); ++model) {
            columns.push_back({nameOf(model)});
        }
        TextTable table(columns);
        for (std::size_t i = 0; i < std::min(rows.size(), kMaxKeys); ++i) {
            std::vector<QString> cells{ui::displayText(rows[i]->key)};
            for (std::size_t model = 0; model < models(); ++model) {
                cells.push_back(valueText(*rows[i], model));
            }
            table.addRow(std::move(cells));
        }
        table.print(m_console, 2);
        if (rows.size() > kMaxKeys) {
            m_console.out().writeLine(QStringLiteral("  ") +
                                      Cli::tr("and %1 more; use --json to see all").arg(rows.size() - kMaxKeys));
        }
    }

    [[nodiscard]] QString valueText(const MetadataRow& row, std::size_t model) const {
        const MetadataRow::Cell& cell = row.cells[model];
        if (!cell.index) {
            return Cli::tr("(absent)");
        }
        const Metadata& metadata = m_matches.models[model]->metadata;
        const Value& value = metadata[*cell.index].value;
        const auto shown = [&](const Value& one) { return shortValue(row.key, one, metadata.architecture()); };
        if (model != m_matches.reference && cell.status == KeyStatus::Same) {
            return Cli::tr("(same)");
        }
        if (cell.typeOnly) {
            return Cli::tr("the same as %1").arg(ui::formatValueType(value));
        }
        if (cell.elements && !cell.elements->first.empty()) {
            const ArrayDifference& elements = *cell.elements;
            const auto& first = elements.first.front();
            return Cli::tr("%1: %n elements differ, the first at %2: %3", nullptr, ui::numerus(elements.differing))
                .arg(ui::formatValueType(value), ui::formatCount(first.index),
                     first.other ? shown(*first.other) : Cli::tr("(none)"));
        }
        return asArray(value) != nullptr ? ui::formatValueType(value) : shown(value);
    }

    void printTokenizers() {
        for (std::size_t model = 0; model < models(); ++model) {
            const TokenizerDifference& tokens = m_report.metadata.tokenizers[model];
            if (tokens.same()) {
                continue;
            }
            heading(
                Cli::tr("Tokens of %1: %2 missing, %3 new, %4 under other ids, %5 with other scores, %6 of other types")
                    .arg(nameOf(model), ui::formatCount(tokens.onlyInReference), ui::formatCount(tokens.onlyInOther),
                         ui::formatCount(tokens.otherIds), ui::formatCount(tokens.otherScores),
                         ui::formatCount(tokens.otherTypes)));
        }
    }

    // The rows to show, in display order.
    [[nodiscard]] std::vector<std::size_t> chosenRows() const {
        std::vector<std::size_t> rows =
            ui::worstFirst(m_report, m_options.sort != nullptr ? *m_options.sort : m_options.metric, std::nullopt);
        if (m_options.sort == nullptr) {
            std::ranges::sort(rows);
        }
        if (m_report.origin != nullptr) { // the error of rounding is no difference
            std::erase_if(rows, [&](std::size_t row) { return m_report.origin->proof.rows[row].tensor.same(); });
        }
        if (!m_report.origins.empty()) { // nor is the type that the conversion gives a norm
            std::erase_if(rows, [&, proved = provedTensors()](std::size_t row) { return sameInAll(row, proved); });
        }
        return rows;
    }

    // For each model, returns the names of the tensors that the proof of origin found equal to the tensors of the
    // reference. Either of the two files may be the origin.
    [[nodiscard]] std::vector<std::set<std::string>> provedTensors() const {
        std::vector<std::set<std::string>> names(models());
        for (const ui::FileOrigin& origin : m_report.origins) {
            if (origin.origin != m_matches.reference && origin.file != m_matches.reference) {
                continue;
            }
            const std::size_t other = origin.origin == m_matches.reference ? origin.file : origin.origin;
            const auto& rows = origin.proved->proof.rows;
            for (std::size_t row = 0; row < rows.size(); ++row) {
                if (rows[row].tensor.same()) {
                    names[other].insert(origin.proved->matches.rows[row].label());
                }
            }
        }
        return names;
    }

    [[nodiscard]] bool sameInAll(std::size_t row, std::span<const std::set<std::string>> proved) const {
        const std::string name = m_matches.rows[row].label();
        for (std::size_t model = 0; model < models(); ++model) {
            const CellVerdict verdict = ui::cellVerdict(m_report, row, model);
            if (verdict != CellVerdict::Reference && verdict != CellVerdict::Identical &&
                verdict != CellVerdict::Equal && !proved[model].contains(name)) {
                return false;
            }
        }
        return true;
    }

    void printTensors() {
        const std::vector<std::size_t> rows = chosenRows();
        const std::size_t shown = m_options.all ? rows.size() : std::min(rows.size(), kShortList);
        if (rows.empty()) {
            heading(m_matches.rows.empty() ? Cli::tr("Tensors: there are none") : Cli::tr("Tensors: no difference"));
            return;
        }
        heading(shown < rows.size() ? Cli::tr("Tensors: the %1 worst of %2 that differ (--all shows them)")
                                          .arg(ui::formatCount(shown), ui::formatCount(rows.size()))
                                    : Cli::tr("Tensors: %n differ", nullptr, ui::numerus(rows.size())));
        models() == 2 ? printPairs(rows, shown) : printColumns(rows, shown);
    }

    [[nodiscard]] QString typeOf(std::size_t row, std::size_t model) const {
        const TensorMatch& match = m_matches.rows[row];
        return match.has(model)
                   ? QString::fromStdString(m_matches.models[model]->tensor(match.cells[model].part.tensor).typeName())
                   : QStringLiteral("-");
    }

    [[nodiscard]] QString leftOutText(std::size_t row, std::size_t model) const {
        const TensorComparison& compared = m_report.comparison.rows[row].cells[model].comparison;
        return ui::leftOutText(compared.sums, compared.truncated);
    }

    void printPairs(const std::vector<std::size_t>& rows, std::size_t shown) {
        const std::size_t other = 1 - m_matches.reference;
        std::vector<Column> columns{{Cli::tr("Tensor")}, {Cli::tr("Type")}, {}};
        for (const ui::MetricFact& metric : ui::pairMetrics(m_report)) {
            columns.push_back({ui::metricFullTitle(metric), Align::Right});
        }
        columns.push_back({});
        TextTable table(columns);
        for (std::size_t i = 0; i < shown; ++i) {
            const std::size_t row = rows[i];
            std::vector<QString> cells{ui::displayText(m_matches.rows[row].label()), typeOf(row, m_matches.reference),
                                       typeOf(row, other)};
            for (const ui::MetricFact& metric : ui::pairMetrics(m_report)) {
                cells.push_back(figure(metric, ui::metricOf(metric, m_report, row, other)));
            }
            const CellVerdict verdict = ui::cellVerdict(m_report, row, other);
            cells.push_back(m_report.origin != nullptr          ? ui::proofText(*m_report.origin, row)
                            : verdict == CellVerdict::Different ? leftOutText(row, other)
                                                                : ui::verdictText(verdict));
            table.addRow(std::move(cells));
        }
        table.print(m_console, 2);
    }

    // Prints one column of the metric per model, and beside it what the metric leaves out, if anything.
    void printColumns(const std::vector<std::size_t>& rows, std::size_t shown) {
        const auto leavesOut = [&](std::size_t model) {
            return std::any_of(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(shown),
                               [&](std::size_t row) { return !leftOutText(row, model).isEmpty(); });
        };
        std::vector<Column> columns{{Cli::tr("Tensor")}};
        for (std::size_t model = 0; model < models(); ++model) {
            if (model != m_matches.reference) {
                columns.push_back({nameOf(model)});
                columns.push_back({ui::metricFullTitle(m_options.metric), Align::Right});
                if (leavesOut(model)) {
                    columns.push_back({});
                }
            }
        }
        TextTable table(columns);
        for (std::size_t i = 0; i < shown; ++i) {
            const std::size_t row = rows[i];
            std::vector<QString> cells{ui::displayText(m_matches.rows[row].label())};
            for (std::size_t model = 0; model < models(); ++model) {
                if (model == m_matches.reference) {
                    continue;
                }
                const CellVerdict verdict = ui::cellVerdict(m_report, row, model);
                const auto value = ui::metricOf(m_options.metric, m_report, row, model);
                cells.push_back(typeOf(row, model));
                cells.push_back(value                               ? figure(m_options.metric, value)
                                : verdict == CellVerdict::Different ? QStringLiteral("-")
                                                                    : ui::verdictText(verdict));
                if (leavesOut(model)) {
                    cells.push_back(leftOutText(row, model));
                }
            }
            table.addRow(std::move(cells));
        }
        table.print(m_console, 2);
    }

    Console& m_console;
    const ComparisonReport& m_report;
    const TensorMatches& m_matches;
    const CompareText& m_options;
    QStringList m_names;
};

} // namespace

QString metricIds() {
    QStringList ids;
    for (const ui::MetricFact& metric : ui::reportMetrics()) {
        ids << QLatin1String(metric.id);
    }
    return ids.join(QStringLiteral(", "));
}

void printComparison(Console& console, const ComparisonReport& report, const CompareText& options) {
    Printer(console, report, options).print();
}

Expected<std::vector<std::optional<double>>> measureDivergences(const std::vector<std::string>& models,
                                                                const std::string& text, Console& console) {
    inference::PerplexitySettings settings;
    const inference::SessionOptions options{.context = settings.window, .logitRows = settings.window};
    const auto content = GUFO_TRY(readTextFile(text, console));
    const auto reference = GUFO_TRY(loadEngine(hub::ModelPlace::parse(models.front()), options, console));
    std::shared_ptr<const text::Tokenizer> tokenizer;
    std::vector<TokenId> tokens;
    {
        const Cancellation cancellation;
        tokenizer = GUFO_TRY(loadTokenizer(*reference.model, cancellation, models.front(), console));
        auto encoding = tokenizer->encode(content, {}, {.stop = cancellation.token()});
        if (!encoding) {
            return std::unexpected(failedOrCancelled(encoding.error(), models.front(), cancellation, console));
        }
        tokens = std::move(encoding->ids);
    }
    settings.window = reference.session->context();
    if (tokens.size() < settings.window) {
        return std::unexpected(console.fail(
            Cli::tr("the text of --kl has %n tokens, but at least %1 are needed", nullptr, ui::numerus(tokens.size()))
                .arg(ui::formatCount(settings.window))));
    }
    if (tokenizer->addsBos()) {
        settings.bos = tokenizer->specials().bos;
    }
    std::vector<std::optional<double>> divergences(models.size());
    for (std::size_t i = 1; i < models.size(); ++i) {
        const auto leaveOut = [&](const QString& why) {
            console.note(
                Cli::tr("%1: its KL divergence is not known, because %2").arg(ui::displayText(models[i]), why));
        };
        const auto other = loadEngine(hub::ModelPlace::parse(models[i]), options, console); // prints why not
        if (!other) {
            leaveOut(Cli::tr("it cannot be run"));
            continue;
        }
        const Cancellation cancellation;
        const auto vocabulary = text::Vocabulary::read(other->model->metadata, {.stop = cancellation.token()});
        if (!vocabulary) {
            return std::unexpected(failedOrCancelled(vocabulary.error(), models[i], cancellation, console));
        }
        if (const auto difference = text::findDifference(tokenizer->vocabulary(), *vocabulary)) {
            leaveOut(ui::vocabularyDifferenceText(*difference));
            continue;
        }
        ProgressLine line(console, Cli::tr("running %1").arg(ui::displayText(models[i])), ProgressLine::Unit::Tokens);
        const auto result = inference::perplexity(*reference.session, other->session.get(), tokens, settings,
                                                  {.stop = cancellation.token(), .progress = line.progress()});
        if (!result && result.error().code == ErrorCode::InvalidArgument) { // other numbers of logits
            leaveOut(ui::errorReason(result.error()));
            continue;
        }
        if (!result) {
            return std::unexpected(failedOrCancelled(result.error(), models[i], cancellation, console));
        }
        divergences[i] = result->divergence->nats.mean;
    }
    return divergences;
}

} // namespace gufo::cli
