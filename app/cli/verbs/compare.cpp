#include "analysis/compare/comparison_cache.h"
#include "base/output_file.h"
#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/progress_line.h"
#include "cli/shared_options.h"
#include "cli/verb.h"
#include "cli/verbs/compare_text.h"
#include "convert/origin/compare_origin.h"
#include "document/open_model.h"
#include "formats/container/container.h"
#include "model/set_fault.h"
#include "quantize/imatrix_coverage.h"
#include "quantize/write_model.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/report/comparison_report.h"
#include "ui/report/fitting.h"
#include "ui/report/metric.h"
#include "ui/report/origin_report.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace gufo::cli {
namespace {

using Wanted = std::function<bool(const TensorMatch&)>;

struct Options {
    const ui::MetricFact* metric = nullptr;
    const ui::MetricFact* sort = nullptr;    // null: file order
    const ui::MetricFact* fitting = nullptr; // the metric that --memory compares
    std::optional<std::uint64_t> memory;
    std::optional<QRegularExpression> tensors;
    text::TensorFilter filter;
};

// Chooses rows by --tensors and --filter. A filter must match the tensor of one of the models. Empty: all rows.
Wanted wantedBy(const Options& options, const std::vector<std::shared_ptr<const Model>>& models) {
    if (!options.tensors && options.filter.matchesAll()) {
        return {};
    }
    return [&options, &models](const TensorMatch& row) {
        const QString label = ui::displayText(row.label());
        if (options.tensors && !options.tensors->match(label).hasMatch()) {
            return false;
        }
        bool wanted = options.filter.matchesAll();
        for (std::size_t i = 0; i < models.size() && !wanted; ++i) {
            wanted = row.has(i) && options.filter.matches(models[i]->tensor(row.cells[i].part.tensor), label);
        }
        return wanted;
    };
}

std::expected<const ui::MetricFact*, QString> metricNamed(const std::string& name) {
    const ui::MetricFact* metric = ui::findReportMetric(name);
    if (metric == nullptr) {
        return std::unexpected(
            Cli::tr("there is no metric \"%1\"; the metrics are %2").arg(ui::displayText(name), metricIds()));
    }
    return metric;
}

std::expected<Options, QString> optionsOf(const Invocation& invocation) {
    Options options;
    const auto metric = GUFO_TRY(metricNamed(invocation.value("metric").value_or("sqnr")));
    options.metric = options.sort = options.fitting = metric;
    if (invocation.isSet("kl") && !invocation.value("metric")) {
        options.fitting = &ui::metricFact(ui::Metric::Divergence);
    }
    if (const auto sort = invocation.value("sort"); sort == "name") {
        options.sort = nullptr;
    } else if (sort) {
        options.sort = GUFO_TRY(metricNamed(*sort));
    }
    if (const auto limit = invocation.value("memory")) {
        options.memory = text::parseByteSize(QString::fromStdString(*limit));
        if (!options.memory) {
            return std::unexpected(
                Cli::tr("--memory takes a size such as 8G, not \"%1\"").arg(ui::displayText(*limit)));
        }
    }
    if (const auto pattern = invocation.value("tensors")) {
        const QRegularExpression expression(QString::fromStdString(*pattern));
        if (!expression.isValid()) {
            return std::unexpected(Cli::tr("--tensors: error in the regular expression at character %1: %2")
                                       .arg(expression.patternErrorOffset() + 1)
                                       .arg(expression.errorString()));
        }
        options.tensors = expression;
    }
    options.filter = GUFO_TRY(tensorFilterOf(invocation));
    return options;
}

class FileSink final : public ui::TextSink {
public:
    using TextSink::write;
    explicit FileSink(OutputFile& file)
        : m_file(file) {}
    void write(std::string_view bytes) override {
        m_buffer += bytes;
        if (m_buffer.size() > kBufferBytes) {
            flush();
        }
    }
    Result<> finish() {
        flush();
        return m_result ? m_file.commit() : m_result;
    }

private:
    static constexpr std::size_t kBufferBytes = 1U << 20U;

    void flush() {
        if (m_result) {
            m_result = m_file.write(std::as_bytes(std::span(m_buffer)));
        }
        m_buffer.clear();
    }

