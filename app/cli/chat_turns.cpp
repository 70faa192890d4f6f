#include "cli/chat_turns.h"

#include "cli/progress_line.h"
#include "cli/text_input.h"
#include "text/template/chat_templates.h"
#include "ui/messages/error_text.h"
#include "ui/messages/format.h"
#include "ui/messages/speed_text.h"
#include "ui/messages/template_text.h"
#include "ui/report/json_writer.h"

#include <algorithm>

namespace gufo::cli {
namespace {

using Part = text::AnswerPiece::Part;

// A template of the model by its name, one of the usual ones, or a file.
Expected<std::string> templateOf(const Model& model, const Invocation& invocation, Console& console) {
    const auto wanted = invocation.value("template");
    const std::string name = wanted.value_or(std::string(text::kDefaultTemplate));
    const auto own = text::chatTemplates(model.metadata);
    if (const auto found = std::ranges::find(own, name, &text::ChatTemplate::name); found != own.end()) {
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
        Cli::tr("%1: it has no chat template; give one with --template: a file, or chatml, alpaca or plain")
            .arg(ui::displayText(invocation.file().string()))));
}

Expected<text::ConversationOptions> variablesOf(const Invocation& invocation, Console& console) {
    text::ConversationOptions options;
    if (const auto tools = invocation.value("tools")) {
        const auto text =
            tools->starts_with('@') ? readTextFile(tools->substr(1), console) : Expected<std::string>(*tools);
        if (!text) {
            return std::unexpected(text.error());
        }
        options.tools = *text;
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

QString tokensText(std::size_t count) {
    return count == 1 ? Cli::tr("1 token") : Cli::tr("%1 tokens").arg(ui::formatCount(count));
}

const char* partName(Part part) {
    return part == Part::Thought ? "thought" : part == Part::Text ? "text" : "tool_call";
}

} // namespace

struct ChatTurns::Outcome {
    std::string stop;
    std::size_t promptTokens = 0;
    std::size_t reused = 0;
    std::size_t generated = 0;
    double promptSpeed = 0;
    double generationSpeed = 0;
};

Expected<ChatTurns> ChatTurns::start(const Invocation& invocation, Console& console) {
    const auto session = sessionOptionsOf(invocation);
    if (!session) {
        return std::unexpected(console.fail(QStringLiteral("chat: ") + session.error()));
    }
    auto options = generationOptionsOf(invocation, "chat", console);
    auto variables = options ? variablesOf(invocation, console) : std::unexpected(options.error());
    if (!variables) {
        return std::unexpected(variables.error());
    }
    auto engine = loadEngine(invocation.file(), *session, console);
    if (!engine) {
        return std::unexpected(engine.error());
    }
    ChatTurns chat(invocation, console, std::move(*engine));
    const Cancellation cancellation;
    auto tokenizer = loadTokenizer(*chat.m_engine.model, cancellation, chat.m_file, console);
    auto source =
        tokenizer ? templateOf(*chat.m_engine.model, invocation, console) : std::unexpected(tokenizer.error());
    if (!source) {
        return std::unexpected(source.error());
    }
    if (auto applied = applyVocabulary(invocation, "chat", **tokenizer, *options, console); !applied) {
        return std::unexpected(applied.error());
    }
    const auto end = text::answerEndOf(
        text::renderAndWait(text::answerEndRequest(chat.m_engine.model->metadata, *source), cancellation.token()),
        **tokenizer);
    options->settings.ends = end.tokens;
    options->settings.stops.insert(options->settings.stops.end(), end.stops.begin(), end.stops.end());
    options->settings.written = text::answerMarkers(**tokenizer);
    options->settings.shift = false; // half a conversation would not be what is shown
    chat.m_tokenizer = std::move(*tokenizer);
    chat.m_options = std::move(*options);
    chat.m_template = std::move(*source);
    chat.m_variables = std::move(*variables);
    if (const auto system = invocation.value("system")) {
        chat.m_messages.push_back({.role = "system", .content = *system});
    }
    return chat;
}

Expected<std::string> ChatTurns::render(const Cancellation& cancellation) {
    const auto rendering = text::renderAndWait(
        text::conversationRequest(m_engine.model->metadata, m_template, m_messages, m_variables), cancellation.token());
    if (rendering.text) {
        return rendering.text->toStdString();
    }
    if (cancellation.token().stop_requested()) {
        return std::unexpected(failedOrCancelled(fail(ErrorCode::Cancelled).error(), m_file, cancellation, m_console));
    }
    const text::TemplateProblem& problem = *rendering.error;
    const QString place =
        problem.line > 0 ? Cli::tr("line %1, column %2: ").arg(problem.line).arg(problem.column) : QString();
    return std::unexpected(
        m_console.fail(Cli::tr("the chat template: %1%2")
                           .arg(place, ui::displayText(ui::templateProblemText(problem).toStdString()))));
}

Expected<std::vector<TokenId>> ChatTurns::encode(const std::string& prompt, const Cancellation& cancellation) {
    auto encoding = m_tokenizer->encode(prompt, text::promptEncoding(), {.stop = cancellation.token()});
    if (!encoding) {
        return std::unexpected(failedOrCancelled(encoding.error(), m_file, cancellation, m_console));
    }
    if (encoding->ids.empty()) {
        return std::unexpected(m_console.fail(Cli::tr("chat: the template makes no text of the conversation")));
    }
    if (encoding->ids.size() >= m_engine.session->context()) {
        return std::unexpected(m_console.fail(
            Cli::tr("chat: the conversation has %1 tokens, the context holds %2: begin "
                    "anew with /clear, or take a larger --context")
                .arg(ui::formatCount(encoding->ids.size()), ui::formatCount(m_engine.session->context()))));
    }
    return std::move(encoding->ids);
}

int ChatTurns::answer() {
    const Cancellation cancellation;
    const auto prompt = render(cancellation);
    const auto ids = prompt ? encode(*prompt, cancellation) : std::unexpected(prompt.error());
    if (!ids) {
        return ids.error();
    }
    auto settings = m_options.settings;
    settings.sampler.seed += m_answers++;
    inference::Generation generation(*m_engine.session, m_tokenizer, settings);
    auto constraint = m_options.constraint(*m_tokenizer, m_console);
    if (!constraint) {
        return constraint.error();
    }
    generation.setConstraint(std::move(*constraint));

    Outcome outcome{.promptTokens = ids->size()};
    const auto known = m_engine.session->tokens();
    outcome.reused =
        std::min(static_cast<std::size_t>(std::ranges::mismatch(*ids, known).in1 - ids->begin()), ids->size() - 1);
    const inference::SessionFigures before = m_engine.session->figures();
    auto line =
        std::make_unique<ProgressLine>(m_console, Cli::tr("reading the conversation"), ProgressLine::Unit::Tokens);
    const auto started = generation.start(*ids, {.stop = cancellation.token(), .progress = line->progress()});
    line.reset();
    const bool stoppedEarly = !started && started.error().code == ErrorCode::Cancelled;
    if (!started && !stoppedEarly) {
        return m_console.fail(started.error(), m_file);
    }
    text::AnswerParser parser(*prompt, !m_variables.tools.empty());
    m_told.reset();
    if (const auto columns = m_console.columns(); columns && !m_json) {
        m_shown.emplace(*columns);
    }
    outcome.stop = stoppedEarly ? "cancelled" : "";
    while (outcome.stop.empty() && !m_console.out().failed()) {
        auto token = generation.next({.stop = cancellation.token()});
        if (!token && token.error().code != ErrorCode::Cancelled) {
            m_console.out().writeLine();
            return m_console.fail(std::move(token.error()), m_file);
        }
        if (!token) {
            outcome.stop = "cancelled";
        } else if (!*token) {
            outcome.stop = stopName(generation.reason());
        } else {
            ++outcome.generated;
            tell(parser.push((*token)->text));
        }
    }
    tell(parser.push(generation.rest()));
    tell(parser.finish());
    const inference::SessionFigures& after = m_engine.session->figures();
    outcome.promptSpeed =
        perSecond(after.promptTokens - before.promptTokens, after.promptSeconds - before.promptSeconds);
    outcome.generationSpeed =
        perSecond(after.generatedTokens - before.generatedTokens, after.generationSeconds - before.generationSeconds);
    const text::Message answer = parser.message();
    tellEnd(answer, outcome);
    if (outcome.stop != "cancelled" || outcome.generated > 0) {
        m_messages.push_back(answer);
    }
    return kDone;
}

QString ChatTurns::modelName() const {
    const auto name = m_engine.model->metadata.string("general.name");
    return ui::displayText(name && !name->empty() ? std::string(*name) : m_file.filename().string());
}

// Byte for byte, but for a terminal.
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

void ChatTurns::tellEnd(const text::Message& answer, const Outcome& outcome) {
    Output& out = m_console.out();
    if (!m_json) {
        if (m_shown) {
            out.write(m_shown->finish());
        }
        if (outcome.generated > 0 || !m_shown) {
            out.writeLine();
        }
        out.flush();
        const QString cut = outcome.stop == "context_full"      ? Cli::tr("; the context is full")
                            : outcome.stop == "cancelled"       ? Cli::tr("; stopped")
                            : outcome.stop == "nothing_allowed" ? Cli::tr("; no token satisfies the grammar")
                                                                : QString();
        const auto speed = [](double perSecond) {
            return perSecond > 0 ? Cli::tr(", %1 tokens/s").arg(ui::speedText(perSecond)) : QString();
        };
        m_console.note(Cli::tr("prompt: %1, %2 of them known%3; answer: %4%5%6")
                           .arg(tokensText(outcome.promptTokens), ui::formatCount(outcome.reused),
                                speed(outcome.promptSpeed), tokensText(outcome.generated),
                                speed(outcome.generationSpeed), cut));
        return;
    }
    ui::JsonWriter json(out);
    json.beginObject();
    json.member("event", "answer");
    json.member("content", std::string_view(answer.content));
    json.member("reasoning", std::string_view(answer.reasoning));
    json.member("tool_calls", std::string_view(answer.toolCalls));
    json.member("stop", std::string_view(outcome.stop));
    json.member("prompt_tokens", outcome.promptTokens);
    json.member("reused_tokens", outcome.reused);
    json.member("tokens", outcome.generated);
    json.member("prompt_tps", outcome.promptSpeed);
    json.member("generation_tps", outcome.generationSpeed);
    json.endObject();
    json.endDocument();
    out.flush();
}

} // namespace gufo::cli
