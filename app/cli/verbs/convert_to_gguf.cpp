#include "cli/verbs/convert_to_gguf.h"

#include "base/ascii.h"
#include "base/detail.h"
#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/progress_line.h"
#include "cli/similar_name.h"
#include "cli/terminal_text.h"
#include "cli/text_table.h"
#include "convert/architecture.h"
#include "convert/conversion_source.h"
#include "convert/convert_folder.h"
#include "convert/legacy_plan.h"
#include "convert/plan.h"
#include "formats/container/container.h"
#include "formats/sets/model_folder.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/finding_text.h"
#include "ui/messages/key_text.h"
#include "ui/messages/recipe_text.h"
#include "ui/report/json_model.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gufo::cli {
namespace {

// Shows the plan of a conversion: as text, and as JSON with every detail.
struct PlanShown {
    const convert::ConversionPlan& plan;
    std::uint64_t fileBytes = 0;
    // For each row the largest error of a weight, nothing where that is not known; empty if nothing was measured.
    std::vector<std::optional<double>> losses{};
};

constexpr int kLongestPlannedValue = 100; // columns

std::string nameOfType(std::uint32_t typeId) {
    const TensorTypeFact* type = findTensorType(typeId);
    return type != nullptr ? std::string(type->name) : std::to_string(typeId);
}

struct Totals {
    std::uint64_t tensors = 0;
    std::uint64_t weights = 0;
    std::uint64_t bytes = 0;
};

// The largest error, and the tensor that has it.
void printLosses(const PlanShown& shown, Console& console) {
    const auto worst = std::ranges::max_element(shown.losses, {}, [](const auto& loss) { return loss.value_or(-1); });
    if (worst == shown.losses.end() || !*worst) {
        return;
    }
    const auto rounded = std::ranges::count_if(shown.losses, [](const auto& loss) { return loss.has_value(); });
    const std::string& name = shown.plan.rows[static_cast<std::size_t>(worst - shown.losses.begin())].target;
    console.out().writeLine(Cli::tr("Scales that are rounded to f16: %n tensor(s), with an error of at most %1 (%2)",
                                    nullptr, static_cast<int>(rounded))
                                .arg(ui::formatReal(**worst), ui::displayText(name)));
}

void writeParameters(ui::JsonWriter& json, const convert::Operation& operation) {
    const auto names = convert::operationFact(operation.kind).parameters;
    constexpr std::string_view kRest = "…";
    json.beginObject();
    for (std::size_t i = 0; i < names.size(); ++i) {
        const bool rest = names[i].ends_with(kRest);
        const std::string name(rest ? names[i].substr(0, names[i].size() - kRest.size()) : names[i]);
        json.key(name.c_str());
        if (!rest) {
            json.value(operation.parameters.at(i));
            continue;
        }
        json.beginArray();
        for (const std::int64_t parameter : std::span(operation.parameters).subspan(i)) {
            json.value(parameter);
        }
        json.endArray();
    }
    json.endObject();
}

void writeRow(ui::JsonWriter& json, const convert::PlannedRow& row, std::optional<double> loss) {
    json.beginObject();
    json.member("target", std::string_view(row.target));
    json.member("type", std::string_view(nameOfType(row.typeId)));
    json.key("shape");
    ui::writeShape(json, row.shape);
    json.key("sources");
    json.beginArray();
    for (const std::string& source : row.sources) {
        json.value(std::string_view(source));
    }
    json.endArray();
    json.key("operations");
    json.beginArray();
    for (const convert::Operation& operation : row.operations) {
        json.beginObject();
        json.member("name", convert::operationFact(operation.kind).name);
        json.key("parameters");
        writeParameters(json, operation);
        json.endObject();
    }
    json.endArray();
    json.member("max_error", loss);
    json.endObject();
}

// "stack(4)". The JSON output has the same names.
QString operationText(const convert::Operation& operation) {
    const QString name = ui::displayText(convert::operationFact(operation.kind).name);
    QStringList parameters;
    for (const std::int64_t parameter : operation.parameters) {
        parameters << QString::number(parameter);
    }
    return parameters.isEmpty() ? name : QStringLiteral("%1(%2)").arg(name, parameters.join(QStringLiteral(", ")));
}

// A tensor that is made of many names the first and how many follow.
QString sourcesText(const std::vector<std::string>& sources) {
    return sources.empty() ? QStringLiteral("–")
           : sources.size() == 1
               ? ui::displayText(sources.front())
               : QStringLiteral("%1 + %2").arg(ui::displayText(sources.front())).arg(sources.size() - 1);
}

void printRows(const PlanShown& shown, Console& console) {
    const bool hasLosses = std::ranges::any_of(shown.losses, [](const auto& loss) { return loss.has_value(); });
    std::vector<Column> columns{{Cli::tr("Tensor")},
                                {Cli::tr("Type")},
                                {Cli::tr("Shape"), Align::Right},
                                {Cli::tr("Source")},
                                {.title = Cli::tr("Operations"), .flexible = true}};
    if (hasLosses) {
        columns.push_back({Cli::tr("Max error"), Align::Right});
    }
    TextTable table(std::move(columns));
    for (std::size_t i = 0; i < shown.plan.rows.size(); ++i) {
        const convert::PlannedRow& row = shown.plan.rows[i];
        QStringList operations;
        for (const convert::Operation& operation : row.operations) {
            operations << operationText(operation);
        }
        std::vector<QString> cells{ui::displayText(row.target), ui::displayText(nameOfType(row.typeId)),
                                   ui::formatShape(row.shape), sourcesText(row.sources),
                                   operations.join(QStringLiteral(", "))};
        if (hasLosses) {
            cells.push_back(shown.losses[i] ? ui::formatReal(*shown.losses[i]) : QString());
        }
        table.addRow(std::move(cells));
    }
    table.print(console);
    console.out().writeLine();
}

void printKeys(const convert::ConversionPlan& plan, Console& console) {
    TextTable table({{Cli::tr("Key")}, {Cli::tr("Source")}, {.title = Cli::tr("Value"), .flexible = true}});
    const std::string_view architecture = plan.architecture != nullptr ? plan.architecture->name : std::string_view();
    for (const convert::PlannedKey& key : plan.keys) {
        table.addRow({ui::displayText(key.key), key.from.empty() ? QStringLiteral("–") : ui::displayText(key.from),
                      cutToWidth(ui::namedValue(key.key, key.value.value(), architecture), kLongestPlannedValue)});
    }
    table.print(console);
    console.out().writeLine();
}

// Prints the totals and the omitted tensors; before them, if `everything` is true, each tensor and each key.
void printPlan(const PlanShown& shown, bool everything, Console& console) {
    const convert::ConversionPlan& plan = shown.plan;
    printFindings(console, plan.findings);
    if (everything && !plan.rows.empty()) {
        printRows(shown, console);
    }
    if (everything) {
        printKeys(plan, console);
    }
    std::map<std::string, Totals> byType;
    for (const convert::PlannedRow& row : plan.rows) {
        Totals& totals = byType[nameOfType(row.typeId)];
        ++totals.tensors;
        totals.weights += row.shape.weights().value_or(0);
        totals.bytes += row.bytes;
    }
    std::vector<std::pair<std::string, Totals>> sorted(byType.begin(), byType.end());
    std::ranges::sort(sorted, std::greater(), [](const auto& row) { return row.second.bytes; });
    TextTable table({{Cli::tr("Type")},
                     {Cli::tr("Tensors"), Align::Right},
                     {Cli::tr("Weights"), Align::Right},
                     {Cli::tr("Size"), Align::Right}});
    for (const auto& [type, totals] : sorted) {
        table.addRow({ui::displayText(type), ui::formatCount(totals.tensors), ui::formatCount(totals.weights),
                      ui::formatBytes(totals.bytes)});
    }
    if (!sorted.empty()) {
        table.print(console);
    }
    if (plan.fallbacks() > 0) {
        console.out().writeLine(
            Cli::tr("Tensors that get another type because their rows are not a whole number of its blocks: %1")
                .arg(plan.fallbacks()));
    }
    if (plan.importance) {
        for (const QString& remark : ui::importanceRemarks(*plan.importance)) {
            console.out().writeLine(remark);
        }
    }
    if (!plan.unused.empty()) {
        QStringList names;
        for (const convert::UnusedTensor& tensor : plan.unused) {
            names << QStringLiteral("%1 (%2)").arg(
                ui::displayText(tensor.name),
                QString::fromLatin1(tensor.reason.data(), static_cast<qsizetype>(tensor.reason.size())));
        }
        console.out().writeLine(Cli::tr("Left out: %1").arg(names.join(QStringLiteral(", "))));
    }
    printLosses(shown, console);
    console.out().writeLine(Cli::tr("%1: %2, keys: %3")
                                .arg(ui::displayText(plan.architecture->name), ui::formatBytes(shown.fileBytes))
                                .arg(plan.keys.size()));
}

// `output` is the file that was written; null if there is none.
void printPlanJson(const PlanShown& shown, const std::string* output, Console& console) {
    const convert::ConversionPlan& plan = shown.plan;
    ui::JsonWriter json(console.out());
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.key("output");
    output != nullptr ? json.value(std::string_view(*output)) : json.null();
    json.member("architecture", plan.architecture->name);
    json.member("file_bytes", shown.fileBytes);
    json.key("rows");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (std::size_t i = 0; i < plan.rows.size(); ++i) {
        writeRow(json, plan.rows[i], i < shown.losses.size() ? shown.losses[i] : std::nullopt);
    }
    json.endArray();
    json.key("keys");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const convert::PlannedKey& key : plan.keys) {
        json.beginObject();
        json.member("key", std::string_view(key.key));
        ui::writeTypeAndValue(json, key.value.value());
        json.key("from");
        key.from.empty() ? json.null() : json.value(std::string_view(key.from));
        json.endObject();
    }
    json.endArray();
    json.key("unused");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const convert::UnusedTensor& tensor : plan.unused) {
        json.beginObject();
        json.member("name", std::string_view(tensor.name));
        json.member("reason", tensor.reason);
        json.endObject();
    }
    json.endArray();
    json.key("findings");
    ui::writeFindings(json, plan.findings);
    json.endObject();
    json.endDocument();
}

