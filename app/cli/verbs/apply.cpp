#include "adapter/merge_adapters.h"
#include "analysis/compare/pair_figures.h"
#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/progress_line.h"
#include "cli/text_table.h"
#include "cli/verb.h"
#include "document/open_model.h"
#include "formats/container/container.h"
#include "model/set_fault.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/report/json_writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace gufo::cli {
namespace {

using Path = std::filesystem::path;

constexpr auto kMaxThreads = std::uint64_t{1'024};

std::expected<std::vector<double>, QString> scalesOf(const Invocation& invocation, std::size_t adapters) {
    std::vector<double> scales;
    for (const std::string& text : invocation.values("scale")) {
        double scale = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), scale);
        if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(scale)) {
            return std::unexpected(Cli::tr("--scale takes a number, not \"%1\"").arg(ui::displayText(text)));
        }
        scales.push_back(scale);
    }
    if (scales.size() > 1 && scales.size() != adapters) {
        return std::unexpected(Cli::tr("--scale is given once, or once for each adapter"));
    }
    scales.resize(adapters, scales.empty() ? 1.0 : scales.front());
    return scales;
}

std::expected<std::optional<TensorType>, QString> typeOf(const Invocation& invocation) {
    const std::string name = invocation.value("type").value_or("keep");
    if (name == "keep") {
        return std::nullopt;
    }
    for (const TensorType type : {TensorType::F32, TensorType::F16, TensorType::BF16}) {
        if (name == tensorTypeFact(type).name) {
            return type;
        }
    }
    return std::unexpected(
        Cli::tr("--type takes keep, F32, F16 or BF16, not \"%1\"; other types are made with: gufo-cli quantize")
            .arg(ui::displayText(name)));
}

std::string typeText(std::uint32_t typeId) {
    const TensorTypeFact* type = findTensorType(typeId);
    return type != nullptr ? std::string(type->name) : std::to_string(typeId);
}

PairSums totalOf(const MergePlan& plan) {
    PairSums sums;
    for (const MergedTensor& tensor : plan.tensors) {
        sums.merge(tensor.encoding);
    }
    return sums;
}

// The rank of the product that is added; of a tensor that the adapter replaces, that it does.
QString rankText(const AdapterChange& change) {
    if (!change.replaces) {
        return ui::formatCount(change.rank);
    }
    return change.rank == 0 ? Cli::tr("replaced") : Cli::tr("replaced, %1").arg(ui::formatCount(change.rank));
}

QString realOrDash(std::optional<double> value) { return value ? ui::formatReal(*value) : QStringLiteral("–"); }

void printText(const Model& base, const MergeRequest& request, const MergePlan& plan, bool written, Console& console) {
    std::vector<Column> columns = {{Cli::tr("Tensor")}, {Cli::tr("Type")}};
    for (const AdapterUse& use : request.adapters) {
        const QString name = ui::displayText(use.adapter.model->path().stem().native());
        columns.push_back({Cli::tr("%1: rank").arg(name), Align::Right});
        columns.push_back({Cli::tr("change"), Align::Right});
    }
    if (written) {
        columns.push_back({Cli::tr("NMSE of encoding"), Align::Right});
    }
    TextTable table(std::move(columns));
    for (const MergedTensor& merged : plan.tensors) {
        std::vector<QString> row = {ui::displayText(base.tensor(merged.change.tensor).name),
                                    ui::displayText(typeText(merged.typeId))};
        for (std::size_t i = 0; i < request.adapters.size(); ++i) {
            const auto change = std::ranges::find(merged.change.changes, i, &AdapterChange::adapter);
            const bool has = change != merged.change.changes.end();
            row.push_back(has ? rankText(*change) : QString());
            row.push_back(has ? realOrDash(merged.change.relative(*change)) : QString());
        }
        if (written) {
            row.push_back(realOrDash(figuresOf(merged.encoding).nmse));
        }
        table.addRow(std::move(row));
    }
    table.print(console);
    for (const AdapterUse& use : request.adapters) {
        console.out().writeLine(Cli::tr("%1: %n tensors, alpha %2, scale %3", nullptr,
                                        ui::numerus(use.adapter.tensors.size() + use.adapter.replaced.size()))
                                    .arg(ui::displayText(use.adapter.model->path().filename().native()),
                                         ui::formatReal(use.adapter.alpha), ui::formatReal(use.strength)));
    }
    if (written) {
        console.out().writeLine(
            Cli::tr("Error that encoding adds: NMSE %1").arg(realOrDash(figuresOf(totalOf(plan)).nmse)));
    }
    console.out().writeLine(Cli::tr("Change: norm of what is added, relative to that of the weights. Size: %1")
                                .arg(ui::formatBytes(plan.fileBytes)));
}

