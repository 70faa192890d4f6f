// The turns of a conversation on the console: renders the prompt, generates the answer and prints it.
#pragma once

#include "cli/drafter_option.h"
#include "cli/generation_options.h"
#include "cli/terminal_text.h"
#include "text/conversation/answer_parser.h"
#include "text/conversation/conversation.h"

namespace gufo::cli {

class ChatTurns {
public:
    // Needs a QCoreApplication. Errors are printed.
    [[nodiscard]] static Expected<ChatTurns> start(const inference::Engine& engine, const Invocation& invocation,
                                                   Console& console);

    [[nodiscard]] std::vector<text::Message>& messages() { return m_messages; }
    [[nodiscard]] QString modelName() const;
    // Answers the messages and appends the answer. Returns kDone even if Ctrl-C stopped it; an answer that has not
    // begun by then is not appended. Errors are printed and leave the messages unchanged.
    int answer();
    [[nodiscard]] int checkModel() const { return checkDamage(*m_responder->facts().model, m_console); }

private:
    ChatTurns(const Invocation& invocation, Console& console, std::unique_ptr<inference::Responder> responder)
        : m_console(console)
        , m_json(invocation.json())
        , m_stats(console.errorsAreTerminal() || invocation.isSet("stats"))
        , m_file(invocation.file())
        , m_responder(std::move(responder)) {}
    [[nodiscard]] inference::ResponseRequest request();
    [[nodiscard]] int failResponse(const Error& error, const Cancellation& cancellation);
    [[nodiscard]] int failTemplate(const text::TemplateProblem& problem);
    void tell(const std::vector<text::AnswerPiece>& pieces);
    void write(const QString& text, Colour colour);
    void tellEnd(const text::Message& answer, const inference::Response& response);

    Console& m_console;
    bool m_json;
    bool m_stats; // whether the figures of each answer are printed
    std::filesystem::path m_file;
    std::unique_ptr<inference::Responder> m_responder;
    GenerationOptions m_options;
    Drafting m_drafting;
    std::string m_template;  // empty if the engine applies its own
    bool m_byEngine = false; // it does so although Gufo could
    text::ConversationOptions m_variables;
    std::shared_ptr<const text::AnswerFormat> m_format; // of the last answer; null where the engine does not tell
    std::vector<text::Message> m_messages;
    struct LeftOut {
        std::size_t messages = 0;
        std::size_t tokens = 0;
    };
    LeftOut m_leftOut;                             // of the last answer, because the context was full
    std::uint64_t m_answers = 0;                   // each answer uses a different seed
    std::optional<text::AnswerPiece::Part> m_told; // the part that was written last
    std::optional<TerminalText> m_shown;           // formats the answer if standard output is a terminal
};

} // namespace gufo::cli