using Path = std::filesystem::path;

constexpr auto kMaxThreads = std::uint64_t{1'024};

std::expected<convert::ConvertRequest, QString> parseRequest(const Invocation& invocation) {
    for (const char* option : {"byte-order", "version", "verify"}) {
        if (invocation.isSet(option)) {
            return std::unexpected(
                Cli::tr("--%1 applies to GGUF files, not to what is converted to GGUF").arg(QLatin1String(option)));
        }
    }
    convert::ConvertRequest request;
    if (const auto type = invocation.value("type"); type && !equalIgnoringCase(*type, "auto")) {
        request.recipe.recipe = GUFO_TRY(recipeNamed(*type, {QStringLiteral("auto")}));
    }
    request.vocabularyOnly = invocation.isSet("vocab-only");
    request.name = invocation.value("name").value_or(std::string());
    return request;
}

// A plan and what it is made for.
struct Planned {
    convert::ConversionSource source;
    convert::ConversionPlan plan;
    std::vector<std::optional<double>> losses{}; // of files from before GGUF
    QString refusal{};                           // why an option does not apply to the source; there is no plan then
};

// Why an option does not apply to a folder; empty if all do.
QString optionRefusal(convert::SourceKind kind, const convert::ConvertRequest& request, const Invocation& invocation) {
    if (!convert::takesBase(kind)) {
        return invocation.isSet("base") ? Cli::tr("--base applies to adapters; this folder is a model") : QString();
    }
    const Recipe* recipe = request.recipe.recipe;
    if (recipe != nullptr && !convert::takesType(kind, recipe->type)) {
        return Cli::tr("adapters are written as F32, F16 or BF16");
    }
    return request.vocabularyOnly || request.imatrix != nullptr
               ? Cli::tr("--vocab-only and --imatrix do not apply to adapters")
               : QString();
}

Result<Planned> planOf(const Path& in, const convert::ConvertRequest& request, const Invocation& invocation,
                       const JobContext& job) {
    auto source = GUFO_TRY(convert::openConversionSource(in, job));
    if (QString refusal = optionRefusal(source.kind, request, invocation); !refusal.isEmpty()) {
        return Planned{std::move(source), {}, {}, std::move(refusal)};
    }
    auto plan = GUFO_TRY(convert::planFor(source, request, invocation.value("base").value_or(std::string()), job));
    auto losses =
        GUFO_TRY(source.kind == convert::SourceKind::Legacy ? convert::measureLoss(*source.folder.model(), plan, job)
                                                            : std::vector<std::optional<double>>());
    return Planned{std::move(source), std::move(plan), std::move(losses)};
}

// Says what keeps the result from being of use.
int refusedFor(const convert::ConversionPlan& plan, const Path& in, Console& console) {
    constexpr std::size_t kShown = 3;
    QStringList parts;
    for (const Finding& obstacle : std::span(plan.findings).first(std::min(plan.obstacles, kShown))) {
        const QString place =
            obstacle.place.kind == Place::Kind::FileName ? QString() : ui::placeText(obstacle.place); // says itself
        parts << (place.isEmpty() ? QString() : place + QStringLiteral(": ")) + ui::findingMessage(obstacle);
    }
    parts << ui::findingHint(plan.findings.front());
    if (plan.obstacles > kShown) {
        parts << Cli::tr("There are %n more problems, which --dry-run lists.", nullptr,
                         ui::numerus(plan.obstacles - kShown));
    }
    return console.fail(ui::displayText(in.native()) + QStringLiteral(": ") +
                        Cli::tr("nothing was written, because the result could not be run:") + u' ' + parts.join(u' '));
}

} // namespace

