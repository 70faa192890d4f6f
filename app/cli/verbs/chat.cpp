#include "base/output_file.h"
#include "cli/cancellation.h"
#include "cli/chat_turns.h"
#include "cli/engine_choice.h"
#include "cli/line_editor.h"
#include "cli/shared_options.h"
#include "cli/text_input.h"
#include "cli/verb.h"
#include "text/conversation/conversation.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"

#include <array>
#include <cerrno>
#include <expected>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <string>
#include <unistd.h>
#include <utility>

namespace gufo::cli {
namespace {

constexpr auto kCommands =
    std::to_array<std::string_view>({"/regen", "/clear", "/system", "/save", "/load", "/help", "/quit", "/exit"});

std::string markdownOf(const std::vector<text::Message>& messages) {
    std::string out;
    for (const text::Message& message : messages) {
        out += "## " + message.role + "\n\n";
        if (!message.reasoning.empty()) {
            out += "> ";
            for (const char c : message.reasoning) {
                out += c == '\n' ? std::string("\n> ") : std::string(1, c);
            }
            out += "\n\n";
        }
        out += message.content.empty() ? "" : message.content + "\n\n";
        out += message.toolCalls.empty() ? "" : "```json\n" + message.toolCalls + "\n```\n\n";
    }
    return out;
}

class Talk {
public:
    Talk(ChatTurns& turns, bool json, Console& console)
        : m_turns(turns)
        , m_json(json)
        , m_console(console) {}

    // Handles one line of input. Returns the exit code if the line ends the program.
    std::optional<int> take(const std::string& line) {
        if (!line.starts_with('/')) {
            return line.find_first_not_of(" \t\r") == std::string::npos ? std::nullopt : say(line);
        }
        const std::size_t space = std::min(line.find(' '), line.size());
        const std::string word = line.substr(0, space);
        const std::string rest = space < line.size() ? line.substr(space + 1) : std::string();
        if (word == "/quit" || word == "/exit") {
            return kDone;
        }
        if (word == "/clear") {
            auto& messages = m_turns.messages();
            std::erase_if(messages, [](const text::Message& message) { return message.role != "system"; });
            m_console.note(Cli::tr("The conversation has been cleared."));
        } else if (word == "/system") {
            setSystem(rest);
        } else if (word == "/regen") {
            return again();
        } else if (word == "/save") {
            return save(rest);
        } else if (word == "/load") {
            return load(rest);
        } else {
            help(word);
        }
        return std::nullopt;
    }

    // Returns the exit code if the program has to end: a failure is fatal unless the input is a terminal.
    std::optional<int> say(const std::string& text) {
        auto& messages = m_turns.messages();
        messages.push_back({.role = "user", .content = text});
        const int code = m_turns.answer();
        if (messages.back().role != "assistant") { // an unanswered question must not precede the next one
            messages.pop_back();
        }
        return ended(code);
    }

private:
    std::optional<int> ended(int code) const {
        const bool goesOn = code == kDone || (isatty(STDIN_FILENO) == 1 && !m_json);
        return goesOn ? std::nullopt : std::optional(code);
    }

    std::optional<int> again() {
        auto& messages = m_turns.messages();
        if (messages.empty() || messages.back().role != "assistant") {
            m_console.note(Cli::tr("there is no answer yet"));
            return std::nullopt;
        }
        const text::Message before = std::move(messages.back());
        messages.pop_back();
        const int code = m_turns.answer();
        if (messages.empty() || messages.back().role != "assistant") {
            messages.push_back(before);
        }
        return ended(code);
    }

    void setSystem(const std::string& text) {
        auto& messages = m_turns.messages();
        std::erase_if(messages, [](const text::Message& message) { return message.role == "system"; });
        if (!text.empty()) {
            messages.insert(messages.begin(), text::Message{.role = "system", .content = text});
        }
        m_console.note(text.empty() ? Cli::tr("There is no system message now.")
                                    : Cli::tr("The system message is set."));
    }

    std::optional<int> save(const std::string& name) {
        if (name.empty()) {
            m_console.note(Cli::tr("/save needs a file name: .md for Markdown, any other for JSON"));
            return std::nullopt;
        }
        const auto& messages = m_turns.messages();
        const std::string text =
            name.ends_with(".md") ? markdownOf(messages) : text::linkToolCalls(text::messagesJson(messages)) + "\n";
        const auto write = [&]() -> Result<> {
            auto file = GUFO_TRY(OutputFile::create(name));
            GUFO_TRY(file.write(std::as_bytes(std::span(text))));
            return file.commit();
        };
        if (auto written = write(); !written) {
            return ended(m_console.fail(std::move(written.error()), name));
        }
        m_console.note(
            Cli::tr("%n messages are in %1", nullptr, ui::numerus(messages.size())).arg(ui::displayText(name)));
        return std::nullopt;
    }

    // Takes the place of the conversation. The answers that follow belong to the one that was loaded.
    std::optional<int> load(const std::string& name) {
        if (name.empty()) {
            m_console.note(Cli::tr("/load needs the name of a JSON file: a list of messages, as /save writes it, or an "
                                   "object that has one under \"messages\""));
            return std::nullopt;
        }
        const auto text = readTextFile(name, m_console);
        if (!text) {
            return ended(text.error());
        }
        auto messages = text::readMessages(*text);
        if (!messages) {
            return ended(m_console.fail(std::move(messages.error()), name));
        }
        const std::size_t count = messages->size();
        m_turns.messages() = *std::move(messages);
        m_console.note(
            Cli::tr("%n messages were loaded from %1", nullptr, ui::numerus(count)).arg(ui::displayText(name)));
        return std::nullopt;
    }

