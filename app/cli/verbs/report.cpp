#include "base/output_file.h"
#include "cli/cancellation.h"
#include "cli/engine_options.h"
#include "cli/model_access.h"
#include "cli/outputs.h"
#include "cli/progress_line.h"
#include "cli/verb.h"
#include "ui/report/bug_report.h"
#include "ui/report/json_model.h"

#include <array>

namespace gufo::cli {
namespace {

constexpr auto kReportOptions = std::to_array<OptionFact>({
    {"hash", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "add the SHA-256 of the file and of its weights, which reads it whole")},
    {"speed", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "load the model, and add the measured speed")},
    {"o,output", QT_TRANSLATE_NOOP("gufo::cli::Cli", "OUT"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "write to a file; default: standard output"), true, nullptr, true},
});

// The speed of a short prompt and a few tokens, on all threads.
Expected<inference::MeasuredSpeed> measuredSpeed(const std::filesystem::path& path, Console& console) {
    const inference::SpeedTask task{.before = 0, .prompt = 64, .generated = 16};
    inference::SessionOptions options;
    options.context = static_cast<std::uint32_t>(task.prompt + task.generated + 1);
    const auto engine = GUFO_TRY(loadEngine(path, options, console));
    const Cancellation cancellation; // loadEngine() has ended its own; there can be only one at a time
    const ProgressLine line(console, Cli::tr("measuring"));
    const auto speed = measureSpeed(*engine.session, *engine.model, task, {.stop = cancellation.token()});
    if (!speed) {
        return std::unexpected(failedOrCancelled(speed.error(), path, cancellation, console));
    }
    return *speed;
}

Expected<ui::BugReport> checkedReport(const std::shared_ptr<const Model>& model, const Invocation& invocation,
                                      Console& console) {
    const Cancellation cancellation;
    auto report = [&] {
        ProgressLine line(console, Cli::tr("reading"));
        return ui::makeBugReport(model, invocation.isSet("hash"),
                                 {.stop = cancellation.token(), .progress = line.progress()});
    }();
    if (!report) {
        return std::unexpected(failedOrCancelled(report.error(), invocation.file(), cancellation, console));
    }
    return *std::move(report);
}

void printJson(const std::optional<std::filesystem::path>& out, const std::string& text, const ui::BugReport& report,
               Console& console) {
    const auto unlessEmpty = [](const std::string& digest) {
        return digest.empty() ? std::nullopt : std::optional<std::string_view>(digest);
    };
    ui::JsonWriter json(console.out());
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("output", out ? std::optional<std::string>(out->native()) : std::nullopt);
    json.member("report", std::string_view(text));
    json.member("header_sha256", unlessEmpty(report.header));
    json.member("file_sha256", unlessEmpty(report.file));
    json.member("weights_digest", unlessEmpty(report.weights));
    json.member("prompt_tps", report.speed ? std::optional(report.speed->promptTps) : std::nullopt);
    json.member("generation_tps", report.speed ? std::optional(report.speed->generationTps) : std::nullopt);
    json.key("findings");
    ui::writeFindings(json, report.validation.findings);
    json.endObject();
    json.endDocument();
}

int runReport(const Invocation& invocation, Console& console) {
    const auto model = openModelOf(invocation, console);
    if (!model) {
        return model.error();
    }
    auto report = checkedReport(*model, invocation, console);
    if (!report) {
        return report.error();
    }
    if (invocation.isSet("speed")) {
        const auto speed = measuredSpeed(invocation.file(), console);
        if (!speed) {
            return speed.error();
        }
        report->speed = *speed;
    }
    ui::StringSink text;
    ui::writeBugReport(text, *report);
    std::optional<std::filesystem::path> out;
    if (const auto output = invocation.value("output")) {
        out = outputPath(*output);
        if (const auto written = writeWholeFile(*out, text.text()); !written) {
            return console.fail(written.error(), *out);
        }
    }
    if (invocation.json()) {
        printJson(out, text.text(), *report, console);
    } else if (!out) {
        console.out().write(text.text());
    }
    return checkDamage(**model, console);
}

} // namespace

const Verb reportVerb{
    .name = "report",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE [--hash] [--speed] [-o OUT]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Writes a text about a model for a thread about a fault"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli", "The program, the machine, the identity of the file, its architecture, types, shapes, "
                          "tokenizer, templates and\nfindings, as Markdown. It holds no folders of this computer."),
    .options = kReportOptions,
    .minArguments = 1,
    .maxArguments = 1,
    .run = runReport,
};

} // namespace gufo::cli