// Plans, shows the plan, and writes the result unless only the plan is wanted.
int runConvertToGguf(const Path& in, const Invocation& invocation, Console& console) {
    const std::vector<std::string>& arguments = invocation.positional();
    const bool dryRun = invocation.isSet("dry-run");
    auto request = parseRequest(invocation);
    const auto threads = invocation.number("threads", 1, kMaxThreads);
    if (!request || !threads) {
        return console.fail(QStringLiteral("convert: ") + (request ? threads.error() : request.error()));
    }
    const Cancellation cancellation;
    if (const auto path = invocation.value("imatrix")) {
        auto imatrix = Imatrix::open(*path, {.stop = cancellation.token()});
        if (!imatrix) {
            return failedOrCancelled(imatrix.error(), *path, cancellation, console);
        }
        request->imatrix = *std::move(imatrix);
    }
    const auto workers = static_cast<unsigned>(threads->value_or(0));
    auto planned = planOf(in, *request, invocation, {.stop = cancellation.token(), .threads = workers});
    if (planned && !planned->refusal.isEmpty()) {
        return console.fail(QStringLiteral("convert: ") + planned->refusal);
    }
    const auto bytes = planned ? convert::convertedBytes(planned->plan) : std::unexpected(planned.error());
    if (!bytes) {
        const int code = failedOrCancelled(bytes.error(), in, cancellation, console);
        const Arguments& why = bytes.error().args;
        if (!why.empty() && why.front().detail() == Detail::AdapterBaseUnknown) {
            console.note(Cli::tr("name the base model with --base"));
        }
        return code;
    }
    if (!dryRun && planned->plan.obstacles != 0) {
        return refusedFor(planned->plan, in, console);
    }
    const PlanShown shown{planned->plan, *bytes, std::move(planned->losses)};
    if (!invocation.json()) {
        printPlan(shown, dryRun, console);
        console.out().flush();
        const auto isFactor = [](const convert::PlannedRow& row) {
            return row.target.ends_with(".lora_a") || row.target.ends_with(".lora_b");
        };
        if (convert::takesBase(planned->source.kind) && !std::ranges::all_of(planned->plan.rows, isFactor)) {
            console.note(
                Cli::tr("The adapter also contains whole tensors, which take the place of the model's. Merge it "
                        "with gufo-cli apply: runtimes that load adapters beside a model refuse it."));
        }
    }
    if (!dryRun) {
        ProgressLine line(console, Cli::tr("converting"));
        const auto written =
            convert::writeConverted(planned->source.folder, planned->plan, *request, arguments[1],
                                    {.stop = cancellation.token(), .progress = line.progress(), .threads = workers});
        if (!written) {
            return failedOrCancelled(written.error(), in, cancellation, console);
        }
    }
    if (invocation.json()) {
        printPlanJson(shown, dryRun ? nullptr : &arguments[1], console);
    }
    return kDone;
}

