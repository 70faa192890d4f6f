#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/progress_line.h"
#include "cli/text_input.h"
#include "cli/verb.h"
#include "convert/description.h"
#include "document/open_model.h"
#include "text/audit/template_audit.h"
#include "text/template/chat_templates.h"
#include "text/tokenizer/tokenizer.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/template_text.h"
#include "ui/report/json_writer.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace gufo::cli {
namespace {

using text::AuditFinding;
using text::AuditKind;
using text::TemplateAudit;

// The template of the base model: of a file with a model, or of a folder or a file with a template. Errors are printed.
Expected<std::string> baseTemplate(const hub::ModelPlace& place, Console& console) {
    if (const auto* path = place.localPath()) {
        std::error_code error;
        const std::filesystem::path inFolder = *path / "chat_template.jinja";
        if (std::filesystem::exists(inFolder, error)) {
            return readTextFile(inFolder, console);
        }
        if (path->extension() == ".jinja") {
            return readTextFile(*path, console);
        }
    }
    auto model = openModel(place);
    auto described = model ? convert::describeVocabulary(*std::move(model)) : std::move(model);
    if (!described) {
        return std::unexpected(console.fail(std::move(described).error(), place.keptText()));
    }
    const auto templates = text::chatTemplates((*described)->metadata);
    if (templates.empty()) {
        return std::unexpected(
            console.fail(fail(ErrorCode::NoSuchKey, {}, {text::kChatTemplateKey}).error(), place.keptText()));
    }
    return std::string(templates.front().source);
}

// What is audited: one template, or all that the model has.
Expected<std::vector<ChosenTemplate>> templatesOf(const Model& model, const Invocation& invocation, Console& console) {
    std::vector<ChosenTemplate> chosen;
    if (!invocation.isSet("template")) {
        for (const text::ChatTemplate& each : text::chatTemplates(model.metadata)) {
            chosen.push_back({each.name, std::string(each.key), std::string(each.source)});
        }
    }
    if (chosen.empty()) {
        chosen.push_back(GUFO_TRY(chosenTemplate(model, invocation, false, console)));
    }
    return chosen;
}

void append(TemplateAudit& all, TemplateAudit one, const std::string& name) {
    for (auto list : {&TemplateAudit::threats, &TemplateAudit::faults}) {
        for (AuditFinding& finding : one.*list) {
            finding.templateName = name;
            (all.*list).push_back(std::move(finding));
        }
    }
    if (all.isJudged()) {
        all.reason = one.reason;
    }
    if (all.family.empty()) {
        all.family = std::move(one.family);
        all.changedLines = std::move(one.changedLines);
        all.missingPieces = one.missingPieces;
    }
    all.renderings += one.renderings;
}

std::optional<std::string_view> unlessEmpty(std::string_view text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

void writeWitness(ui::JsonWriter& json, const std::optional<text::AuditWitness>& witness) {
    json.key("witness");
    if (!witness) {
        json.null();
        return;
    }
    json.beginObject(ui::JsonWriter::Layout::Block);
    for (const auto& [name, side] : {std::pair{"a", &witness->a}, std::pair{"b", &witness->b}}) {
        json.key(name);
        json.json(side->messages);
    }
    json.member("rendered_a", std::string_view(witness->a.rendered));
    json.member("rendered_b", std::string_view(witness->b.rendered));
    json.key("tools");
    witness->b.tools.empty() ? json.null() : json.json(witness->b.tools);
    json.member("date_a", witness->a.date.toString(Qt::ISODate));
    json.member("date_b", witness->b.date.toString(Qt::ISODate));
    json.member("forced_line", witness->forced ? std::optional(witness->forced->line) : std::nullopt);
    json.endObject();
}

void writeFinding(ui::JsonWriter& json, const AuditFinding& finding) {
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("code", finding.name());
    if (finding.kind() != AuditKind::Threat) {
        json.member("severity", text::auditKindName(finding.kind()));
    }
    json.member("template", std::string_view(finding.templateName));
    json.member("line", finding.line > 0 ? std::optional(finding.line) : std::nullopt);
    json.member("text", ui::auditMessage(finding));
    if (finding.kind() != AuditKind::Threat) {
        const QString repair = ui::auditRepair(finding);
        json.member("repair", repair.isEmpty() ? std::nullopt : std::optional(repair));
    }
    writeWitness(json, finding.witness);
    json.endObject();
}

void printJson(const TemplateAudit& audit, Output& out) {
    ui::JsonWriter json(out);
    json.beginObject(ui::JsonWriter::Layout::Block);
    json.member("judged", audit.isJudged());
    json.member("reason", unlessEmpty(text::unjudgedName(audit.reason)));
    json.member("family", unlessEmpty(audit.family));
    json.key("changed_lines");
    json.beginArray();
    for (const int line : audit.changedLines) {
        json.value(line);
    }
    json.endArray();
    for (const auto& [name, list] : {std::pair{"threats", &audit.threats}, std::pair{"faults", &audit.faults}}) {
        json.key(name);
        json.beginArray(ui::JsonWriter::Layout::Block);
        for (const AuditFinding& finding : *list) {
            writeFinding(json, finding);
        }
        json.endArray();
    }
    json.endObject();
    json.endDocument();
}

// A rendering around its first difference from another.
void printSide(const QString& title, std::string_view rendered, std::string_view other, Console& console) {
    constexpr std::size_t kAround = 60;
    constexpr std::size_t kShown = 240;
    std::size_t at = 0;
    while (at < std::min(rendered.size(), other.size()) && rendered[at] == other[at]) {
        ++at;
    }
    const std::size_t begin = at > kAround ? at - kAround : 0;
    const QString shown = ui::displayText(std::string(rendered.substr(begin, kShown)));
    console.out().writeLine(QStringLiteral("      ") + title + (begin > 0 ? QStringLiteral("…") : QString()) + shown);
}

void printFinding(const AuditFinding& finding, bool named, Console& console) {
    const Colour colour = finding.kind() == AuditKind::Threat || finding.kind() == AuditKind::Error ? Colour::Red
                          : finding.kind() == AuditKind::Warning                                    ? Colour::Yellow
                                                                                                    : Colour::Cyan;
    const QString kind = finding.kind() == AuditKind::Threat    ? Cli::tr("threat")
                         : finding.kind() == AuditKind::Error   ? Cli::tr("error")
                         : finding.kind() == AuditKind::Warning ? Cli::tr("warning")
                                                                : Cli::tr("note");
    QString place = named ? ui::displayText(finding.templateName) + QStringLiteral(": ") : QString();
    if (finding.line > 0) {
        place += Cli::tr("line %1: ").arg(finding.line);
    }
    console.out().writeLine(console.coloured(colour, kind) + QStringLiteral(": ") + place +
                            ui::displayText(ui::auditMessage(finding).toStdString()));
    if (const QString repair = ui::auditRepair(finding); !repair.isEmpty()) {
        console.out().writeLine(QStringLiteral("    ") + repair);
    }
    if (finding.kind() == AuditKind::Threat && finding.witness) {
        printSide(Cli::tr("without: "), finding.witness->a.rendered, finding.witness->b.rendered, console);
        printSide(Cli::tr("with:    "), finding.witness->b.rendered, finding.witness->a.rendered, console);
    }
}

void printText(const TemplateAudit& audit, bool named, Console& console) {
    if (const QString family = ui::familyText(audit); !family.isEmpty()) {
        console.out().writeLine(family);
    }
    for (const auto* list : {&audit.threats, &audit.faults}) {
        for (const AuditFinding& finding : *list) {
            printFinding(finding, named, console);
        }
    }
    if (audit.isJudged()) {
        console.out().writeLine(Cli::tr("Threats: %1, faults: %2; renderings compared: %3")
                                    .arg(audit.threats.size())
                                    .arg(audit.faults.size())
                                    .arg(audit.renderings));
    } else {
        console.out().writeLine(Cli::tr("The template could not be judged: %1").arg(ui::unjudgedText(audit.reason)));
    }
}

constexpr auto kAuditOptions = std::to_array<OptionFact>({
    {"template", QT_TRANSLATE_NOOP("gufo::cli::Cli", "NAME|FILE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "name of the model's template to audit, or a file with a template; default: all "
                       "templates of the model")},
    {"against", QT_TRANSLATE_NOOP("gufo::cli::Cli", "BASE|DIR"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "the base model, its folder, or a file with its template: sentences that it does not have are "
                       "threats")},
});

int runAudit(const Invocation& invocation, Console& console) {
    const auto model = openTextModelOf(invocation, console);
    if (!model) {
        return model.error();
    }
    const auto templates = templatesOf(**model, invocation, console);
    if (!templates) {
        return templates.error();
    }
    std::optional<std::string> base;
    if (const auto against = invocation.value("against")) {
        auto read = baseTemplate(hub::ModelPlace::parse(*against), console);
        if (!read) {
            return read.error();
        }
        base = *std::move(read);
    }
    const Cancellation cancellation;
    const auto tokenizer = text::makeTokenizer(**model); // without a vocabulary, its tokens are not judged
    TemplateAudit audit;
    {
        ProgressLine line(console, Cli::tr("rendering conversations"));
        const JobContext job{.stop = cancellation.token(), .progress = line.progress()};
        for (const ChosenTemplate& each : *templates) {
            text::TemplateRenderer renderer;
            auto one = text::auditTemplate((*model)->metadata, each.source, renderer,
                                           {.base = base, .tokenizer = tokenizer ? tokenizer->get() : nullptr}, job);
            if (!one) {
                return failedOrCancelled(one.error(), invocation.file(), cancellation, console);
            }
            append(audit, *std::move(one), each.name);
        }
    }
    if (invocation.json()) {
        printJson(audit, console.out());
    } else {
        printText(audit, templates->size() > 1, console);
    }
    if (const int damaged = checkDamage(**model, console); damaged != kDone) {
        return damaged;
    }
    return audit.isClean() ? kDone : kFound;
}

} // namespace

const Verb auditVerb{
    .name = "audit",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE [--template NAME|FILE] [--against BASE|DIR]"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Looks for threats and faults in the chat template"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "A threat is text that depends on the words of messages, on their number or on the date, or a message that is "
        "changed, repeated or\ngiven another role. Each is shown with two conversations that differ only there "
        "(--json).\n"
        "The exit code is 1 if there is a threat or a fault of the severity error, or if a template cannot be judged."),
    .options = kAuditOptions,
    .minArguments = 1,
    .maxArguments = 1,
    .run = runAudit,
    .takesAddress = true,
};

} // namespace gufo::cli
