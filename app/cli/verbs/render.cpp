#include "cli/cancellation.h"
#include "cli/console.h"
#include "cli/invocation.h"
#include "cli/model_access.h"
#include "cli/text_input.h"
#include "cli/verb.h"
#include "text/template/chat_templates.h"
#include "text/template/json_rewrite.h"
#include "text/template/template_renderer.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/problem_text.h"
#include "ui/report/json_writer.h"

#include <array>

namespace gufo::cli {
namespace {

// Every template accepts this conversation: it has no system message, and its roles alternate.
constexpr const char* kConversation = R"([{"role": "user", "content": "Hello!"},
 {"role": "assistant", "content": "Hi, how can I help you?"},
 {"role": "user", "content": "What is an owl?"}])";

// The JSON text of an option, or of the file that it names.
Expected<QString> jsonOf(const Invocation& invocation, const char* option, const QString& otherwise, Console& console) {
    const auto value = invocation.value(option);
    if (!value) {
        return otherwise;
    }
    if (!value->starts_with('@')) {
        return QString::fromUtf8(value->c_str(), static_cast<qsizetype>(value->size()));
    }
    const auto text = GUFO_TRY(readTextFile(value->substr(1), console));
    return Expected<QString>(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())));
}

Expected<text::RenderRequest> requestOf(const Model& model, const Invocation& invocation, Console& console) {
    const auto messages = jsonOf(invocation, "messages", QString::fromUtf8(kConversation), console);
    const auto tools = GUFO_TRY(messages ? jsonOf(invocation, "tools", QString(), console) : messages);
    text::RenderRequest request;
    request.variables = text::standardVariables(*messages, tools, !invocation.isSet("no-generation-prompt"));
    for (const auto& [name, token] : text::specialTokenTexts(model.metadata)) {
        request.variables.emplace_back(QString::fromStdString(name), QString::fromStdString(text::jsonString(token)));
    }
    for (const std::string& argument : invocation.values("arg")) {
        const QString text = QString::fromStdString(argument);
        const qsizetype equals = text.indexOf(QLatin1Char('='));
        if (equals <= 0) {
            return std::unexpected(
                console.fail(Cli::tr("render: --arg takes NAME=JSON, not \"%1\"").arg(ui::displayText(argument))));
        }
        request.variables.emplace_back(text.left(equals), text.mid(equals + 1));
    }
    return request;
}

QString placeOf(const text::TemplateProblem& problem) {
    return problem.line > 0 ? Cli::tr("line %1, column %2: ").arg(problem.line).arg(problem.column) : QString();
}

void printJson(const ChosenTemplate& source, const text::Rendering& rendering, Output& out) {
    ui::JsonWriter json(out);
    json.beginObject();
    json.member("template", std::string_view(source.name));
    json.member("key", source.key);
    json.member("text", *rendering.text);
    json.key("problems");
    json.beginArray();
    for (const text::TemplateProblem& problem : rendering.problems) {
        json.beginObject();
        json.member("code", problem.code);
        json.member("message", ui::templateProblemText(problem));
        json.member("line", problem.line);
        json.member("column", problem.column);
        json.endObject();
    }
    json.endArray();
    json.endObject();
    json.endDocument();
}

void printText(const QString& text, Console& console) {
    console.out().write(text);
    if (console.outIsTerminal() && !text.endsWith(QLatin1Char('\n'))) {
        console.out().writeLine();
    }
}

text::Rendering render(text::RenderRequest request, const Cancellation& cancellation) {
    return text::renderAndWait(std::move(request), cancellation.token());
}

constexpr auto kRenderOptions = std::to_array<OptionFact>({
    {"template", QT_TRANSLATE_NOOP("gufo::cli::Cli", "NAME|FILE"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "name of the model's template to use, of which \"default\" is "
                                         "tokenizer.chat_template; or a file with a template (@FILE if a template of "
                                         "the model has the same name)")},
    {"messages", QT_TRANSLATE_NOOP("gufo::cli::Cli", "JSON"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "a list of {\"role\", \"content\"}, or @FILE; default: a short conversation")},
    {"tools", QT_TRANSLATE_NOOP("gufo::cli::Cli", "JSON"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "a list of tools, or @FILE")},
    {"arg", QT_TRANSLATE_NOOP("gufo::cli::Cli", "NAME=JSON"),
     QT_TRANSLATE_NOOP("gufo::cli::Cli",
                       "an additional template variable, such as enable_thinking=false; may be repeated")},
    {"no-generation-prompt", "",
     QT_TRANSLATE_NOOP("gufo::cli::Cli", "do not append the beginning of the assistant's answer")},
});

int runRender(const Invocation& invocation, Console& console) {
    const auto model = openTextModelOf(invocation, console);
    if (!model) {
        return model.error();
    }
    const auto source = chosenTemplate(**model, invocation, invocation.isSet("tools"), console);
    if (!source) {
        return source.error();
    }
    auto request = requestOf(**model, invocation, console);
    if (!request) {
        return request.error();
    }
    if (invocation.isSet("tools") && !text::namesTools(source->source)) {
        noteToolsLeftOut(console);
    }
    request->source = QString::fromUtf8(source->source.data(), static_cast<qsizetype>(source->source.size()));
    const Cancellation cancellation;
    const text::Rendering rendering = render(*std::move(request), cancellation);
    if (!rendering.text) {
        if (cancellation.token().stop_requested()) {
            return failedOrCancelled(fail(ErrorCode::Cancelled).error(), invocation.file(), cancellation, console);
        }
        const QString message = placeOf(*rendering.error) + ui::templateProblemText(*rendering.error);
        const QString text = ui::displayText(message.toStdString());
        return console.fail(
            source->key ? QStringLiteral("%1: %2: %3")
                              .arg(ui::displayText(invocation.file().string()), ui::displayText(*source->key), text)
                        : QStringLiteral("%1: %2").arg(ui::displayText(source->name), text));
    }
    if (invocation.json()) {
        printJson(*source, rendering, console.out());
    } else {
        printText(*rendering.text, console);
        for (const text::TemplateProblem& problem : rendering.problems) {
            console.note(placeOf(problem) + ui::templateProblemText(problem));
        }
    }
    return checkDamage(**model, console);
}

} // namespace

const Verb renderVerb{
    .name = "render",
    .arguments = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "FILE [--template NAME|FILE] [--messages JSON|@FILE] [--tools JSON|@FILE] [--arg NAME=JSON]…"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Renders a conversation with the chat template"),
    .details = QT_TRANSLATE_NOOP(
        "gufo::cli::Cli",
        "Renders as Hugging Face transformers does: Jinja2 with trim_blocks and lstrip_blocks. The text is written "
        "byte for byte\n(with a line break after it only on a terminal). A template may use 1 s and 400 MB."),
    .options = kRenderOptions,
    .minArguments = 1,
    .maxArguments = 1,
    .run = runRender,
    .takesAddress = true,
};

} // namespace gufo::cli
