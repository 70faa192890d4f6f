// A running conversation: sends messages to the engine and adds its answers to the tree as they arrive.
//
// Threads: UI thread only.
#pragma once

#include "base/error.h"
#include "inference/grammar/grammar.h"
#include "text/conversation/conversation.h"
#include "ui/run/chat_tree.h"
#include "ui/run/running_answer.h"

#include <QObject>
#include <QRandomGenerator>

#include <optional>

namespace gufo::ui {

struct ChatSettings {
    inference::GenerationSettings generation{}; // its seed is used only if it is fixed
    bool seedIsFixed = false;
    std::shared_ptr<const inference::Grammar> grammar{};
    bool afterSamplers = false; // report the probabilities that the samplers leave, if the engine can
    std::shared_ptr<inference::Drafter> drafter{}; // null: none
    bool mtpDrafts = false;                        // a block of the model drafts instead
    bool literalContent = false;                   // as inference::ResponseRequest
};

class ChatSession : public QObject {
    Q_OBJECT

public:
    explicit ChatSession(RunEngine* engine, QObject* parent = nullptr);
    ~ChatSession() override;

    [[nodiscard]] const ChatTree& tree() const { return m_tree; }
    // Replaces the conversation, for example by an empty one. Ends a running answer.
    void setTree(ChatTree tree);
    void setMode(ChatMode mode);
    void setSystem(const QString& text) { m_tree.system = text; }
    void setTools(const QString& json) { m_tree.tools = json; }
    void setThinking(std::optional<bool> thinking) { m_tree.thinking = thinking; }
    void setTitle(const QString& title) { m_tree.title = title; }
    // Sets the template's text, and the model whose special tokens it may refer to. With `byEngine`, an engine that
    // offers Feature::EngineTemplate applies its template instead.
    void setTemplate(std::shared_ptr<const Model> model, const QString& source, bool byEngine = false);
    void setSettings(const ChatSettings& settings) {
        if (settings.literalContent != m_settings.literalContent) {
            m_known = {}; // its tokens were made in the other way
        }
        m_settings = settings;
    }
    // Makes the seeds of the following answers, and what tryAnother() draws, repeatable. Otherwise they are random.
    void seedRandom(quint32 seed) { m_random.seed(seed); }
    // The id under which saved states of the engine belong to this conversation (inference/prefixes/prefix_store.h).
    void setConversation(const QString& id) { m_conversation = id; }

    // Whether an answer is being generated, from rendering its prompt to the last token.
    [[nodiscard]] bool isBusy() const { return m_answering >= 0; }
    [[nodiscard]] int answering() const { return m_answering; } // id of the turn; −1: none
    [[nodiscard]] bool canAnswer() const { return !isBusy() && suits(); }
    // Whether the conversation ends with a question: answering it failed, or the answer was deleted.
    [[nodiscard]] bool isUnanswered() const;
    // Whether an engine is loaded that can answer in this mode.
    [[nodiscard]] bool suits() const;
    // True also while no model is loaded.
    [[nodiscard]] bool offers(inference::Feature feature) const {
        return !m_engine->isLoaded() || m_engine->facts()->offers(feature);
    }

    // All functions but the last five require canAnswer(). They show the turn that they add.
    void send(const QString& text);         // appends a message
    void sendResult(const QString& text);   // appends the result of a called tool
    void edit(int id, const QString& text); // adds a sibling of a question or result, and answers it
    void regenerate(int id);                // adds a sibling of an answer
    // Adds a sibling of an answer with another token at that position (given by its text if it has no id), and
    // continues from there.
    void branch(int id, std::size_t token, std::uint32_t instead, const QString& text = {});
    void tryAnother(int id, std::size_t token);   // the same with a token drawn from the other candidates
    void answer(int id);                          // answers a question that has no answer
    void continueFrom(int id, std::size_t token); // keeps an answer up to and including a token, and continues
    void continueAnswer(int id);                  // continues an answer that was cut short
    void complete();                              // continues the text of a completion
    void rewrite(int id, const QString& text);    // adds a sibling of an answer, written by the user
    void step(int id, int by);                    // shows a sibling
    void remove(int id);
    void stop();

    // Replaces the text of a completion, which the user has edited. The version that the model has written last stays
    // as a sibling if anything of it is changed. Tokens after the first change are forgotten.
    void setText(const QString& text);

    // The figures of the last answer, or of the running one.
    [[nodiscard]] const inference::ResponseFigures& figures() const { return m_figures; }
    // The text of the last answer and of everything before it, with its tokens; empty if the engine reports none.
    [[nodiscard]] const inference::KnownText& known() const { return m_known; }
    // The index in known() of a token of an answer; empty if it is not there.
    [[nodiscard]] std::optional<std::size_t> positionOf(int id, std::size_t token) const;
    [[nodiscard]] std::size_t contextUsed() const { return m_figures.contextUsed; }

signals:
    void pathChanged();                             // other turns are shown now
    void textEdited(int id);                        // by setText(), without another turn
    void removed(const gufo::ui::ChatTree& before); // remove() was called; `before` undoes it
    void turnGrown(int id);                         // an answer has more tokens
    void turnEnded(int id);                         // an answer is complete
    void busyChanged();
    void promptProgressed(quint64 done, quint64 total); // tokens
    void templateFailed(const gufo::text::TemplateProblem& problem);
    void statesRefused(const std::vector<gufo::Error>& states); // saved states could not be used
    // Texts in what the user wrote have become control tokens.
    void specialsTyped(const std::vector<std::string>& texts);
    void failed(const gufo::Error& error);

private:
    void say(int parent, TurnRole role, const QString& text);
    void begin(int parent, std::vector<TurnToken> begun, const QString& text);
    [[nodiscard]] qsizetype beginOfPrompted(const Turn& turn) const;
    void resume(int id);
    [[nodiscard]] inference::ResponseRequest request() const;
    void take();
    void takePiece(const inference::ResponsePiece& piece);
    void remember();
    void finish();
    void abandonAnswer(TurnEnd end);
    [[nodiscard]] std::vector<text::Message> messages() const;

    RunEngine* m_engine;
    ChatTree m_tree;
    std::shared_ptr<const Model> m_model;
    QString m_source;
    bool m_byEngine = false;
    ChatSettings m_settings;
    QString m_conversation;
    QRandomGenerator m_random = QRandomGenerator::securelySeeded();

    int m_answering = -1;
    std::size_t m_begun = 0;               // number of tokens before this run
    QString m_whole;                       // the answer's text, including the part held back
    std::string m_pieces;                  // all bytes received
    std::vector<std::size_t> m_incomplete; // tokens of a character that is still incomplete
    std::unique_ptr<Answer> m_answer;
    inference::ResponseFigures m_figures;
    inference::KnownText m_known; // the text that the engine has already processed
};

} // namespace gufo::ui
