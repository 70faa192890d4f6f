#include "analysis/correlation.h"
#include "analysis/spectrum.h"
#include "analysis/statistics.h"
#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/progress_line.h"
#include "cli/shared_options.h"
#include "cli/verb.h"
#include "cli/verbs/stats_text.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/report/json_model.h"

#include <array>
#include <memory>
#include <optional>

namespace gufo::cli {
namespace {

constexpr std::uint32_t kMaxBins = 1U << 16U;
constexpr std::uint64_t kMaxValues = 1024; // singular values
constexpr qsizetype kMaxNamed = 8;         // tensors named in one line

// What is measured only if it is asked for.
struct Measured {
    std::optional<Result<Spectrum>> spectrum{};
    std::optional<Result<Correlation>> correlation{};
    std::string with{}; // the tensor with which this one is correlated
};

// Receives the results one by one, as they are computed.
class Report {
public:
    virtual ~Report() = default;
    virtual void add(const TensorInfo& tensor, const Result<TensorAnalysis>& analysis, const Measured& measured) = 0;
    virtual void addModel(const TensorAnalysis& analysis) = 0;
    // `cancelled` says that results are missing.
    virtual void end(bool cancelled) = 0;
};

class JsonReport final : public Report {
public:
    explicit JsonReport(Output& out)
        : m_json(out) {
        m_json.beginObject(ui::JsonWriter::Layout::Block);
        m_json.key("tensors");
        m_json.beginArray(ui::JsonWriter::Layout::Block);
    }

    void add(const TensorInfo& tensor, const Result<TensorAnalysis>& analysis, const Measured& measured) override {
        m_json.beginObject();
        m_json.member("name", tensor.name);
        m_json.member("type", std::string_view(tensor.typeName()));
        m_json.key("shape");
        ui::writeShape(m_json, tensor.shape);
        if (analysis) {
            writeAnalysis(*analysis);
        } else {
            m_json.key("error");
            ui::writeError(m_json, analysis.error());
        }
        if (measured.spectrum) {
            m_json.key("spectrum");
            writeSpectrum(*measured.spectrum);
        }
        if (measured.correlation) {
            m_json.key("correlation");
            writeCorrelation(*measured.correlation, measured.with);
        }
        m_json.endObject();
    }

    void addModel(const TensorAnalysis& analysis) override {
        endTensors();
        m_json.key("model");
        m_json.beginObject();
        writeAnalysis(analysis);
        m_json.endObject();
    }

    void end(bool cancelled) override {
        endTensors();
        if (cancelled) {
            m_json.member("cancelled", true);
        }
        m_json.endObject();
        m_json.endDocument();
    }

private:
    void endTensors() {
        if (!m_tensorsEnded) {
            m_json.endArray();
            m_tensorsEnded = true;
        }
    }

    void writeFailure(const Error& error) {
        m_json.key("error");
        ui::writeError(m_json, error);
    }

    void writeSpectrum(const Result<Spectrum>& spectrum) {
        m_json.beginObject();
        if (!spectrum) {
            writeFailure(spectrum.error());
            m_json.endObject();
            return;
        }
        m_json.member("rows", spectrum->rows);
        m_json.member("columns", spectrum->columns);
        m_json.key("values");
        m_json.beginArray();
        for (const double value : spectrum->values) {
            m_json.value(value);
        }
        m_json.endArray();
        m_json.member("all", spectrum->isWhole);
        m_json.member("energy", spectrum->energy);
        m_json.member("passes", spectrum->passes);
        m_json.member("change", spectrum->change);
        m_json.member("left_out", spectrum->leftOut);
        writeLines("top_rows", spectrum->topRows);
        writeLines("top_columns", spectrum->topColumns);
        m_json.endObject();
    }

    void writeLines(const char* key, const std::vector<Spectrum::Line>& lines) {
        m_json.key(key);
        m_json.beginArray();
        for (const Spectrum::Line& line : lines) {
            m_json.beginObject();
            m_json.member("index", line.index);
            m_json.member("energy", line.energy);
            m_json.endObject();
        }
        m_json.endArray();
    }

