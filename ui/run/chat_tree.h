// A conversation: a tree of turns. One path of it is shown. Editing a turn, regenerating it or choosing another
// token adds a sibling, so nothing is lost until it is deleted.
#pragma once

#include "base/error.h"
#include "inference/generation/generation.h"
#include "text/conversation/answer_parser.h"
#include "text/conversation/conversation.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace gufo::ui {

// Stands for the id of a token that the engine does not report.
inline constexpr std::uint32_t kNoToken = 0xFFFF'FFFF;

struct TurnCandidate {
    std::uint32_t id = 0;
    float probability = 0; // see TurnToken::afterSamplers
    int cut = 0;           // inference::Cut: the sampler that removed it; 0: it could have been drawn
    QString text{};        // used if there is no id
    bool operator==(const TurnCandidate&) const = default;
};

// A token of an answer. Positions are UTF-16 units of Turn::text.
struct TurnToken {
    std::uint32_t id = 0;
    int begin = 0;
    int end = 0;                             // tokens that make up one character share its range
    std::optional<float> logProbability{};   // empty if the engine did not report it
    float entropy = 0;                       // of the distribution before drawing, in bits; 0: not known
    int kept = 0;                            // number of candidates that the samplers left; 0: not known
    std::vector<TurnCandidate> candidates{}; // most likely first; may not include the token itself
    bool afterSamplers = false;              // as inference::ResponsePiece::afterSamplers
    bool operator==(const TurnToken&) const = default;
};

enum class TurnRole { User, Assistant, Tool };
enum class TurnEnd {
    None,
    EndToken,
    StopText,
    MaxTokens,
    ContextFull,
    NothingAllowed,
    Stopped,
    Failed,
    ContentFilter,
    Refusal,
};

struct Turn {
    int id = 0;
    int parent = -1; // −1: the first turn of a conversation
    TurnRole role = TurnRole::User;
    QString text{};
    // For answers only.
    std::vector<TurnToken> tokens{};
    TurnEnd end = TurnEnd::None;
    double tokensPerSecond = 0;
    std::uint64_t seed = 0;
    QJsonObject sampler{}; // its settings (sampler_presets.h) without the seed; empty: not known
    QString opening{};     // the end of the prompt, if it opened a thinking section
    // How the answer is written; null: as usual.
    std::shared_ptr<const text::AnswerFormat> format{};
    // What the model did not see when it answered, because its context was full: the oldest messages, or the oldest
    // tokens.
    std::size_t leftOutMessages = 0;
    std::size_t leftOutTokens = 0;
    std::size_t skippedEvents = 0; // of a server's stream, so that text of the answer may be missing

    // The geometric mean: exp of the mean log-probability. Empty if there are no tokens, or one has no known
    // probability.
    [[nodiscard]] std::optional<double> meanProbability() const;
    // The index of the token at a position of the text; −1 if there is none.
    [[nodiscard]] int tokenAt(qsizetype place) const;
    bool operator==(const Turn& other) const;
};

enum class ChatMode { Chat, Completion };

class ChatTree {
public:
    ChatMode mode = ChatMode::Chat;
    QString title{}; // if empty, titleText() derives one
    QString system{};
    QString tools{};                // a JSON list; empty: none
    std::optional<bool> thinking{}; // whether the model should think; empty: the template's default

    // The title shown in a list of conversations.
    [[nodiscard]] QString titleText() const;
    [[nodiscard]] bool isEmpty() const { return m_turns.empty(); }

    // Adds a turn after `parent` (−1: at the beginning) and shows it.
    int add(int parent, TurnRole role, const QString& text = {});
    [[nodiscard]] const Turn& turn(int id) const { return m_turns.at(id); }
    [[nodiscard]] Turn& turn(int id) { return m_turns.at(id); }
    [[nodiscard]] bool has(int id) const { return m_turns.contains(id); }
    // Removes a turn with all its descendants, and shows a sibling if there is one.
    void remove(int id);

    // The ids of the turns shown, from the first.
    [[nodiscard]] std::vector<int> path() const;
    // The last turn shown; −1 if there is none.
    [[nodiscard]] int leaf() const;

    // The calls of the last answer that have no result yet. Empty if there are no tools.
    [[nodiscard]] QStringList pendingCalls() const;

    struct Siblings {
        int index = 0;
        int count = 1;
    };
    [[nodiscard]] Siblings siblings(int id) const;
    // Shows the sibling `by` positions away. Returns false if there is none.
    bool step(int id, int by);

    // Makes each path from a first turn to a last one a single turn of the model: in a completion, the conversation is
    // one text, and its siblings are its versions. The path shown stays shown.
    void joinTurns();

    [[nodiscard]] QJsonObject save() const;
    // Errors: InvalidArgument (args: the fault).
    [[nodiscard]] static Result<ChatTree> restore(const QJsonObject& state);
    bool operator==(const ChatTree&) const = default;

private:
    [[nodiscard]] std::vector<int> children(int parent) const;

    std::map<int, Turn> m_turns;
    std::map<int, int> m_shown; // the child shown, by parent
    int m_next = 0;
};

// Converts a turn to a template's message. `tools` is the JSON list of the tools that the model was given.
[[nodiscard]] text::Message messageOf(const Turn& turn, const QString& tools);

// The parts of an answer as positions in its text.
struct AnswerPart {
    text::AnswerPiece::Part part = text::AnswerPiece::Part::Text;
    qsizetype begin = 0;
    qsizetype end = 0;
    QString call{}; // of a call: {"name": …, "arguments": {…}}, or the beginning of that
};
struct AnswerParts {
    std::vector<AnswerPart> parts{};
    bool isThinking = false; // the end of a thought has not arrived
};
// `growing`: the answer is being written, so an unfinished call is one.
[[nodiscard]] AnswerParts answerParts(const Turn& turn, const QString& tools = {}, bool growing = false);

// The thoughts before an answer as positions in its text.
struct Thinking {
    qsizetype begin = 0; // of the thoughts, without surrounding white space
    qsizetype end = 0;
    qsizetype answer = 0; // start of the rest
    bool isOpen = false;  // its end marker has not arrived
};
[[nodiscard]] Thinking findThinking(const Turn& turn, const QString& tools = {});

} // namespace gufo::ui
