#include "validate/validate.h"

#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/progress_line.h"
#include "cli/text_table.h"
#include "cli/verb.h"
#include "document/open_model.h"
#include "model/file_naming.h"
#include "pairing/neighbours.h"
#include "text/audit/template_findings.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/finding_text.h"
#include "ui/report/json_model.h"
#include "ui/report/model_card.h"
#include "validate/of_base.h"

#include <algorithm>
#include <array>

namespace gufo::cli {
namespace {

constexpr std::string_view kOfBase = "of_base"; // the check with another model

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

bool isReady(const Tally& counts) { return counts.errors + counts.warnings == 0; }

void writePublishing(ui::JsonWriter& json, const Model& model, const std::vector<NeighbourModel>& neighbours,
                     const Tally& counts) {
    json.member("ready", isReady(counts));
    const auto name = suggestedFileName(model);
    json.member("suggested_name", name ? std::optional<std::string_view>(*name) : std::nullopt);
    json.key("files");
    json.beginArray(ui::JsonWriter::Layout::Block);
    for (const NeighbourModel& neighbour : neighbours) {
        const ui::CardFile file = ui::cardFile(neighbour.model);
        const bool same = neighbour.sameModel;
        json.beginObject();
        json.member("name", std::string_view(file.name));
        json.member("type", std::string_view(file.type));
        json.member("bytes", file.bytes);
        json.member("bits_per_weight", file.bitsPerWeight);
        json.member("memory", file.memory);
        json.member("kind", same ? fileKindName(fileKind(*neighbour.model)) : pairKindName(neighbour.pairing.kind));
        json.member("fits", same ? std::nullopt : std::optional(pairVerdictName(neighbour.pairing.verdict())));
        json.endObject();
    }
    json.endArray();
}

void printPublishing(const Model& model, const std::vector<NeighbourModel>& neighbours, const Tally& counts,
                     Console& console) {
    TextTable table({{Cli::tr("File"), Align::Left, true},
                     {Cli::tr("Type")},
                     {Cli::tr("Size"), Align::Right},
                     {Cli::tr("Bits per weight"), Align::Right},
                     {Cli::tr("Memory"), Align::Right}});
    for (const NeighbourModel& neighbour : neighbours) {
        const ui::CardFile file = ui::cardFile(neighbour.model);
        table.addRow({ui::displayText(file.name), ui::displayText(file.type), ui::formatBytes(file.bytes),
                      file.bitsPerWeight ? ui::formatBitsPerWeight(*file.bitsPerWeight) : QStringLiteral("–"),
                      file.memory ? ui::formatBytes(*file.memory) : QStringLiteral("–")});
    }
    table.print(console);
    for (const NeighbourModel& neighbour : neighbours) {
        if (!neighbour.sameModel) {
            console.out().writeLine(QStringLiteral("%1 (%2): %3")
                                        .arg(ui::displayText(neighbour.model->files.front().path.filename().native()),
                                             ui::pairKindText(neighbour.pairing.kind),
                                             ui::pairVerdictText(neighbour.pairing.verdict())));
        }
    }
    if (const auto name = suggestedFileName(model)) {
        console.out().writeLine(Cli::tr("Name by the convention: %1").arg(ui::displayText(*name)));
    }
    console.out().writeLine(isReady(counts) ? Cli::tr("Ready to publish.")
                                            : Cli::tr("Not ready to publish: there are warnings or errors."));
}

void printJson(const Model& model, const Validation& validation,
               const std::optional<std::vector<NeighbourModel>>& publish, const Tally& counts, Output& out) {
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
    if (publish) {
        writePublishing(json, model, *publish, counts);
    }
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
    if (notRun(kOfBase)) {
        console.out().writeLine(Cli::tr(
            "Not judged: whether the weights are those of the base model, which has no tensors of these names and "
            "shapes"));
    }
    if (notRun("chat_template_syntax") || notRun("chat_template_audit")) {
        console.out().writeLine(
            Cli::tr("Not run: the check of chat templates, because gufo-render-helper did not respond"));
    }
}

struct Checked {
    Validation validation;
    std::optional<std::vector<NeighbourModel>> publish; // with --publish
};

// `base` is the model that it is said to be quantised from; null: it is compared with none.
Result<Checked> checkWithProgress(const std::shared_ptr<const Model>& model, const ValidateOptions& options,
                                  const std::shared_ptr<const Model>& base, const Console& console,
                                  const Cancellation& cancellation) {
    ProgressLine line(console, Cli::tr("reading weights"));
    const JobContext job{.stop = cancellation.token(), .progress = line.progress()};
    Checked checked{.validation = GUFO_TRY(validate(*model, options, job)), .publish = {}};
    if (base != nullptr) {
        auto compared = GUFO_TRY(compareWithBase(*model, *base, job));
        Validation& validation = checked.validation;
        if (compared.compared == 0) {
            validation.checksNotRun.push_back(kOfBase);
        } else if (compared.findings.empty()) {
            ++validation.checksPassed;
        }
        std::ranges::move(compared.findings, std::back_inserter(validation.findings));
    }
    GUFO_TRY(addNeighbourFindings(model, checked.validation, {.stop = cancellation.token()}));
    if (options.publish) {
        checked.publish = GUFO_TRY(neighboursOf(model, {.stop = cancellation.token()}));
    }
    return checked;
}

constexpr auto kValidateOptions = std::to_array<OptionFact>({
    {"deep", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "also search all weights for NaN and infinity")},
    {"base", QT_TRANSLATE_NOOP("gufo::cli::Cli", "PATH"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "also compare weights with the model from which the file is said to be quantised: a GGUF file "
                       "with the same names of tensors")},
    {"publish", "",
     QT_TRANSLATE_NOOP(
         "gufo::cli::Cli",
         "also check what readers of a page on a hub need: licence, links, base models, languages, names, "
         "sampling defaults; list the quantisations and the projectors and drafts of the folder")},
});

int runValidate(const Invocation& invocation, Console& console) {
    const Cancellation cancellation;
    const auto model = openModelOf(invocation, console);
    if (!model) {
        return model.error();
    }
    std::shared_ptr<const Model> base;
    if (const auto path = invocation.value("base")) {
        auto opened = openModel(hub::ModelPlace::parse(*path), {.stop = cancellation.token()});
        if (!opened) {
            return failedOrCancelled(opened.error(), *path, cancellation, console);
        }
        base = *std::move(opened);
    }
    const auto checked = checkWithProgress(*model,
                                           {.deep = invocation.isSet("deep"),
                                            .chatTemplates = text::checkChatTemplates,
                                            .templateAudit = text::auditFindings,
                                            .publish = invocation.isSet("publish")},
                                           base, console, cancellation);
    if (!checked) {
        return failedOrCancelled(checked.error(), invocation.file(), cancellation, console);
    }
    const Tally counts = tally(checked->validation.findings);
    if (invocation.json()) {
        printJson(**model, checked->validation, checked->publish, counts, console.out());
    } else {
        printText(**model, checked->validation, counts, console);
        if (checked->publish) {
            printPublishing(**model, *checked->publish, counts, console);
        }
    }
    if (const int damaged = checkDamage(**model, console); damaged != kDone) {
        return damaged;
    }
    // Whoever asks about a base is not told "yes" where nothing could be compared.
    const auto& notRun = checked->validation.checksNotRun;
    const bool isJudged = std::ranges::find(notRun, kOfBase) == notRun.end();
    return isReady(counts) && isJudged ? kDone : kFound;
}

} // namespace

const Verb validateVerb{
    .name = "validate",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE [--deep] [--base PATH] [--publish]"),
    .summary =
        QT_TRANSLATE_NOOP("gufo::cli::Cli", "Checks a model: lists what is wrong or unusual, where, and how to fix it"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli", "The exit code is 1 if there is a warning or an error, or if nothing could be compared with "
                          "the base model."),
    .options = kValidateOptions,
    .minArguments = 1,
    .maxArguments = 1,
    .run = runValidate,
    .takesAddress = true,
};

} // namespace gufo::cli