    void writeCorrelation(const Result<Correlation>& correlation, std::string_view with) {
        m_json.beginObject();
        m_json.member("with", with);
        if (correlation) {
            m_json.member("pearson", correlation->pearson);
            m_json.member("pairs", correlation->pairs);
            m_json.member("left_out", correlation->leftOut);
        } else {
            writeFailure(correlation.error());
        }
        m_json.endObject();
    }

    void writeAnalysis(const TensorAnalysis& analysis) {
        const Statistics& statistics = analysis.statistics;
        m_json.member("count", statistics.count);
        m_json.member("min", statistics.min);
        m_json.member("max", statistics.max);
        m_json.member("mean", statistics.mean);
        m_json.member("std", statistics.std);
        m_json.member("abs_mean", statistics.absMean);
        m_json.member("skew", statistics.skew);
        m_json.member("kurtosis", statistics.kurtosis);
        m_json.member("zeros", statistics.zeros);
        m_json.member("nan", statistics.nans);
        m_json.member("inf", statistics.infinities);
        m_json.member("first_non_finite", statistics.firstNonFinite);
        m_json.key("hist");
        if (!statistics.min) {
            m_json.null();
            return;
        }
        m_json.beginObject();
        m_json.member("lo", analysis.histogram.lo);
        m_json.member("hi", analysis.histogram.hi);
        m_json.key("counts");
        m_json.beginArray();
        for (const std::uint64_t count : analysis.histogram.counts) {
            m_json.value(count);
        }
        m_json.endArray();
        m_json.endObject();
    }

    ui::JsonWriter m_json;
    bool m_tensorsEnded = false;
};

// Prints a block of lines for a single tensor, or for each tensor with a histogram; otherwise a table.
class TextReport final : public Report {
public:
    TextReport(Console& console, bool blocks, bool histograms)
        : m_console(console)
        , m_blocks(blocks)
        , m_histograms(histograms) {}

    void add(const TensorInfo& tensor, const Result<TensorAnalysis>& analysis, const Measured& measured) override {
        if (!analysis) {
            ++m_leftOutCount;
            if (m_leftOut.size() < kMaxNamed) {
                m_leftOut << QStringLiteral("%1 (%2)").arg(ui::displayText(tensor.name),
                                                           ui::displayText(tensor.typeName()));
            }
            return;
        }
        addPopulation(ui::displayText(tensor.name), ui::displayText(tensor.typeName()), ui::formatShape(tensor.shape),
                      *analysis);
        if (measured.spectrum && *measured.spectrum) {
            printSpectrum(m_console, **measured.spectrum);
        }
        if (measured.correlation && *measured.correlation) {
            printCorrelation(m_console, ui::displayText(measured.with), **measured.correlation);
        }
    }

    void addModel(const TensorAnalysis& analysis) override {
        addPopulation(Cli::tr("(all tensors)"), {}, {}, analysis);
    }

    void end(bool cancelled) override {
        if (!m_blocks && !cancelled) {
            m_table.print(m_console);
        }
        if (m_leftOutCount > m_leftOut.size()) {
            m_leftOut << Cli::tr("and %1 more").arg(m_leftOutCount - m_leftOut.size());
        }
        if (!m_leftOut.isEmpty() && !cancelled) {
            m_console.note(
                Cli::tr("omitted, because their values cannot be read: %1").arg(m_leftOut.join(QStringLiteral(", "))));
        }
    }

private:
    void addPopulation(const QString& name, const QString& type, const QString& shape, const TensorAnalysis& analysis) {
        if (!m_blocks) {
            m_table.add(name, type, shape, analysis.statistics);
            return;
        }
        if (!m_first) {
            m_console.out().writeLine();
        }
        m_first = false;
        printStatistics(m_console, name, type, shape, analysis.statistics);
        if (m_histograms && analysis.statistics.min) {
            printHistogram(m_console, analysis.histogram);
        }
    }