    OutputFile& m_file;
    std::string m_buffer;
    Result<> m_result;
};

// Writes the output of `write` to a new file, which must not be one of the models.
template<typename Write>
Result<> writeFile(const std::filesystem::path& out, const TensorMatches& matches, Write write) {
    for (const auto& model : matches.models) { // also its shards, which the arguments do not name
        GUFO_TRY(checkIsOtherFile(*model, out));
    }
    auto file = GUFO_TRY(OutputFile::create(out));
    FileSink sink(file);
    write(sink);
    return sink.finish();
}

// Returns the error of a tensor whose bytes could not be read: such a cell says nothing about a difference.
std::optional<Error> unreadable(const ModelComparison& comparison) {
    for (const ComparedRow& row : comparison.rows) {
        for (const ComparedCell& cell : row.cells) {
            if (cell.error && cell.error->code != ErrorCode::NotDecodable &&
                cell.error->code != ErrorCode::NotSupported) {
                return cell.error;
            }
        }
    }
    return std::nullopt;
}

// The matrix of --imatrix, or the one that a model names. Null if there is none. Errors are printed.
Expected<std::shared_ptr<const Imatrix>> imatrixFor(const std::vector<std::shared_ptr<const Model>>& models,
                                                    const Invocation& invocation, const Cancellation& cancellation,
                                                    Console& console) {
    const JobContext job{.stop = cancellation.token()};
    const auto path = invocation.value("imatrix");
    auto imatrix = path ? Imatrix::open(*path, job) : namedImatrix(models, job);
    const auto checked = !imatrix ? std::unexpected(imatrix.error())
                         : path   ? checkImatrix(**imatrix, models, job)
                                  : Result<>();
    if (!checked) {
        return std::unexpected(
            failedOrCancelled(checked.error(), path.value_or(models.front()->path()), cancellation, console));
    }
    return *std::move(imatrix);
}

int writeReports(const Invocation& invocation, const Options& options, const ui::ComparisonReport& report,
                 Console& console) {
    if (const auto out = invocation.value("html")) {
        const auto done = writeFile(*out, report.matches,
                                    [&](ui::TextSink& sink) { writeComparisonHtml(report, *options.metric, sink); });
        if (!done) {
            return console.fail(done.error(), *out);
        }
    }
    if (const auto out = invocation.value("csv")) {
        const auto done =
            writeFile(*out, report.matches, [&](ui::TextSink& sink) { writeComparisonCsv(report, sink); });
        if (!done) {
            return console.fail(done.error(), *out);
        }
    }
    return kDone;
}

// A folder that was replaced by the model that a conversion would make of it.
struct ReplacedOrigin {
    std::size_t model = 0;
    std::shared_ptr<const convert::Origin> origin; // null: there is none
};

// If some models are GGUF files and others are folders: replaces each folder's model in `models` by the GGUF model that
// the folder would be converted to, and returns the first replacement. Reports a folder that cannot be converted.
Result<ReplacedOrigin> replaceOrigins(std::vector<std::shared_ptr<const Model>>& models, Console& console,
                                      const JobContext& job) {
    ReplacedOrigin first;
    if (std::ranges::none_of(models, [](const auto& model) { return capabilitiesOf(*model).has(Capability::Run); })) {
        return first;
    }
    for (std::size_t i = 0; i < models.size(); ++i) {
        if (!convert::originFolder(*models[i])) {
            continue;
        }
        auto origin = convert::readOrigin(models[i], job);
        if (origin) {
            models[i] = (*origin)->model;
            first = first.origin == nullptr ? ReplacedOrigin{i, *std::move(origin)} : first;
        } else if (origin.error().code == ErrorCode::Cancelled) {
            return std::unexpected(std::move(origin).error());
        } else {
            console.note(Cli::tr("compared by the names in the files, because the folder cannot be converted: %1")
                             .arg(ui::errorLine(origin.error())));
        }
    }
    return first;
}

// How each of several GGUF files is related to the origin.
Result<std::vector<ui::FileOrigin>> proveFiles(const ReplacedOrigin& origin,
                                               const std::vector<std::shared_ptr<const Model>>& models,
                                               const Options& options, const JobContext& job) {
    std::vector<ui::FileOrigin> origins;
    for (std::size_t i = 0; i < models.size(); ++i) {
        if (!capabilitiesOf(*models[i]).has(Capability::Run)) {
            continue;
        }
        const std::vector<std::shared_ptr<const Model>> pair{origin.origin->model, models[i]};
        auto proved = GUFO_TRY(convert::proveFile(*origin.origin, models[i], {.wanted = wantedBy(options, pair)}, job));
        origins.push_back({.origin = origin.model,
                           .file = i,
                           .source = origin.origin,
                           .proved = std::make_shared<const convert::FileProof>(std::move(proved))});
    }
    return origins;
}

constexpr auto kCompareOptions = std::to_array<OptionFact>({
    kFilterOption,
    {"metric", QT_TRANSLATE_NOOP("gufo::cli::Cli", "M"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "metric shown in tables and on the report's map: %1; default: the first"),
     false, metricIds},
    {"sort", QT_TRANSLATE_NOOP("gufo::cli::Cli", "M"),
     QT_TRANSLATE_NOOP(
         "gufo::cli::Cli",
         "sort tensors by this metric, worst first, or by name for file order; default: the metric of --metric")},
    {"tensors", QT_TRANSLATE_NOOP("gufo::cli::Cli", "REGEX"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "compare only tensors whose name matches the regular expression")},
    {"all", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "list all tensors that differ, not only the 20 worst")},
    {"memory", QT_TRANSLATE_NOOP("gufo::cli::Cli", "SIZE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "also name the model closest to the reference (by --metric) that runs within "
                                         "this memory, such as 8G, with the trained context of at most 4096 tokens")},
    {"html", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OUT"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "write a report as a single HTML file"), true},
    {"csv", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OUT"), QT_TRANSLATE_NOOP("gufo::cli::Cli", "write all figures as CSV"),
     true},
    {"imatrix", QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE"),
     QT_TRANSLATE_NOOP(
         "gufo::cli::Cli",
         "importance matrix (GGUF or .dat) for the metric weighted_sqnr, which shows what quantising with "
         "one gained; default: the one that a model names, if it is in the model's folder")},
    {"kl", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TEXT"),
     QT_TRANSLATE_NOOP(
         "gufo::cli::Cli",
         "run the models on this text, and show the mean KL divergence of their predictions from those of "
         "the first, by which --memory then chooses unless there is a --metric")},
    {"profile", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "with --json: add the error by weight magnitude and the distribution of errors")},
    {"no-cache", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "ignore cached results")},
});