    void help(const std::string& word) {
        if (word != "/help") {
            m_console.note(Cli::tr("there is no %1").arg(ui::displayText(word)));
        }
        m_console.note(Cli::tr(
            "/regen        generates the last answer again\n/clear        clears the conversation, but keeps the "
            "system message\n/system TEXT  sets the system message, or removes it if there is no TEXT\n/save FILE    "
            "saves the conversation, as Markdown if FILE ends with .md, otherwise as JSON\n/load FILE    continues a "
            "conversation that was saved as JSON\n/quit         ends the program, as Ctrl-D does\n"
            "A \\ at the end of a line continues the message on the next line. The arrow keys call earlier lines "
            "back, and Ctrl-R searches them; a line that begins with a space is not kept."));
    }

    ChatTurns& m_turns;
    bool m_json;
    Console& m_console;
};

// Reads messages until the input ends or a signal arrives while waiting.
int converse(Talk& talk, const ChatTurns& turns, bool mayAsk, Console& console) {
    const bool asks = mayAsk && isatty(STDIN_FILENO) == 1 && console.errorsAreTerminal();
    if (asks) {
        console.beginInteractive();
        console.note(Cli::tr("%1. /help lists the commands; Ctrl-C stops an answer, Ctrl-D ends the program.")
                         .arg(turns.modelName()));
    }
    std::optional<LineEditor> editor;
    if (asks) {
        editor.emplace(kCommands, LineEditor::userHistory());
    }
    LineReader lines;
    std::string message;
    while (!console.out().failed()) {
        if (asks && message.empty()) {
            Output(STDERR_FILENO).writeLine();
        }
        auto line = editor ? editor->next(message.empty() ? "> " : "… ") : lines.next();
        const bool atEnd = !line || !*line;
        if (asks && atEnd) {
            Output(STDERR_FILENO).writeLine(); // what follows starts on a new line, not after the prompt
        }
        if (!line) {
            return line.error();
        }
        if (!atEnd && (*line)->ends_with('\\')) {
            (*line)->pop_back();
            message += **line + "\n";
            continue;
        }
        message += line->value_or("");
        if (!message.empty()) {
            if (const auto code = talk.take(std::exchange(message, {}))) {
                return *code;
            }
        }
        if (atEnd) {
            break;
        }
    }
    return turns.checkModel();
}

} // namespace

int runChatWith(const inference::Engine& engine, const Invocation& invocation, Console& console) {
    auto turns = ChatTurns::start(engine, invocation, console);
    if (!turns) {
        return turns.error();
    }
    Talk talk(*turns, invocation.json(), console);
    const auto given = invocation.values("message");
    for (const std::string& message : given) {
        if (const auto code = talk.say(message)) {
            return *code;
        }
    }
    return given.empty() ? converse(talk, *turns, !invocation.json(), console) : turns->checkModel();
}

namespace {

constexpr auto kChatOptions = with(
    kSamplingOptions,
    std::to_array<OptionFact>({
        {"m,message", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TEXT"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "send this message instead of reading from standard input; may be repeated")},
        {"system", QT_TRANSLATE_NOOP("gufo::cli::Cli", "TEXT"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "the system message")},
        {"template", QT_TRANSLATE_NOOP("gufo::cli::Cli", "NAME"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "a template of the model by name, a file, or chatml, alpaca or plain")},
        {"server-template", "", QT_TRANSLATE_NOOP("gufo::cli::Cli", "let the server apply its own chat template")},
        {"think", QT_TRANSLATE_NOOP("gufo::cli::Cli", "N"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "end thoughts after N tokens (0: none)")},
        {"tools", QT_TRANSLATE_NOOP("gufo::cli::Cli", "JSON"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli", "a list of tools, or @FILE")},
        {"arg", QT_TRANSLATE_NOOP("gufo::cli::Cli", "NAME=JSON"),
         QT_TRANSLATE_NOOP("gufo::cli::Cli",
                           "an additional template variable, such as enable_thinking=false; may be repeated")},
    }));

int runChat(const Invocation& invocation, Console& console) {
    const auto engine = engineOf(invocation, "chat", console);
    return engine ? runChatWith(**engine, invocation, console) : engine.error();
}

} // namespace

const Verb chatVerb{
    .name = "chat",
    .arguments = QT_TRANSLATE_NOOP("gufo::cli::Cli", "FILE [--system TEXT] [-m TEXT] [--temp X] …"),
    .summary = QT_TRANSLATE_NOOP("gufo::cli::Cli", "Chats with the model through its chat template"),
    .details = QT_TRANSLATE_NOOP("gufo::cli::Cli",
                                 "Reads one message per line from standard input (a \\ at the end continues it "
                                 "on the next line), and prints answers as\nthey are generated. /help lists "
                                 "the commands. Ctrl-C stops the answer; at the prompt it ends the program."),
    .options = kChatOptions,
    .minArguments = 1,
    .maxArguments = 1,
    .run = runChat,
};

} // namespace gufo::cli
