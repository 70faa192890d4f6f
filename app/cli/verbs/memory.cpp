#include "cli/console.h"
#include "cli/engine_options.h"
#include "cli/invocation.h"
#include "cli/json_writer.h"
#include "cli/model_access.h"
#include "cli/text_table.h"
#include "inference/needs.h"
#include "messages/error_text.h"
#include "messages/format.h"
#include "model/memory_estimate.h"

#include <fstream>

namespace gufo::cli {
namespace {

using inference::MemoryVerdict;

// What this program has of its own now, the model open: libraries' data, the table of tensors. Linux says it.
std::uint64_t ownBytes() {
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
    inference::MemoryNeeds needs;
    std::uint64_t program = 0; // and the tokenizer, and the sampler
    inference::MachineMemory machine;
    std::optional<Error> refusal{}; // why the engine does not run it; then the figures are an estimate

    [[nodiscard]] std::uint64_t anonymous() const { return needs.anonymous() + program; }
};

// Of a model that the engine does not run: from its header alone.
Result<inference::MemoryNeeds> estimated(const Model& model, const inference::SessionOptions& options) {
    const auto estimate = estimateMemory(
        model, {.context = options.context, .batch = options.batch, .keys = options.keys, .values = options.values});
    if (!estimate) {
        return std::unexpected(estimate.error());
    }
    return inference::MemoryNeeds{
        .context = static_cast<std::uint32_t>(estimate->context),
        .trainedContext = static_cast<std::uint32_t>(std::min<std::uint64_t>(estimate->trainedContext, kMaxContext)),
        .weights = estimate->weights,
        .kvCache = estimate->kvCache,
        .kvPerToken = estimate->kvPerToken,
        .recurrentState = estimate->recurrentState,
        .scratch = estimate->buffers,
        .logits = estimate->logits};
}

Result<Figures> figuresOf(const std::shared_ptr<const Model>& model, const inference::SessionOptions& options) {
    Figures figures{.needs = {}, .machine = inference::machineMemory()};
    {
        const auto tokenizer = text::makeTokenizer(*model, {}); // it is part of a run; without one there is a run too
        figures.program = ownBytes();
    }
    auto needs = inference::memoryNeeds(model, options);
    if (!needs) {
        figures.refusal = std::move(needs.error());
        needs = estimated(*model, options);
    }
    if (!needs) {
        return std::unexpected(std::move(needs.error()));
    }
    figures.needs = *needs;
    // The sampler looks at an id, a logit and a probability of each token of the vocabulary.
    constexpr std::uint64_t kCandidateBytes = 8 + 2 * sizeof(double);
    figures.program += needs->logits / sizeof(float) * kCandidateBytes;
    return figures;
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
    const inference::MemoryNeeds& needs = figures.needs;
    JsonWriter json(out);
    json.beginObject(JsonWriter::Layout::Block);
    json.member("context", needs.context);
    json.member("trained_context", needs.trainedContext != 0 ? std::optional(needs.trainedContext) : std::nullopt);
    json.member("batch", options.batch);
    json.member("kv_type", kvCacheTypeName(options.keys));
    json.member("weights", needs.weights);
    json.member("kv_cache", needs.kvCache);
    json.member("kv_per_token", needs.kvPerToken);
    json.member("recurrent_state", needs.recurrentState);
    json.member("buffers", needs.scratch + needs.smallTensors);
    json.member("logits", needs.logits);
    json.member("program", figures.program);
    json.member("anonymous", figures.anonymous());
    json.member("total", needs.weights + figures.anonymous());
    json.member("available", figures.machine.available);
    json.member("verdict", nameOf(inference::judge(needs, figures.machine)));
    json.member("runs", !figures.refusal);
    json.endObject();
    json.endDocument();
}

void printText(const inference::SessionOptions& options, const Figures& figures, Console& console) {
    const inference::MemoryNeeds& needs = figures.needs;
    const std::string_view kv = kvCacheTypeName(options.keys);
    const QString trained = needs.trainedContext != 0
                                ? Cli::tr(" (trained with %1)").arg(ui::formatCount(needs.trainedContext))
                                : QString();
    console.out().writeLine(
        Cli::tr("Context of %1 tokens%2, batch of %3, KV cache in %4")
            .arg(ui::formatCount(needs.context), trained, ui::formatCount(options.batch), ui::displayText(kv)));
    TextTable table({{}, {{}, Align::Right}, {{}, Align::Right}, {}});
    const auto row = [&](const QString& name, std::uint64_t bytes, const QString& remark = {}) {
        table.addRow({name, ui::formatBytes(bytes), ui::formatCount(bytes), remark});
    };
    row(Cli::tr("Weights"), needs.weights, Cli::tr("mapped from the file"));
    row(Cli::tr("KV cache"), needs.kvCache, Cli::tr("%1 for each more token").arg(ui::formatBytes(needs.kvPerToken)));
    if (needs.recurrentState != 0) {
        row(Cli::tr("Recurrent state"), needs.recurrentState);
    }
    row(Cli::tr("Buffers"), needs.scratch + needs.smallTensors);
    row(Cli::tr("Logits"), needs.logits);
    row(Cli::tr("Program"), figures.program, Cli::tr("with tokenizer and sampler"));
    row(Cli::tr("Total"), needs.weights + figures.anonymous(),
        Cli::tr("of which not file-backed: %1").arg(ui::formatBytes(figures.anonymous())));
    table.print(console, 2);
    if (figures.machine.total != 0) {
        const QString verdicts[]{Cli::tr("it fits"),
                                 Cli::tr("the weights do not: they will be read from the disk "
                                         "again and again"),
                                 Cli::tr("it does not fit, and would be refused")};
        console.out().writeLine(Cli::tr("Free memory: %1; %2")
                                    .arg(ui::formatBytes(figures.machine.available),
                                         verdicts[static_cast<std::size_t>(inference::judge(needs, figures.machine))]));
    }
    if (figures.refusal) {
        console.out().writeLine(Cli::tr("An estimate: %1").arg(ui::errorReason(*figures.refusal)));
    }
}

} // namespace

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
        return console.fail(figures.error(), invocation.file());
    }
    if (invocation.json()) {
        printJson(*options, *figures, console.out());
    } else {
        printText(*options, *figures, console);
    }
    return checkDamage(**model, console);
}

} // namespace gufo::cli