int runCompare(const Invocation& invocation, Console& console) {
    const auto options = optionsOf(invocation);
    if (!options) {
        return console.fail(QStringLiteral("compare: ") + options.error());
    }
    std::vector<std::optional<double>> divergences;
    if (const auto text = invocation.value("kl")) {
        auto measured = measureDivergences(invocation.positional(), *text, console);
        if (!measured) {
            return measured.error();
        }
        divergences = *std::move(measured);
    }
    const Cancellation cancellation;
    std::vector<std::shared_ptr<const Model>> models;
    std::optional<Error> incomplete; // a part of a model is missing or wrong
    std::uint64_t bytes = 0;
    for (const std::string& path : invocation.positional()) {
        auto model = openModel(hub::ModelPlace::parse(path), {.stop = cancellation.token()});
        if (!model) {
            return failedOrCancelled(model.error(), path, cancellation, console);
        }
        if (const auto complete = checkSet(**model); !complete && !incomplete) {
            incomplete = complete.error();
        }
        bytes += (*model)->totals().tensorBytes;
        models.push_back(std::move(*model));
    }
    const auto origin = replaceOrigins(models, console, {.stop = cancellation.token()});
    if (!origin) {
        return failedOrCancelled(origin.error(), models.front()->path(), cancellation, console);
    }
    auto line = std::make_unique<ProgressLine>(console, QString(), origin->origin != nullptr ? 2 * bytes : bytes);
    const JobContext job{.stop = cancellation.token(), .progress = line->progress()};
    const auto failed = [&](const Error& error) {
        line.reset();
        return failedOrCancelled(error, models.front()->path(), cancellation, console);
    };
    const auto matches = matchTensors(models, 0, job);
    if (!matches) {
        return failed(matches.error());
    }
    const auto metadata = compareMetadata(models, 0, {}, job);
    if (!metadata) {
        return failed(metadata.error());
    }
    const auto imatrix = imatrixFor(models, invocation, cancellation, console);
    if (!imatrix) {
        return imatrix.error();
    }
    if (options->metric->needsImportance && *imatrix == nullptr) {
        line.reset();
        return console.fail(Cli::tr("compare: the metric %1 needs an importance matrix; name it with --imatrix")
                                .arg(QLatin1String(options->metric->id)));
    }
    const bool cached = !invocation.isSet("no-cache");
    std::optional<ComparisonCache> cache;
    if (cached) {
        cache.emplace(ComparisonCache::userFolder());
    }
    const Wanted wanted = wantedBy(*options, models);
    if (wanted && std::ranges::none_of(matches->rows, wanted)) {
        line.reset();
        const char* option = options->tensors ? "tensors" : "filter";
        return console.fail(Cli::tr("compare: --%1 %2 matches no tensor")
                                .arg(QLatin1String(option), ui::displayText(invocation.value(option).value_or(""))));
    }
    line->nextStep(Cli::tr("comparing"), bytes);
    const auto comparison = compareModels(
        *matches, {.wanted = wanted, .cache = cached ? &*cache : nullptr, .imatrix = imatrix->get()}, job);
    if (!comparison) {
        return failed(comparison.error());
    }
    std::vector<ExchangedTensor> exchanged;
    if (origin->origin == nullptr) {
        auto found = findExchanged(*matches, *comparison, job);
        if (!found) {
            return failed(found.error());
        }
        exchanged = *std::move(found);
    }
    std::optional<convert::OriginProof> proof;
    std::optional<ui::OriginReport> originReport;
    std::vector<ui::FileOrigin> origins;
    if (origin->origin != nullptr && models.size() > 2) {
        line->nextStep(Cli::tr("checking the conversion"), bytes);
        auto proved = proveFiles(*origin, models, *options, job);
        if (!proved) {
            return failed(proved.error());
        }
        origins = *std::move(proved);
    } else if (origin->origin != nullptr) {
        line->nextStep(Cli::tr("checking the conversion"), bytes);
        auto proved = convert::proveOrigin(*origin->origin, *matches, *metadata, {.wanted = wanted}, job);
        if (!proved) {
            return failed(proved.error());
        }
        proof = *std::move(proved);
        originReport.emplace(ui::OriginReport{*origin->origin, *proof, *matches, *metadata});
    }
    line.reset();
    const ui::ComparisonReport report{.matches = *matches,
                                      .comparison = *comparison,
                                      .metadata = *metadata,
                                      .origin = originReport ? &*originReport : nullptr,
                                      .imatrix = imatrix->get(),
                                      .divergences = std::move(divergences),
                                      .origins = origins,
                                      .exchanged = exchanged};
    if (invocation.json()) {
        ui::JsonOptions json{.profiles = invocation.isSet("profile"), .memory = options->memory};
        if (options->memory) {
            json.bestThatFits = ui::bestThatFits(report, *options->fitting, *options->memory);
        }
        ui::writeComparisonJson(report, json, console.out());
    } else {
        printComparison(console, report,
                        {.metric = *options->metric,
                         .fitting = *options->fitting,
                         .sort = options->sort,
                         .all = invocation.isSet("all"),
                         .memory = options->memory});
    }
    if (const int code = writeReports(invocation, *options, report, console); code != kDone) {
        return code;
    }
    if (const auto error = unreadable(*comparison)) {
        return console.fail(*error, models.front()->path());
    }
    if (incomplete) { // what was compared is not the whole model
        return console.fail(*incomplete, incomplete->file);
    }
    return ui::differs(report) ? kFound : kDone;
}

} // namespace

const Verb compareVerb{
    .name = "compare",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli",
                                   "A B [C…] [--metric M] [--sort M] [--tensors REGEX] [--html OUT] [--csv OUT]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Compares the weights, metadata and tokens of models"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "A is the reference. All weights of all models are read once; Ctrl-C cancels. Results are "
        "cached until a file changes.\nA GGUF file and the folder that it was converted from are compared "
        "tensor by tensor as the conversion writes them.\nThe exit code is 1 if anything differs."),
    .options = kCompareOptions,
    .minArguments = 2,
    .maxArguments = 8,
    .run = runCompare,
    .takesAddress = true,
};

} // namespace gufo::cli