    Console& m_console;
    bool m_blocks;
    bool m_histograms;
    bool m_first = true;
    StatisticsTable m_table;
    QStringList m_leftOut; // the first tensors that were left out
    qsizetype m_leftOutCount = 0;
};

// A type without decodable values is not an error unless the tensor was named explicitly.
bool isExpected(const Error& error) {
    return error.code == ErrorCode::NotDecodable || error.code == ErrorCode::NotSupported;
}

struct Job {
    const Model& model;
    std::vector<TensorIndex> tensors;
    bool named;      // the user named the tensors
    bool wholeModel; // also analyse all tensors as one population
    HistogramRequest histogram;
    std::optional<std::size_t> spectrum{};  // how many singular values
    std::optional<TensorIndex> correlate{}; // the tensor with which each is correlated
};

bool hasSpectrum(const Job& job, const TensorInfo& tensor) {
    return job.spectrum && tensor.shape[1] > 1; // of other tensors, there is no matrix
}

// The bytes that are read for a tensor, for the progress: once for the statistics, and for each other measurement.
std::uint64_t bytesRead(const Job& job, const TensorInfo& tensor) {
    const std::uint64_t passes = hasSpectrum(job, tensor) ? Spectrum::kMostPasses : 0;
    return tensor.bytesPresent * (1 + passes + (job.correlate ? 1 : 0));
}

// Measures what was asked for beside the statistics.
Measured measure(const Job& job, TensorIndex index, ProgressLine& line, const JobContext& context) {
    const TensorInfo& tensor = job.model.tensor(index);
    Measured measured;
    if (hasSpectrum(job, tensor)) {
        line.nextStep(ui::displayText(tensor.name), tensor.bytesPresent * Spectrum::kMostPasses);
        measured.spectrum = measureSpectrum(job.model, index, {.values = *job.spectrum}, context);
    }
    if (job.correlate) {
        line.nextStep(ui::displayText(tensor.name), tensor.bytesPresent);
        measured.with = job.model.tensor(*job.correlate).name;
        measured.correlation = correlateTensors(job.model, index, job.model, *job.correlate, context);
    }
    return measured;
}

template<typename T>
std::optional<Error> errorOf(const std::optional<Result<T>>& result) {
    return result && !*result ? std::optional(result->error()) : std::nullopt;
}

// Returns kDone; kFailed after printing the first error; or the exit code of a cancelled verb.
int analyse(const Job& job, Report& report, Console& console, const Cancellation& cancellation) {
    std::uint64_t total = 0;
    for (const TensorIndex index : job.tensors) {
        total += bytesRead(job, job.model.tensor(index));
    }
    const std::uint64_t whole = job.wholeModel ? job.model.totals().tensorBytes : 0;
    auto line = std::make_unique<ProgressLine>(console, QString(), total + whole);
    const JobContext context{.stop = cancellation.token(), .progress = line->progress()};
    std::optional<Error> failure; // the first error
    for (const TensorIndex index : job.tensors) {
        const TensorInfo& tensor = job.model.tensor(index);
        line->nextStep(ui::displayText(tensor.name), tensor.bytesPresent);
        const auto analysis = analyseTensor(job.model, index, job.histogram, context);
        if (!analysis && analysis.error().code == ErrorCode::Cancelled) {
            failure = analysis.error();
            break;
        }
        Measured measured;
        if (analysis && (job.spectrum || job.correlate)) {
            measured = measure(job, index, *line, context);
            // The first failure of a named tensor is printed at the end, and every other one here.
            for (const std::optional<Error>& error : {errorOf(measured.spectrum), errorOf(measured.correlation)}) {
                if (error && (error->code == ErrorCode::Cancelled || (job.named && !failure))) {
                    failure = error;
                } else if (error) {
                    console.note(ui::displayText(tensor.name) + QStringLiteral(": ") + ui::errorReason(*error));
                }
            }
            if (failure && failure->code == ErrorCode::Cancelled) {
                break;
            }
        }
        report.add(tensor, analysis, measured);
        if (!analysis && !failure && (job.named || !isExpected(analysis.error()))) {
            failure = analysis.error();
        }
        if (!analysis && (analysis.error().code == ErrorCode::FileChangedWhileReading ||
                          analysis.error().code == ErrorCode::FileChangedOnDisk)) {
            break; // every following tensor is cancelled too
        }
        if (console.out().failed()) {
            return kDone; // the reader is gone; main() knows why
        }
    }
    if (job.wholeModel && !failure) {
        line->nextStep(Cli::tr("all tensors"), whole);
        if (const auto analysis = analyseModel(job.model, job.histogram, context)) {
            report.addModel(*analysis);
        } else {
            failure = analysis.error();
        }
    }
    line.reset();
    report.end(failure && failure->code == ErrorCode::Cancelled);
    return failure ? failedOrCancelled(*failure, job.model.path(), cancellation, console) : kDone;
}

constexpr auto kStatsOptions = std::to_array<OptionFact>({
    kFilterOption,
    {"hist", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "print a histogram of N bins for each tensor; --json always contains one (default: 256 bins)")},
    {"model", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "also treat all decodable tensors as one population")},
    {"spectrum", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "measure the N largest singular values of each matrix by a randomised subspace "
                       "iteration, and its rows and columns with the most energy")},
    {"correlate", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TENSOR"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "Pearson's correlation of each tensor with this one, which has the same shape")},
});

