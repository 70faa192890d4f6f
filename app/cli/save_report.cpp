#include "cli/save_report.h"

#include "ui/messages/figure_text.h"
#include "ui/messages/save_text.h"
#include "ui/report/json_writer.h"

namespace gufo::cli {
namespace {

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
                          .arg(ui::displayText(plan.path.native()), ui::strategyText(plan.strategy).toLower(),
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
