#include "cli/model_access.h"

#include "base/try.h"
#include "cli/similar_name.h"
#include "cli/text_input.h"
#include "cli/text_table.h"
#include "convert/description.h"
#include "document/open_model.h"
#include "model/finding_code.h"
#include "text/template/chat_templates.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/finding_text.h"
#include "ui/messages/problem_text.h"
#include "validate/fixes.h"

#include <algorithm>

namespace gufo::cli {
namespace {

Colour severityColour(Severity severity) {
    switch (severity) {
    case Severity::Note:
        return Colour::Cyan;
    case Severity::Warning:
        return Colour::Yellow;
    case Severity::Error:
        break;
    }
    return Colour::Red;
}

} // namespace

Expected<std::shared_ptr<const Model>> openModelOf(const Invocation& invocation, Console& console) {
    auto model = openModel(invocation.place());
    if (!model) {
        return std::unexpected(console.fail(std::move(model.error()), invocation.file()));
    }
    return std::move(*model);
}

Expected<std::shared_ptr<const Model>> openTextModelOf(const Invocation& invocation, Console& console) {
    auto model = GUFO_TRY(openModelOf(invocation, console));
    auto described = convert::describeVocabulary(std::move(model));
    return described ? Expected<std::shared_ptr<const Model>>(*std::move(described))
                     : std::unexpected(console.fail(std::move(described).error(), invocation.file()));
}

Expected<TensorIndex> findTensorOf(const Model& model, const std::string& name, Console& console) {
    const auto index = model.findTensor(name);
    if (!index) {
        return std::unexpected(
            failNaming(fail(ErrorCode::NoSuchTensor, {}, {name}).error(), model, model.path(), console));
    }
    return *index;
}

int failNaming(const Error& error, const Model& model, const std::filesystem::path& file, Console& console) {
    const std::string typed = error.args.empty() ? std::string() : error.args.front().text();
    const std::string_view meant = error.code == ErrorCode::NoSuchKey      ? similarKey(typed, model)
                                   : error.code == ErrorCode::NoSuchTensor ? similarTensor(typed, model)
                                                                           : std::string_view();
    if (meant.empty()) {
        return console.fail(error, file);
    }
    Error named = error;
    named.file = named.file.empty() ? file : named.file;
    return console.fail(QStringLiteral("%1. %2").arg(ui::errorLine(named), didYouMean(meant)));
}

std::expected<text::TensorFilter, QString> tensorFilterOf(const Invocation& invocation) {
    const auto value = invocation.value("filter");
    const QString typed = value ? QString::fromUtf8(value->data(), static_cast<qsizetype>(value->size())) : QString();
    auto filter = text::TensorFilter::parse(typed);
    return filter ? std::expected<text::TensorFilter, QString>(*std::move(filter))
                  : std::unexpected(QStringLiteral("--filter: ") + ui::filterProblemText(filter.error()));
}

void noteToolsLeftOut(Console& console) {
    console.note(Cli::tr("The chat template does not support tools: the model does not see those of --tools."));
}

int checkDamage(const Model& model, Console& console) {
    for (const ModelFile& file : model.files) {
        if (const auto damage = file.source != nullptr ? file.source->damage() : std::nullopt) {
            return console.fail(*damage, file.path);
        }
    }
    return kDone;
}

int failedOrCancelled(const Error& error, const std::filesystem::path& file, const Cancellation& cancellation,
                      Console& console, ui::ServerKind server) {
    const int code = console.fail(error, file, server);
    return error.code == ErrorCode::Cancelled ? cancellation.exitCode() : code;
}

void printFindings(Console& console, std::span<const Finding> findings, const Model* model) {
    QString hint; // of the findings printed last
    const auto printHint = [&] {
        if (!hint.isEmpty()) {
            console.out().writeLine(QStringLiteral("    ") + console.coloured(Colour::Dim, hint));
        }
    };
    for (const Finding& finding : findings) {
        QString next = ui::findingHint(finding);
        const auto addCommand = [&](const QString& command) {
            next += (next.isEmpty() ? QString() : QStringLiteral(" ")) + Cli::tr("To do so: %1").arg(command);
        };
        if (model != nullptr && isMendedByCopy(finding.code)) {
            addCommand(QStringLiteral("gufo-cli convert FILE NEW"));
        } else if (model != nullptr && !fixFor(finding, *model).empty()) {
            const std::string_view name = finding.name();
            addCommand(QStringLiteral("gufo-cli set FILE --repair %1")
                           .arg(QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()))));
        } else if (model != nullptr && finding.code == FindingCode::TemplateBroken) {
            addCommand(QStringLiteral("gufo-cli set FILE --file %1=TEMPLATE").arg(ui::displayText(finding.place.name)));
        }
        if (next != hint) {
            printHint();
            hint = std::move(next);
        }
        const QString severity = QString::fromLatin1(severityName(finding.severity()).data());
        const QString message = ui::findingMessage(finding);
        const bool saysItself = !finding.place.index && !finding.place.part && !finding.place.offset &&
                                message.startsWith(ui::displayText(finding.place.name));
        const QString place = saysItself ? QString() : ui::placeText(finding.place);
        console.out().writeLine(QStringLiteral("  ") + console.coloured(severityColour(finding.severity()), severity) +
                                QStringLiteral(": ") + (place.isEmpty() ? QString() : place + QStringLiteral(": ")) +
                                message);
    }
    printHint();
}

Expected<ChosenTemplate> chosenTemplate(const Model& model, const Invocation& invocation, bool tools,
                                        Console& console) {
    const auto templates = text::chatTemplates(model.metadata);
    const auto* chosen = text::chosenTemplate(templates, tools);
    const std::string name =
        invocation.value("template").value_or(chosen != nullptr ? chosen->name : std::string(text::kDefaultTemplate));
    const auto found = std::ranges::find(templates, name, &text::ChatTemplate::name);
    if (found != templates.end()) {
        return ChosenTemplate{found->name, std::string(found->key), std::string(found->source)};
    }
    const std::filesystem::path path = name.starts_with('@') ? name.substr(1) : name;
    std::error_code error;
    if (name.starts_with('@') || path.has_parent_path() || std::filesystem::exists(path, error)) {
        auto source = GUFO_TRY(readTextFile(path, console));
        return Expected<ChosenTemplate>(ChosenTemplate{path.native(), std::nullopt, std::move(source)});
    }
    return std::unexpected(failNaming(fail(ErrorCode::NoSuchKey, {}, {text::chatTemplateKey(name)}).error(), model,
                                      invocation.file(), console));
}

} // namespace gufo::cli