void writeTensor(ui::JsonWriter& json, const Model& base, const MergedTensor& merged, bool written) {
    const TensorInfo& tensor = base.tensor(merged.change.tensor);
    json.beginObject();
    json.member("name", tensor.name);
    json.member("from", std::string_view(tensor.typeName()));
    json.member("type", std::string_view(typeText(merged.typeId)));
    json.member("weight_norm", merged.change.weightNorm);
    json.key("changes");
    json.beginArray();
    for (const AdapterChange& change : merged.change.changes) {
        json.beginObject();
        json.member("adapter", static_cast<std::uint64_t>(change.adapter));
        json.member("rank", change.rank);
        json.member("replaces", change.replaces);
        json.member("norm", change.norm);
        json.member("relative", merged.change.relative(change));
        json.endObject();
    }
    json.endArray();
    const PairFigures figures = figuresOf(merged.encoding);
    json.member("nmse", written ? figures.nmse : std::nullopt);
    json.member("max_error", written ? figures.maxError : std::nullopt);
    json.endObject();
}

void printJson(const Model& base, const MergeRequest& request, const MergePlan& plan, const std::string* output,
               Console& console) {
    ui::JsonWriter json(console.out());
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.key("output");
    output != nullptr ? json.value(std::string_view(*output)) : json.null();
    json.member("file_bytes", plan.fileBytes);
    json.key("adapters");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const AdapterUse& use : request.adapters) {
        json.beginObject();
        json.member("file", std::string_view(use.adapter.model->path().native()));
        json.member("scale", use.strength);
        json.member("alpha", use.adapter.alpha);
        json.member("tensors", static_cast<std::uint64_t>(use.adapter.tensors.size()));
        json.member("replaced", static_cast<std::uint64_t>(use.adapter.replaced.size()));
        json.endObject();
    }
    json.endArray();
    json.key("tensors");
    json.beginArray(ui::JsonWriter::Layout::Block);
    std::uint64_t weights = 0;
    for (const MergedTensor& merged : plan.tensors) {
        writeTensor(json, base, merged, output != nullptr);
        weights += base.tensor(merged.change.tensor).weights();
    }
    json.endArray();
    json.key("totals");
    json.beginObject();
    json.member("tensors", static_cast<std::uint64_t>(plan.tensors.size()));
    json.member("weights", weights);
    json.member("nmse", output != nullptr ? figuresOf(totalOf(plan)).nmse : std::nullopt);
    json.endObject();
    json.endObject();
    json.endDocument();
}

// What will be written, with the norms of all changes.
Result<MergePlan> measuredPlan(const Model& base, const MergeRequest& request, const JobContext& job) {
    auto plan = GUFO_TRY(planMerge(base, request));
    auto changes = GUFO_TRY(measureChanges(base, request.adapters, job));
    for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
        plan.tensors[i].change = std::move(changes[i]);
    }
    return plan;
}

