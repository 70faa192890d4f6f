// The turns of a conversation on the console: rendering, generating, telling.
#pragma once

#include "cli/engine_options.h"
#include "cli/terminal_text.h"
#include "text/conversation/answer_parser.h"
#include "text/conversation/conversation.h"

namespace gufo::cli {

class ChatTurns {
public:
    // Needs a QCoreApplication. Errors are said.
    [[nodiscard]] static Expected<ChatTurns> start(const Invocation& invocation, Console& console);

    [[nodiscard]] std::vector<text::Message>& messages() { return m_messages; }
    [[nodiscard]] QString modelName() const;
    // Answers the messages and adds the answer to them. Gives kDone also where Ctrl-C stopped it; an answer that has
    // not begun by then is not added. Errors are said and leave the messages as they are.
    int answer();
    [[nodiscard]] int checkModel() const { return checkDamage(*m_engine.model, m_console); }

private:
    ChatTurns(const Invocation& invocation, Console& console, LoadedEngine engine)
        : m_console(console)
        , m_json(invocation.json())
        , m_file(invocation.file())
        , m_engine(std::move(engine)) {}
    [[nodiscard]] Expected<std::string> render(const Cancellation& cancellation);
    [[nodiscard]] Expected<std::vector<TokenId>> encode(const std::string& prompt, const Cancellation& cancellation);
    void tell(const std::vector<text::AnswerPiece>& pieces);
    void write(const QString& text, Colour colour);
    struct Outcome;
    void tellEnd(const text::Message& answer, const Outcome& outcome);

    Console& m_console;
    bool m_json;
    std::filesystem::path m_file;
    LoadedEngine m_engine;
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    GenerationOptions m_options;
    std::string m_template;
    text::ConversationOptions m_variables;
    std::vector<text::Message> m_messages;
    std::uint64_t m_answers = 0;                   // each draws with another seed
    std::optional<text::AnswerPiece::Part> m_told; // the part that was written last
    std::optional<TerminalText> m_shown;           // of an answer, where standard output is a terminal
};

} // namespace gufo::cli
