#include "validate/validate.h"

#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/progress_line.h"
#include "cli/verb.h"
#include "text/template/template_findings.h"
#include "ui/messages/figure_text.h"
#include "ui/report/json_model.h"

#include <algorithm>
#include <array>

namespace gufo::cli {
namespace {

struct Tally {
    std::uint64_t errors = 0;
    std::uint64_t warnings = 0;
    std::uint64_t notes = 0;
};

Tally tally(std::span<const Finding> findings) {
    const auto count = [&](Severity severity) {
        return static_cast<std::uint64_t>(std::ranges::count(findings, severity, &Finding::severity));
    };
    return {count(Severity::Error), count(Severity::Warning), count(Severity::Note)};
}

void printJson(const Validation& validation, const Tally& counts, Output& out) {
    ui::JsonWriter json(out);
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.key("findings");
    ui::writeFindings(json, validation.findings);
    json.member("errors", counts.errors);
    json.member("warnings", counts.warnings);
    json.member("notes", counts.notes);
    json.member("checks_passed", validation.checksPassed);
    const auto list = [&](const char* key, const std::vector<std::string_view>& checks) {
        json.key(key);
        json.beginArray();
        for (const std::string_view check : checks) {
            json.value(check);
        }
        json.endArray();
    };
    list("checks_not_run", validation.checksNotRun);
    list("checks_not_applicable", validation.checksWithoutCase);
    json.endObject();
    json.endDocument();
}

void printText(const Model& model, const Validation& validation, const Tally& counts, Console& console) {
    printFindings(console, validation.findings, &model);
    console.out().writeLine(Cli::tr("Errors: %1, warnings: %2, notes: %3; checks passed: %4")
                                .arg(counts.errors)
                                .arg(counts.warnings)
                                .arg(counts.notes)
                                .arg(validation.checksPassed));
    const auto notRun = [&](std::string_view check) {
        return std::ranges::find(validation.checksNotRun, check) != validation.checksNotRun.end();
    };
    if (notRun("weights_finite")) {
        console.out().writeLine(Cli::tr("Not run: the search for NaN and infinity, which reads all weights (--deep)"));
    }
    if (notRun("needed_tensors")) {
        console.out().writeLine(Cli::tr("Not judged: whether all tensors are there that the model needs, because parts "
                                        "are missing or the architecture is not known to Gufo's engine"));
    }
    if (notRun("chat_template_syntax")) {
        console.out().writeLine(
            Cli::tr("Not run: the check of chat templates, because gufo-render-helper did not respond"));
    }
}

Result<Validation> validateWithProgress(const Model& model, const ValidateOptions& options, const Console& console,
                                        const Cancellation& cancellation) {
    ProgressLine line(console, Cli::tr("reading weights"));
    return validate(model, options, {.stop = cancellation.token(), .progress = line.progress()});
}

constexpr auto kValidateOptions = std::to_array<OptionFact>({
    {"deep", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "also search all weights for NaN and infinity")},
});

int runValidate(const Invocation& invocation, Console& console) {
    const Cancellation cancellation;
    const auto model = openModelOf(invocation, console);
    if (!model) {
        return model.error();
    }
    const auto validation = validateWithProgress(
        **model, {.deep = invocation.isSet("deep"), .chatTemplates = text::checkChatTemplates}, console, cancellation);
    if (!validation) {
        return failedOrCancelled(validation.error(), invocation.file(), cancellation, console);
    }
    const Tally counts = tally(validation->findings);
    if (invocation.json()) {
        printJson(*validation, counts, console.out());
    } else {
        printText(**model, *validation, counts, console);
    }
    if (const int damaged = checkDamage(**model, console); damaged != kDone) {
        return damaged;
    }
    return counts.errors + counts.warnings > 0 ? kFound : kDone;
}

} // namespace

const Verb validateVerb{
    .name = "validate",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE [--deep]"),
    .summary =
        QT_TRANSLATE_NOOP("gufo::cli::Cli", "Checks a model: lists what is wrong or unusual, where, and how to fix it"),
    .details = QT_TRANSLATE_NOOP("gufo::cli::Cli", "The exit code is 1 if there is a warning or an error."),
    .options = kValidateOptions,
    .minArguments = 1,
    .maxArguments = 1,
    .run = runValidate,
    .takesAddress = true,
};

} // namespace gufo::cli
