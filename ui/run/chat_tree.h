// A conversation: a tree of turns, of which one path is shown. Editing a turn, regenerating it or taking another token
// adds a sibling; nothing that was said is lost until it is deleted.
#pragma once

#include "base/error.h"
#include "inference/session/generation.h"
#include "text/conversation/conversation.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace gufo::ui {

struct TurnCandidate {
    std::uint32_t id = 0;
    float probability = 0; // at temperature 1, before the samplers
    int cut = 0;           // inference::Cut: what took it out; 0: it could have been drawn
    bool operator==(const TurnCandidate&) const = default;
};

// A token of an answer. Places are UTF-16 units of Turn::text.
struct TurnToken {
    std::uint32_t id = 0;
    int begin = 0;
    int end = 0; // tokens that make one character together share its place
    float logProbability = 0;
    float entropy = 0;                       // of the distribution it was drawn from, in bits
    int kept = 0;                            // tokens that the samplers left; 0: not known
    std::vector<TurnCandidate> candidates{}; // most likely first; may be without the token itself
    bool operator==(const TurnToken&) const = default;
};

enum class TurnRole { User, Assistant, Tool };
enum class TurnEnd { None, EndToken, StopText, MostTokens, ContextFull, NothingAllowed, Stopped, Failed };

struct Turn {
    int id = 0;
    int parent = -1; // −1: the first of a conversation
    TurnRole role = TurnRole::User;
    QString text{};
    // Of answers.
    std::vector<TurnToken> tokens{};
    TurnEnd end = TurnEnd::None;
    double tokensPerSecond = 0;
    std::uint64_t seed = 0;
    QString opening{}; // the prompt's end, where it had begun a thinking section

    // Geometric mean: exp of the mean logarithm; nothing without tokens.
    [[nodiscard]] std::optional<double> meanProbability() const;
    // The token at a place of the text; −1 if there is none.
    [[nodiscard]] int tokenAt(qsizetype place) const;
    bool operator==(const Turn&) const = default;
};

enum class ChatMode { Chat, Completion };

class ChatTree {
public:
    ChatMode mode = ChatMode::Chat;
    QString title{}; // empty: titleText() makes one
    QString system{};
    QString tools{};                // JSON, a list; empty: none
    std::optional<bool> thinking{}; // whether the model is to think; nothing: as the template has it

    // What a list of conversations shows.
    [[nodiscard]] QString titleText() const;
    [[nodiscard]] bool isEmpty() const { return m_turns.empty(); }

    // Adds a turn after `parent` (−1: at the beginning), which becomes the one shown.
    int add(int parent, TurnRole role, const QString& text = {});
    [[nodiscard]] const Turn& turn(int id) const { return m_turns.at(id); }
    [[nodiscard]] Turn& turn(int id) { return m_turns.at(id); }
    [[nodiscard]] bool has(int id) const { return m_turns.contains(id); }
    // Takes a turn away with all that follows it; a sibling is shown instead, if there is one.
    void remove(int id);

    // The turns shown, from the first.
    [[nodiscard]] std::vector<int> path() const;
    // The last turn shown; −1: there is none.
    [[nodiscard]] int leaf() const;

    // What the last answer calls and no turn after it gives the result of; nothing where there are no tools.
    [[nodiscard]] QStringList pendingCalls() const;

    struct Siblings {
        int index = 0;
        int count = 1;
    };
    [[nodiscard]] Siblings siblings(int id) const;
    // Shows the sibling that many places on; false if there is none.
    bool step(int id, int by);

    [[nodiscard]] QJsonObject save() const;
    // Errors: InvalidArgument (args: what is wrong).
    [[nodiscard]] static Result<ChatTree> restore(const QJsonObject& state);
    bool operator==(const ChatTree&) const = default;

private:
    [[nodiscard]] std::vector<int> children(int parent) const;

    std::map<int, Turn> m_turns;
    std::map<int, int> m_shown; // by parent: the child shown
    int m_next = 0;
};

// As a template gets it. `tools`: the model was given some, so that an answer that is nothing but a call is one.
[[nodiscard]] text::Message messageOf(const Turn& turn, bool tools);

// An answer's thinking section, in places of its text; text/answer.h knows the marks around it.
struct Thinking {
    qsizetype begin = 0; // of the thoughts, without white space around them
    qsizetype end = 0;
    qsizetype answer = 0; // where the rest begins
    bool isOpen = false;  // its end has not come yet
};
[[nodiscard]] Thinking findThinking(const Turn& turn);

} // namespace gufo::ui
