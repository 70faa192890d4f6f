#include "cli/chat_turns.h"

#include "base/detail.h"
#include "base/try.h"
#include "cli/engine_choice.h"
#include "cli/progress_line.h"
#include "cli/text_input.h"
#include "text/conversation/conversation.h"
#include "text/conversation/format_derivation.h"
#include "text/template/chat_templates.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/problem_text.h"
#include "ui/report/json_writer.h"

#include <algorithm>

namespace gufo::cli {
namespace {

using Part = text::AnswerPiece::Part;

// The text of a template: one of the model's by name, a built-in one, or a file.
Expected<std::string> templateOf(const Model& model, const Invocation& invocation, Console& console) {
    const auto wanted = invocation.value("template");
    const auto templates = text::chatTemplates(model.metadata);
    const auto* chosen = wanted ? nullptr : text::chosenTemplate(templates, invocation.isSet("tools"));
    const std::string name = chosen != nullptr ? chosen->name : wanted.value_or(std::string(text::kDefaultTemplate));
    if (const auto found = std::ranges::find(templates, name, &text::ChatTemplate::name); found != templates.end()) {
        return std::string(found->source);
    }
    const auto usual = text::usualTemplates();
    if (const auto found = std::ranges::find(usual, name, &text::UsualTemplate::name); found != usual.end()) {
        return std::string(found->source);
    }
    if (wanted) {
        return readTextFile(*wanted, console);
    }
    return std::unexpected(console.fail(
        Cli::tr("%1: the model has no chat template; choose one with --template: a file, or chatml, alpaca or plain")
            .arg(ui::displayText(invocation.file().string()))));
}

Expected<text::ConversationOptions> variablesOf(const Invocation& invocation, Console& console) {
    text::ConversationOptions options;
    if (const auto tools = invocation.value("tools")) {
        options.tools =
            GUFO_TRY(tools->starts_with('@') ? readTextFile(tools->substr(1), console) : Expected<std::string>(*tools));
    }
    for (const std::string& argument : invocation.values("arg")) {
        const std::size_t equals = argument.find('=');
        if (equals == 0 || equals == std::string::npos) {
            return std::unexpected(
                console.fail(Cli::tr("chat: --arg takes NAME=JSON, not \"%1\"").arg(ui::displayText(argument))));
        }
        options.variables.emplace_back(argument.substr(0, equals), argument.substr(equals + 1));
    }
    return options;
}

// Reads --think, which needs a template whose thoughts have an end that can be written.
Expected<void> limitThoughts(const Invocation& invocation, const std::string& chatTemplate,
                             const inference::Responder& responder, GenerationOptions& options, Console& console) {
    const auto limit = invocation.number("think", 0, kMaxTokens);
    if (!limit) {
        return std::unexpected(console.fail(QStringLiteral("chat: ") + limit.error()));
    }
    if (!*limit) {
        return {};
    }
    if (chatTemplate.empty() || !responder.facts().offers(inference::Feature::AllLogits)) {
        return std::unexpected(
            console.fail(Cli::tr("chat: --think needs an engine that runs the model itself, not a server")));
    }
    text::TemplateRenderer renderer;
    const auto format = text::answerFormatOf(responder.facts().model->metadata, chatTemplate, renderer);
    if (format == nullptr || !format->hasThoughts()) {
        return std::unexpected(console.fail(
            Cli::tr("chat: --think: this chat template has no thoughts; leave the option out, or choose another "
                    "template with --template")));
    }
    options.settings.thoughtTokens = static_cast<std::uint32_t>(**limit);
    return {};
}

QString tokensText(std::size_t count) { return Cli::tr("%n tokens", nullptr, ui::numerus(count)); }

const char* partName(Part part) {
    return part == Part::Thought ? "thought" : part == Part::Text ? "text" : "tool_call";
}

} // namespace

Expected<ChatTurns> ChatTurns::start(const inference::Engine& engine, const Invocation& invocation, Console& console) {
    const auto session = GUFO_TRY(openOptionsOf(engine, invocation, "chat", console));
    auto options = GUFO_TRY(generationOptionsOf(invocation, "chat", console));
    auto variables = GUFO_TRY(variablesOf(invocation, console));
    auto responder = GUFO_TRY(openResponder(engine, invocation.file(), session, console));
    ChatTurns chat(invocation, console, std::move(responder));
    const inference::ResponderFacts& facts = chat.m_responder->facts();
    if (invocation.isSet("server-template")) {
        // A server that accepts conversations only applies its template anyway.
        if (facts.offers(inference::Feature::ChatTemplate) &&
            !checkOffered(*chat.m_responder, inference::Feature::EngineTemplate, "chat", "--server-template",
                          console)) {
            return std::unexpected(kFailed);
        }
        chat.m_byEngine = true;
    } else if (facts.offers(inference::Feature::ChatTemplate)) {
        chat.m_template = GUFO_TRY(templateOf(*facts.model, invocation, console));
        if (!variables.tools.empty() && !text::namesTools(chat.m_template)) {
            noteToolsLeftOut(console);
        }
    } else if (invocation.isSet("template") &&
               !checkOffered(*chat.m_responder, inference::Feature::ChatTemplate, "chat", "--template", console)) {
        return std::unexpected(kFailed);
    }
    GUFO_TRY(applyEngine(invocation, "chat", *chat.m_responder, options, console));
    GUFO_TRY(limitThoughts(invocation, chat.m_template, *chat.m_responder, options, console));
    chat.m_drafting = GUFO_TRY(drafterOf(invocation, "chat", *chat.m_responder, console));
    chat.m_options = std::move(options);
    chat.m_variables = std::move(variables);
    if (const auto system = invocation.value("system")) {
        chat.m_messages.push_back({.role = "system", .content = *system});
    }
    return chat;
}

inference::ResponseRequest ChatTurns::request() {
    inference::ResponseRequest request{.prompt = inference::ChatPrompt{.messages = m_messages,
                                                                       .options = m_variables,
                                                                       .chatTemplate = m_template,
                                                                       .byEngine = m_byEngine},
                                       .settings = m_options.settings,
                                       .grammar = m_options.grammar,
                                       .drafter = m_drafting.drafter,
                                       .mtpDrafts = m_drafting.mtp,
                                       .literalContent = m_options.literalContent};
    request.settings.sampler.seed += m_answers++;
    return request;
}

int ChatTurns::failTemplate(const text::TemplateProblem& problem) {
    const QString place =
        problem.line > 0 ? Cli::tr("line %1, column %2: ").arg(problem.line).arg(problem.column) : QString();
    return m_console.fail(
        Cli::tr("the chat template: %1%2").arg(place, ui::displayText(ui::templateProblemText(problem).toStdString())));
}

int ChatTurns::failResponse(const Error& error, const Cancellation& cancellation) {
    if (error.code == ErrorCode::InvalidArgument && error.args == Arguments{Detail::PromptWithoutTokens}) {
        return m_console.fail(Cli::tr("chat: the template renders the conversation to an empty text"));
    }
    if (error.code == ErrorCode::LimitExceeded && error.args.size() == 3 &&
        error.args.front() == Detail::ContextTokens) {
        return m_console.fail(Cli::tr("chat: the last message takes %n tokens, but the context holds only %1: use a "
                                      "larger --context",
                                      nullptr, ui::numerus(std::stoull(error.args[1].text())))
                                  .arg(ui::formatCount(std::stoull(error.args[2].text()))));
    }
    return failedOrCancelled(error, m_file, cancellation, m_console, serverKindOf(m_responder->facts()));
}

int ChatTurns::answer() {
    const Cancellation cancellation;
    text::AnswerParser parser({}, !m_variables.tools.empty());
    const bool seen = m_format != nullptr;
    m_told.reset();
    if (const auto columns = m_console.columns(); columns && !m_json) {
        m_shown.emplace(*columns);
    }
    auto line =
        std::make_unique<ProgressLine>(m_console, Cli::tr("reading the conversation"), ProgressLine::Unit::Tokens);
    inference::ResponseListener listener;
    std::vector<std::string> specials;
    listener.promptMade = [&](const inference::PromptFacts& prompt, const inference::ResponseFigures&) {
        m_format = prompt.format;
        parser = m_format != nullptr ? text::AnswerParser(m_format, prompt.text, m_variables.tools)
                                     : text::AnswerParser(prompt.text, !m_variables.tools.empty());
        specials = prompt.typedSpecials;
    };
    listener.promptRead = [&](const inference::ResponseFigures&) { line.reset(); };
    m_leftOut = {};
    listener.shortened = [&](std::size_t messages, std::size_t tokens) { m_leftOut = {messages, tokens}; };
    bool began = false;
    listener.piece = [&](const inference::ResponsePiece& piece, const inference::ResponseFigures&) {
        began = true;
        tell(parser.push(piece.shown));
        return !m_console.out().failed();
    };
    const auto response =
        m_responder->respond(request(), listener, {.stop = cancellation.token(), .progress = line->progress()});
    line.reset();
    if (!response && began) {
        m_console.out().writeLine();
    }
    if (!response) {
        return failResponse(response.error(), cancellation);
    }
    if (response->problem) {
        return failTemplate(*response->problem);
    }
    noteAnswer(*response, m_console);
    noteTypedSpecials(specials, m_console);
    tell(parser.push(response->rest));
    const auto reason = response->reason;
    tell(parser.finish(reason == inference::StopReason::EndToken || reason == inference::StopReason::StopText));
    text::Message answer = parser.message();
    answer.toolCalls = text::identifyCalls(std::move(answer.toolCalls), text::messagesJson(m_messages));
    tellEnd(answer, *response);
    if (!seen && m_format != nullptr && m_format->knowsTools && !m_variables.tools.empty() && !m_format->hasCalls()) {
        m_console.note(
            Cli::tr("this chat template does not show how tool calls are written; calls in an unusual format "
                    "appear as text"));
    }
    if (response->reason || began) {
        m_messages.push_back(answer);
    }
    return kDone;
}

QString ChatTurns::modelName() const {
    const auto name = m_responder->facts().model->metadata.string("general.name");
    return ui::displayText(name && !name->empty() ? std::string(*name) : m_file.filename().string());
}

// Writes the text byte for byte, unless standard output is a terminal.
void ChatTurns::write(const QString& text, Colour colour) {
    m_console.out().write(m_console.coloured(colour, m_shown ? m_shown->push(text) : text));
}

void ChatTurns::tell(const std::vector<text::AnswerPiece>& pieces) {
    Output& out = m_console.out();
    for (const text::AnswerPiece& piece : pieces) {
        if (m_json) {
            ui::JsonWriter json(out);
            json.beginObject();
            json.member("event", "piece");
            json.member("part", partName(piece.part));
            json.member("text", std::string_view(piece.text));
            json.endObject();
            json.endDocument();
        } else {
            if (m_told && *m_told != piece.part) {
                write(QStringLiteral("\n\n"), Colour::Plain);
            }
            write(QString::fromStdString(piece.text), piece.part == Part::Text      ? Colour::Plain
                                                      : piece.part == Part::Thought ? Colour::Dim
                                                                                    : Colour::Cyan);
            m_told = piece.part;
        }
    }
    if (!pieces.empty()) {
        out.flush();
    }
}

void ChatTurns::tellEnd(const text::Message& answer, const inference::Response& response) {
    const inference::ResponseFigures& figures = response.figures;
    const std::string stop = response.reason ? stopName(*response.reason) : "cancelled";
    const bool isRead = figures.readSeconds > 0;
    const std::size_t reused = isRead ? figures.promptTokens - std::min(figures.readTokens, figures.promptTokens) : 0;
    const double promptSpeed = perSecond(figures.batchedTokens, figures.batchedSeconds);
    const double generationSpeed = perSecond(figures.evaluatedTokens, figures.evaluationSeconds);
    Output& out = m_console.out();
    if (!m_json) {
        if (m_shown) {
            out.write(m_shown->finish());
        }
        if (figures.tokens > 0 || !m_shown) {
            out.writeLine();
        }
        out.flush();
        const QString cut = stop == "context_full"      ? Cli::tr("; the context is full")
                            : stop == "cancelled"       ? Cli::tr("; stopped")
                            : stop == "nothing_allowed" ? Cli::tr("; no token satisfies the grammar")
                            : stop == "content_filter"  ? Cli::tr("; the server's content filter has ended the answer")
                            : stop == "refusal"         ? Cli::tr("; the server has refused to answer")
                                                        : QString();
        const auto speed = [](double perSecond) {
            return perSecond > 0 ? Cli::tr(", %1 tokens/s").arg(ui::speedText(perSecond)) : QString();
        };
        if (m_leftOut.messages > 0) {
            m_console.note(
                Cli::tr("the %n oldest messages did not fit into the context and were left out; see --context", nullptr,
                        ui::numerus(m_leftOut.messages)));
        }
        if (m_leftOut.tokens > 0) {
            m_console.note(Cli::tr("%n older tokens of the answer did not fit into the context and were left out; see "
                                   "--context",
                                   nullptr, ui::numerus(m_leftOut.tokens)));
        }
        if (!m_stats) { // a pipe receives the answer only, unless the answer is incomplete
            if (!cut.isEmpty()) {
                m_console.note(cut.mid(2));
            }
            return;
        }
        m_console.note(Cli::tr("prompt: %1, %2 of them reused%3; answer: %4%5%6%7")
                           .arg(tokensText(figures.promptTokens), ui::formatCount(reused), speed(promptSpeed),
                                tokensText(figures.tokens), speed(generationSpeed), draftText(figures), cut));
        return;
    }
    ui::JsonWriter json(out);
    json.beginObject();
    json.member("event", "answer");
    json.member("content", std::string_view(answer.content));
    json.member("reasoning", std::string_view(answer.reasoning));
    json.key("tool_calls");
    json.json(answer.toolCalls.empty() ? std::string_view("[]") : std::string_view(answer.toolCalls));
    json.member("stop", std::string_view(stop));
    json.member("prompt_tokens", figures.promptTokens);
    json.member("reused_tokens", reused);
    json.member("tokens", figures.tokens);
    json.member("left_out_messages", m_leftOut.messages);
    json.member("left_out_tokens", m_leftOut.tokens);
    json.member("seed", m_options.settings.sampler.seed + m_answers - 1);
    json.member("prompt_tps", promptSpeed);
    json.member("generation_tps", generationSpeed);
    json.member("drafted", figures.draftedTokens);
    json.member("accepted", figures.acceptedTokens);
    writeRelaxed(m_options, json);
    json.endObject();
    json.endDocument();
    out.flush();
}

} // namespace gufo::cli
