#include "cli/verbs/convert_folder.h"

#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/progress_line.h"
#include "cli/text_table.h"
#include "convert/convert_folder.h"
#include "formats/format.h"
#include "formats/model_folder.h"
#include "ui/messages/format.h"
#include "ui/report/json_model.h"

#include <algorithm>
#include <functional>
#include <map>

namespace gufo::cli {
namespace {

using Path = std::filesystem::path;

constexpr std::uint64_t kMostThreads = 1'024;

std::string typeText(std::uint32_t typeId) {
    const TensorTypeInfo* type = findTensorType(typeId);
    return type != nullptr ? std::string(type->name) : std::to_string(typeId);
}

std::expected<convert::ConvertRequest, QString> parseRequest(const Invocation& invocation) {
    for (const char* option : {"byte-order", "version", "verify"}) {
        if (invocation.isSet(option)) {
            return std::unexpected(Cli::tr("--%1 applies to GGUF files, not to folders").arg(QLatin1String(option)));
        }
    }
    convert::ConvertRequest request;
    if (const auto type = invocation.value("type"); type && *type != "auto") {
        request.recipe.recipe = findRecipe(*type);
        if (request.recipe.recipe == nullptr) {
            QStringList names = {QStringLiteral("auto")};
            for (const Recipe& recipe : recipes()) {
                names << QString::fromLatin1(recipe.name.data());
            }
            return std::unexpected(Cli::tr("there is no type \"%1\"; the types are %2")
                                       .arg(ui::displayText(*type), names.join(QStringLiteral(", "))));
        }
    }
    request.vocabularyOnly = invocation.isSet("vocab-only");
    request.name = invocation.value("name").value_or(std::string());
    return request;
}

struct Totals {
    std::uint64_t tensors = 0;
    std::uint64_t weights = 0;
    std::uint64_t bytes = 0;
};

void printPlan(const convert::ConversionPlan& plan, std::uint64_t fileBytes, Console& console) {
    std::map<std::string, Totals> byType;
    for (const convert::PlannedRow& row : plan.rows) {
        Totals& totals = byType[typeText(row.typeId)];
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
    table.print(console);
    if (plan.fallbacks() > 0) {
        console.out().writeLine(
            Cli::tr("Tensors that get another type because their rows are not a whole number of its blocks: %1")
                .arg(plan.fallbacks()));
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
    printFindings(console, plan.findings);
    console.out().writeLine(Cli::tr("%1: %2, keys: %3")
                                .arg(ui::displayText(plan.architecture->name), ui::formatBytes(fileBytes))
                                .arg(plan.keys.size()));
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

void writeRow(ui::JsonWriter& json, const convert::PlannedRow& row) {
    json.beginObject();
    json.member("target", std::string_view(row.target));
    json.member("type", std::string_view(typeText(row.typeId)));
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
    json.endObject();
}

void printJson(const convert::ConversionPlan& plan, std::uint64_t fileBytes, const std::string* output,
               Console& console) {
    ui::JsonWriter json(console.out());
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.key("output");
    output != nullptr ? json.value(std::string_view(*output)) : json.null();
    json.member("architecture", plan.architecture->name);
    json.member("file_bytes", fileBytes);
    json.key("rows");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const convert::PlannedRow& row : plan.rows) {
        writeRow(json, row);
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

} // namespace

std::optional<Path> folderToConvert(const Path& in) {
    std::error_code error;
    const auto isGguf = [](const Path& file) {
        const Container* container = containerByName(file.filename());
        return container == nullptr || container->capabilities.has(Capability::Run);
    };
    if (std::filesystem::is_directory(in, error)) {
        const auto file = modelFileIn(in);
        return file && isGguf(*file) ? std::nullopt : std::optional(in);
    }
    const Path folder = in.parent_path().empty() ? Path(".") : in.parent_path();
    return !isGguf(in) && std::filesystem::is_regular_file(in, error) &&
                   std::filesystem::is_regular_file(folder / "config.json", error)
               ? std::optional(folder)
               : std::nullopt;
}

int runConvertFolder(const Path& folder, const Invocation& invocation, Console& console) {
    const std::vector<std::string>& arguments = invocation.positional();
    const bool dryRun = invocation.isSet("dry-run");
    auto request = parseRequest(invocation);
    const auto threads = invocation.number("threads", 1, kMostThreads);
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
    const auto source = convert::SourceFolder::open(folder, {.stop = cancellation.token()});
    if (!source) {
        return failedOrCancelled(source.error(), folder, cancellation, console);
    }
    const auto plan = convert::planConversion(*source, *request, {.stop = cancellation.token()});
    if (!plan) {
        return failedOrCancelled(plan.error(), folder, cancellation, console);
    }
    const auto bytes = convert::convertedBytes(*plan);
    if (!bytes) {
        return console.fail(bytes.error(), folder);
    }
    if (!invocation.json()) {
        printPlan(*plan, *bytes, console);
        console.out().flush();
    }
    if (!dryRun) {
        ProgressLine line(console, Cli::tr("converting"));
        const auto written = convert::writeConverted(*source, *plan, *request, arguments[1],
                                                     {.stop = cancellation.token(),
                                                      .progress = line.progress(),
                                                      .threads = static_cast<unsigned>(threads->value_or(0))});
        if (!written) {
            return failedOrCancelled(written.error(), folder, cancellation, console);
        }
    }
    if (invocation.json()) {
        printJson(*plan, *bytes, dryRun ? nullptr : &arguments[1], console);
    }
    return kDone;
}

} // namespace gufo::cli
