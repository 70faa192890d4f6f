#include "cli/console.h"
#include "cli/drafter_option.h"
#include "cli/engine_options.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/shared_options.h"
#include "cli/text_table.h"
#include "cli/verb.h"
#include "inference/engine/gufo_engine.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/engine_text.h"
#include "ui/messages/figure_text.h"
#include "ui/report/json_writer.h"

#include <fstream>

namespace gufo::cli {
namespace {

using inference::MemoryVerdict;

// The program's own memory with the model open: library data and the tensor table. Only Linux reports it.
std::uint64_t processBytes() {
    std::ifstream file("/proc/self/status");
    for (std::string line; std::getline(file, line);) {
        constexpr std::string_view kName = "RssAnon:";
        if (line.starts_with(kName)) {
            return std::strtoull(line.c_str() + kName.size(), nullptr, 10) * 1024;
        }
    }
    return 0;
}

struct Figures {
    inference::MemoryForecast forecast;
    std::uint64_t program = 0; // including the tokenizer and the sampler
    inference::MachineMemory machine;

    [[nodiscard]] std::uint64_t anonymous() const { return forecast.needs.anonymous() + program; }
};

Result<Figures> figuresOf(const std::shared_ptr<const Model>& model, const inference::SessionOptions& options) {
    std::uint64_t program = 0;
    {
        const auto tokenizer = text::makeTokenizer(*model, {}); // a run loads the tokenizer, but can do without one
        program = processBytes();
    }
    const inference::MachineMemory machine = inference::machineMemory();
    auto forecast = GUFO_TRY(inference::forecastMemory(model, options, machine));
    // The sampler keeps an id, a logit and a probability for each token of the vocabulary.
    constexpr std::uint64_t kCandidateBytes = 8 + 2 * sizeof(double);
    program += forecast.needs.logits / sizeof(float) * kCandidateBytes;
    return Figures{std::move(forecast), program, machine};
}

const char* nameOf(MemoryVerdict verdict) {
    switch (verdict) {
    case MemoryVerdict::Fits:
        return "fits";
    case MemoryVerdict::WeightsExceed:
        return "weights_exceed";
    case MemoryVerdict::DoesNotFit:
        return "does_not_fit";
    }
    return "";
}

void printJson(const inference::SessionOptions& options, const Figures& figures, Output& out) {
    const inference::MemoryNeeds& needs = figures.forecast.needs;
    ui::JsonWriter json(out);
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("context", needs.context);
    json.member("trained_context", needs.trainedContext != 0 ? std::optional(needs.trainedContext) : std::nullopt);
    json.member("batch", options.batch);
    json.member("kv_type",
                options.keys == options.values ? std::optional(kvCacheTypeName(options.keys)) : std::nullopt);
    json.member("key_type", kvCacheTypeName(options.keys));
    json.member("value_type", kvCacheTypeName(options.values));
    json.member("weights", needs.weights);
    json.member("kv_cache", needs.kvCache);
    json.member("kv_per_token", needs.kvPerToken);
    json.member("recurrent_state", needs.recurrentState);
    json.member("snapshots", needs.snapshots);
    json.member("buffers", needs.scratch + needs.smallTensors);
    json.member("logits", needs.logits);
    json.member("program", figures.program);
    json.member("anonymous", figures.anonymous());
    json.member("total", needs.weights + figures.anonymous());
    json.member("available", figures.machine.available);
    json.member("verdict", nameOf(figures.forecast.verdict));
    json.member("longest_context", figures.forecast.longestContext);
    json.member("runs", !figures.forecast.refusal);
    json.member("partial", figures.forecast.partial);
    json.key("left_out");
    json.beginArray();
    for (const std::string& tensor : figures.forecast.leftOut) {
        json.value(std::string_view(tensor));
    }
    json.endArray();
    json.endObject();
    json.endDocument();
}

void printText(const inference::SessionOptions& options, const Figures& figures, Console& console) {
    const inference::MemoryNeeds& needs = figures.forecast.needs;
    const QString keys = ui::displayText(kvCacheTypeName(options.keys));
    const QString kv = options.keys == options.values
                           ? keys
                           : Cli::tr("%1 and %2").arg(keys, ui::displayText(kvCacheTypeName(options.values)));
    const QString trained = needs.trainedContext != 0
                                ? Cli::tr(" (trained with %1)").arg(ui::formatCount(needs.trainedContext))
                                : QString();
    console.out().writeLine(
        Cli::tr("Context of %n tokens%1, batch of %2, KV cache in %3", nullptr, ui::numerus(needs.context))
            .arg(trained, ui::formatCount(options.batch), kv));
    TextTable table({{}, {{}, Align::Right}, {{}, Align::Right}, {{}, Align::Left, true}});
    const auto row = [&](const QString& name, std::uint64_t bytes, const QString& remark = {}) {
        table.addRow({name, ui::formatBytes(bytes), ui::formatCount(bytes), remark});
    };
    row(Cli::tr("Weights"), needs.weights, Cli::tr("mapped from the file"));
    row(Cli::tr("KV cache"), needs.kvCache, ui::kvGrowthText(needs));
    if (needs.recurrentState != 0) {
        row(Cli::tr("Recurrent state"), needs.recurrentState);
        row(Cli::tr("Snapshots of the state"), needs.snapshots, Cli::tr("to return to"));
    }
    row(Cli::tr("Buffers"), needs.scratch + needs.smallTensors);
    row(Cli::tr("Logits"), needs.logits);
    row(Cli::tr("Total"), needs.total(),
        Cli::tr("of which not file-backed: %1").arg(ui::formatBytes(needs.anonymous())));
    row(Cli::tr("gufo-cli itself"), figures.program, Cli::tr("with tokenizer and sampler; not in the total"));
    table.print(console, 2);
    for (const QString& sentence :
         {ui::memoryVerdictText(figures.forecast, figures.machine), ui::memoryEstimateText(figures.forecast),
          ui::leftOutText(figures.forecast.leftOut, options.mtpDrafts)}) {
        if (!sentence.isEmpty()) {
            console.out().writeLine(sentence);
        }
    }
}

constexpr auto kMemoryOptions =
    with(kSessionOptions,
         std::to_array<OptionFact>({
             {"mtp", "",
              QT_TRANSLATE_NOOP("gufo::cli::Cli",
                                "include the memory of drafts by the model's own block that predicts further tokens")},
         }));

int runMemory(const Invocation& invocation, Console& console) {
    const auto options = sessionOptionsOf(invocation);
    if (!options) {
        return console.fail(QStringLiteral("memory: ") + options.error());
    }
    const auto model = openModelOf(invocation, console);
    if (!model) {
        return model.error();
    }
    const auto figures = figuresOf(*model, *options);
    if (!figures) {
        return console.fail(QStringLiteral("%1: %2").arg(ui::displayText(invocation.file().string()),
                                                         ui::memoryProblemText(**model, figures.error())));
    }
    if (const Result<>& drafts = figures->forecast.mtpDrafts; !drafts) {
        return failWithoutMtpDrafts(drafts.error(), "memory", console);
    }
    if (invocation.json()) {
        printJson(*options, *figures, console.out());
    } else {
        printText(*options, *figures, console);
    }
    return checkDamage(**model, console);
}

} // namespace

const Verb memoryVerb{
    .name = "memory",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE [--context N] [--kv TYPE] [--batch N]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Shows how much memory running the model needs"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "Lists the memory for weights, KV cache, recurrent state, buffers and logits, and whether this machine has "
        "enough.\nFor models that this engine cannot run, the figures are estimated from the header."),
    .options = kMemoryOptions,
    .minArguments = 1,
    .maxArguments = 1,
    .run = runMemory,
    .takesAddress = true,
};

} // namespace gufo::cli