int runStats(const Invocation& invocation, Console& console) {
    const auto bins = invocation.number("hist", 1, kMaxBins);
    if (!bins) {
        return console.fail(QStringLiteral("stats: ") + bins.error());
    }
    const auto values = invocation.number("spectrum", 1, kMaxValues);
    if (!values) {
        return console.fail(QStringLiteral("stats: ") + values.error());
    }
    const Cancellation cancellation;
    const auto model = openModelOf(invocation, console);
    if (!model) {
        return model.error();
    }
    const auto filter = tensorFilterOf(invocation);
    if (!filter) {
        return console.fail(QStringLiteral("stats: ") + filter.error());
    }
    Job job{.model = **model,
            .tensors = {},
            .named = invocation.positional().size() > 1,
            .wholeModel = invocation.isSet("model"),
            .histogram = {}};
    job.histogram.bins = static_cast<std::uint32_t>(bins->value_or(job.histogram.bins));
    job.spectrum = *values;
    if (const auto name = invocation.value("correlate")) {
        const auto index = findTensorOf(**model, *name, console);
        if (!index) {
            return index.error();
        }
        job.correlate = *index;
    }
    for (const std::string& name : std::span(invocation.positional()).subspan(1)) {
        const auto index = findTensorOf(**model, name, console);
        if (!index) {
            return index.error();
        }
        job.tensors.push_back(*index);
    }
    for (std::size_t i = 0; !job.named && i < (*model)->tensors.size(); ++i) {
        job.tensors.emplace_back(i);
    }
    std::erase_if(job.tensors, [&](TensorIndex index) {
        const TensorInfo& tensor = (*model)->tensor(index);
        return !filter->matches(tensor, ui::displayText(tensor.name));
    });
    if (job.tensors.empty() && !filter->matchesAll()) {
        return console.fail(Cli::tr("stats: --filter %1 matches no tensor")
                                .arg(ui::displayText(invocation.value("filter").value_or(""))));
    }
    std::unique_ptr<Report> report;
    if (invocation.json()) {
        report = std::make_unique<JsonReport>(console.out());
    } else {
        const bool blocks =
            bins->has_value() || job.spectrum || job.correlate || (job.tensors.size() == 1 && !job.wholeModel);
        report = std::make_unique<TextReport>(console, blocks, bins->has_value());
    }
    const int code = analyse(job, *report, console, cancellation);
    const int damaged = code == kDone ? checkDamage(**model, console) : kDone;
    return damaged != kDone ? damaged : code;
}

} // namespace

const Verb statsVerb{
    .name = "stats",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE [TENSOR…] [--hist N] [--model] [--spectrum N]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Prints statistics and histograms of tensors (default: all)"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "Over finite values: minimum, maximum, mean, standard deviation (population), mean of absolute values, "
        "skewness, excess\nkurtosis. NaN and infinities are counted. All weights are read; Ctrl-C cancels."),
    .options = kStatsOptions,
    .minArguments = 1,
    .maxArguments = -1,
    .run = runStats,
    .takesAddress = true,
};

} // namespace gufo::cli
