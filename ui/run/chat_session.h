// A conversation under way: what a person says goes through the template to the engine, and the answer into the tree as
// it comes.
//
// Threads: of the UI thread.
#pragma once

#include "base/error.h"
#include "text/conversation/conversation.h"
#include "ui/run/chat_tree.h"
#include "ui/run/running_answer.h"

#include <QObject>

#include <optional>

namespace gufo::ui {

struct ChatSettings {
    inference::GenerationSettings generation{}; // its seed is used where it is fixed
    bool seedIsFixed = false;
    std::shared_ptr<const inference::Grammar> grammar{};
};

class ChatSession : public QObject {
    Q_OBJECT

public:
    explicit ChatSession(RunEngine* engine, QObject* parent = nullptr);
    ~ChatSession() override;

    [[nodiscard]] const ChatTree& tree() const { return m_tree; }
    // Another conversation, or nothing said yet. Ends an answer under way.
    void setTree(ChatTree tree);
    void setMode(ChatMode mode) { m_tree.mode = mode; }
    void setSystem(const QString& text) { m_tree.system = text; }
    void setTools(const QString& json) { m_tree.tools = json; }
    void setThinking(std::optional<bool> thinking) { m_tree.thinking = thinking; }
    void setTitle(const QString& title) { m_tree.title = title; }
    // The template's text, and the model whose special tokens it may name.
    void setTemplate(std::shared_ptr<const Model> model, const QString& source);
    void setSettings(const ChatSettings& settings) { m_settings = settings; }

    // An answer is being made, from the rendering of its prompt to its last token.
    [[nodiscard]] bool isBusy() const { return m_answering >= 0; }
    [[nodiscard]] int answering() const { return m_answering; } // the turn; −1: none
    [[nodiscard]] bool canAnswer() const { return !isBusy() && m_engine->isLoaded() && m_engine->facts()->tokenizer; }

    // All of these but the last four need canAnswer(), and show the new turn.
    void send(const QString& text);                                // at the end
    void sendResult(const QString& text);                          // at the end: what a called tool gave
    void edit(int id, const QString& text);                        // a question or result: a sibling, and its answer
    void regenerate(int id);                                       // an answer: a sibling
    void branch(int id, std::size_t token, std::uint32_t instead); // an answer: another token there, and what follows
    void tryAnother(int id, std::size_t token);                    // likewise, one drawn of the other candidates
    void answer(int id);                                           // a question that has none
    void continueFrom(int id, std::size_t token);                  // keeps an answer up to and with a token
    void goOn(int id);                                             // an answer that was cut short, at its end
    void rewrite(int id, const QString& text);                     // an answer: a sibling as the person wrote it
    void step(int id, int by);                                     // shows a sibling
    void remove(int id);
    void stop();

    // Of the last answer, or the one under way.
    [[nodiscard]] const AnswerFigures& figures() const { return m_figures; }
    [[nodiscard]] std::size_t contextUsed() const { return m_figures.contextUsed; }

signals:
    void pathChanged();     // other turns are shown
    void turnGrown(int id); // an answer has more tokens
    void turnEnded(int id); // an answer is complete
    void busyChanged();
    void promptProgressed(quint64 done, quint64 total); // tokens
    void templateFailed(const gufo::text::TemplateProblem& problem);
    void failed(const gufo::Error& error);

private:
    void say(int parent, TurnRole role, const QString& text);
    void begin(int parent, std::vector<TurnToken> begun, const QString& text);
    void resume(int id);
    void askForEnd();
    void render();
    void start(const QString& prompt);
    void take();
    void finish();
    void giveUp(TurnEnd end);
    [[nodiscard]] std::vector<text::Message> messages() const;

    RunEngine* m_engine;
    text::TemplateRenderer m_renderer;
    ChatTree m_tree;
    std::shared_ptr<const Model> m_model;
    QString m_source;
    std::optional<text::AnswerEnd> m_end; // of the template; unset: not asked yet
    ChatSettings m_settings;

    int m_answering = -1;
    std::string m_prompt;                  // of the answer under way
    QString m_whole;                       // its text, with what is held back
    std::string m_pieces;                  // all that came
    std::vector<std::size_t> m_incomplete; // tokens of a character that is not whole yet
    std::unique_ptr<Answer> m_answer;
    AnswerFigures m_figures;
    KnownText m_known; // what the session stands for
};

} // namespace gufo::ui
