#include "cli/verbs/conversion_text.h"

#include "cli/console.h"
#include "cli/model_access.h"
#include "cli/terminal_text.h"
#include "cli/text_table.h"
#include "convert/architecture.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/messages/recipe_text.h"
#include "ui/report/json_model.h"

#include <algorithm>
#include <functional>
#include <map>

namespace gufo::cli {
namespace {

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

} // namespace

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

} // namespace gufo::cli