bool isConvertedToGguf(const Path& in) {
    std::error_code error;
    const auto isGguf = [](const Path& file) {
        const Container* container = containerByName(file.filename());
        return container != nullptr ? container->capabilities.has(Capability::Run)
                                    : file.extension() != ".json"; // a list of shards
    };
    if (std::filesystem::is_directory(in, error)) {
        const auto file = modelFileIn(in);
        return !file || !isGguf(*file);
    }
    const Path folder = in.parent_path().empty() ? Path(".") : in.parent_path();
    constexpr auto kDescriptions = std::to_array<const char*>({"config.json", "params.json", "adapter_config.json"});
    const bool described = std::ranges::any_of(
        kDescriptions, [&](const char* name) { return std::filesystem::is_regular_file(folder / name, error); });
    return described && !isGguf(in) && std::filesystem::is_regular_file(in, error);
}

int runConvertLegacy(const Invocation& invocation, Console& console) {
    for (const char* option : {"type", "imatrix", "base"}) {
        if (invocation.isSet(option)) {
            return console.fail(QStringLiteral("convert: ") +
                                Cli::tr("--%1 does not apply to files from before GGUF").arg(QLatin1String(option)));
        }
    }
    return runConvertToGguf(invocation.file(), invocation, console);
}

} // namespace gufo::cli