constexpr auto kApplyOptions = std::to_array<OptionFact>({
    {"scale", QT_TRANSLATE_NOOP("gufo::cli::Cli", "X"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "how strongly the adapters are applied; default: 1. Given several times, one "
                                         "for each adapter")},
    {"type", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TYPE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "type of the tensors that change: keep (default), F32, F16 or BF16")},
    {"dry-run", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "only show which tensors change, and how much; OUT is then omitted")},
    {"threads", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "number of threads; default: all. The result does not depend on it")},
});

int runApply(const Invocation& invocation, Console& console) {
    const std::vector<std::string>& arguments = invocation.positional();
    const bool dryRun = invocation.isSet("dry-run");
    const std::size_t afterAdapters = dryRun ? arguments.size() : arguments.size() - 1;
    if (afterAdapters < 2) {
        return console.fail(QStringLiteral("apply: ") +
                            Cli::tr("an argument is missing; usage: gufo-cli apply BASE ADAPTER… OUT"));
    }
    const auto scales = scalesOf(invocation, afterAdapters - 1);
    const auto type = typeOf(invocation);
    const auto threads = invocation.number("threads", 1, kMaxThreads);
    if (!scales || !type || !threads) {
        return console.fail(QStringLiteral("apply: ") + (!scales ? scales.error()
                                                         : !type ? type.error()
                                                                 : threads.error()));
    }
    const Cancellation cancellation;
    const auto base = openModelOf(invocation, console);
    if (!base) {
        return base.error();
    }
    if (const auto complete = checkSet(**base); !complete) { // before its missing tensors are noticed
        return console.fail(complete.error(), invocation.file());
    }
    MergeRequest request{.type = *type};
    for (std::size_t i = 1; i < afterAdapters; ++i) {
        auto file = openModel(arguments[i], {.stop = cancellation.token()});
        if (file && !capabilitiesOf(**file).has(Capability::Run)) {
            const QString name = ui::displayText(arguments[i]);
            return console.fail(QStringLiteral("apply: ") +
                                Cli::tr("%1 is not a GGUF file; make one with: gufo-cli convert %1 OUT.gguf --base %2")
                                    .arg(name, ui::displayText(arguments[0])));
        }
        auto adapter = file ? matchAdapter(**base, *std::move(file)) : std::unexpected(std::move(file).error());
        if (!adapter) {
            return failedOrCancelled(adapter.error(), arguments[i], cancellation, console);
        }
        request.adapters.push_back({*std::move(adapter), (*scales)[i - 1]});
    }
    Result<MergePlan> plan;
    {
        ProgressLine line(console, dryRun ? Cli::tr("measuring") : Cli::tr("merging"));
        const JobContext job{.stop = cancellation.token(),
                             .progress = line.progress(),
                             .threads = static_cast<unsigned>(threads->value_or(0))};
        plan = dryRun ? measuredPlan(**base, request, job) : mergeAdapters(**base, request, arguments.back(), job);
    }
    if (!plan) {
        return failedOrCancelled(plan.error(), dryRun ? Path(arguments[0]) : Path(arguments.back()), cancellation,
                                 console);
    }
    if (invocation.json()) {
        printJson(**base, request, *plan, dryRun ? nullptr : &arguments.back(), console);
    } else {
        printText(**base, request, *plan, !dryRun, console);
    }
    return kDone;
}

} // namespace

const Verb applyVerb{
    .name = "apply",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "BASE ADAPTER… OUT [--scale X]… [--type TYPE] [--dry-run]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Merges LoRA adapters into a model"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "BASE and the adapters are GGUF files. Tensors that an adapter names are recomputed in f32 and written in "
        "the type that\nthey had, or matrices in that of --type; all others keep their bytes. Tensors that an adapter "
        "contains whole (modules_to_save) take the place of those of the model. Shows how much each tensor "
        "changes, relative to its weights,\nand the error that encoding it again adds. OUT is written completely or "
        "not at all; shards become one file."),
    .options = kApplyOptions,
    .minArguments = 2,
    .maxArguments = -1,
    .run = runApply,
    .output = Verb::Output::Last,
};

} // namespace gufo::cli
