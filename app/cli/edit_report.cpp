#include "cli/edit_report.h"

#include "model/array_index.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/messages/save_text.h"
#include "ui/report/json_model.h"
#include "ui/report/json_writer.h"

namespace gufo::cli {
namespace {

constexpr const char* kArrow = " → ";

// The element of an array, if the file can still be read there.
std::optional<Value> elementOf(const std::optional<Value>& value, std::uint64_t index) {
    const ArrayView* array = value ? asArray(*value) : nullptr;
    std::optional<Value> found;
    if (array != nullptr) {
        forEachElement(*array, [&](std::uint64_t i, const Value& element) {
            found = i == index ? std::optional(element) : std::nullopt;
            return i < index;
        });
    }
    return found;
}

QString fromTo(std::string_view key, const Value& before, const Value& after, std::string_view architecture) {
    QString from = ui::valueInLine(key, before, architecture);
    QString to = ui::valueInLine(key, after, architecture);
    if (from == to) { // only the type changes
        from = QStringLiteral("%1 (%2)").arg(from, ui::formatValueType(before));
        to = QStringLiteral("%1 (%2)").arg(to, ui::formatValueType(after));
    }
    const auto shown = [](const QString& text) { return text.isEmpty() ? QStringLiteral("\"\"") : text; };
    return shown(from) + QString::fromUtf8(kArrow) + shown(to);
}

// What follows the name.
QString changeText(const Difference& difference, std::string_view architecture) {
    if (difference.subject == Difference::Subject::Key && difference.changed && difference.before && difference.after) {
        const auto& array = difference.array;
        if (array && array->changed == 1 && array->inserted == 0 && array->removed == 0) {
            const auto before = elementOf(difference.before, array->firstIndex);
            const auto after = elementOf(difference.after, array->firstIndex);
            if (before && after) {
                return QStringLiteral("[%1] ").arg(array->firstIndex) +
                       fromTo(difference.name, *before, *after, architecture);
            }
        }
        const QString elements = ui::arrayChangeText(difference);
        return elements.isEmpty() ? fromTo(difference.name, *difference.before, *difference.after, architecture)
                                  : elements;
    }
    const QString kind = ui::differenceKind(difference).toLower();
    const std::optional<Value>& value = difference.deleted ? difference.before : difference.after;
    return value && (difference.added || difference.deleted)
               ? QStringLiteral("%1, %2").arg(kind, ui::valueInLine(difference.name, *value, architecture))
               : kind;
}

std::string_view subjectName(Difference::Subject subject) {
    switch (subject) {
    case Difference::Subject::Key:
        return "key";
    case Difference::Subject::Tensor:
        return "tensor";
    case Difference::Subject::Target:
        break;
    }
    return "target";
}

void writeSide(ui::JsonWriter& json, const char* name, const std::optional<Value>& value) {
    json.key(name);
    if (!value) {
        json.null();
        return;
    }
    json.beginObject();
    ui::writeTypeAndValue(json, *value);
    json.endObject();
}

void writeReport(ui::JsonWriter& json, const SaveReport& report) {
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.key("files");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const FileReport& file : report.files) {
        const FilePlan& plan = file.plan;
        json.beginObject();
        json.member("path", std::string_view(plan.path.native()));
        json.member("strategy", strategyName(plan.strategy));
        json.member("reason", reasonName(plan.reason));
        json.member("bytes_written", plan.bytesToWrite);
        json.member("bytes", plan.bytesAfter);
        json.member("reserved", plan.reserved);
        json.endObject();
    }
    json.endArray();
    json.member("strategy",
                strategyName(report.files.empty() ? SaveStrategy::Unchanged : report.files[0].plan.strategy));
    json.member("bytes_written", report.bytesWritten());
    json.member("milliseconds", report.milliseconds);
    if (report.hashBefore) {
        json.member("tensor_hash_before", std::string_view(*report.hashBefore));
        json.member("tensor_hash_after", std::string_view(report.hashAfter.value_or("")));
    }
    json.endObject();
    json.endDocument();
}

} // namespace

void printDifferences(Console& console, std::span<const Difference> differences, std::string_view architecture) {
    for (const Difference& difference : differences) {
        console.out().writeLine(
            QStringLiteral("%1: %2").arg(ui::differenceName(difference), changeText(difference, architecture)));
    }
}

void writeDifferences(ui::JsonWriter& json, std::span<const Difference> differences) {
    json.key("changes");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const Difference& difference : differences) {
        json.beginObject();
        json.member("subject", subjectName(difference.subject));
        json.member("name", std::string_view(difference.name));
        json.member("old_name", std::string_view(difference.oldName));
        json.member("added", difference.added);
        json.member("deleted", difference.deleted);
        json.member("changed", difference.changed);
        json.member("renamed", difference.renamed);
        json.member("moved", difference.moved);
        writeSide(json, "before", difference.before);
        writeSide(json, "after", difference.after);
        if (difference.array) {
            json.member("first_index", difference.array->firstIndex);
            json.member("elements_changed", difference.array->changed);
            json.member("elements_inserted", difference.array->inserted);
            json.member("elements_removed", difference.array->removed);
        }
        json.endObject();
    }
    json.endArray();
}

int printSaveReport(const Invocation& invocation, Console& console, const SaveReport& report) {
    if (invocation.json()) {
        ui::JsonWriter json(console.out());
        writeReport(json, report);
        return kDone;
    }
    Output& out = console.out();
    if (report.files.empty()) {
        out.writeLine(Cli::tr("Nothing has changed, and nothing was written."));
    }
    for (const FileReport& file : report.files) {
        const FilePlan& plan = file.plan;
        out.writeLine(Cli::tr("%1: %2, %3 written (%4)")
                          .arg(ui::displayText(plan.path.native()), ui::strategyInSentence(plan.strategy),
                               ui::formatBytes(plan.bytesToWrite), ui::saveReasonText(plan.reason, plan.args)));
    }
    if (!report.files.empty()) {
        out.writeLine(Cli::tr("%1 ms").arg(report.milliseconds, 0, 'f', 1));
    }
    if (report.hashBefore) {
        out.writeLine(Cli::tr("Tensor bytes before: SHA-256 %1").arg(QString::fromStdString(*report.hashBefore)));
        out.writeLine(
            Cli::tr("Tensor bytes after:  SHA-256 %1").arg(QString::fromStdString(report.hashAfter.value_or(""))));
    }
    return kDone;
}

} // namespace gufo::cli
