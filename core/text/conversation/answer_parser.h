// Splits a model's answer into reasoning, text and tool calls while it is generated, as an AnswerFormat describes them.
//
//     AnswerParser parser(format, prompt, tools);
//     for (const AnswerPiece& piece : parser.push(token.text)) … show …
//     parser.finish();
//     conversation.push_back(parser.message());
//
// The message does not depend on how the text is divided into pieces. Whatever is not written as the format says is
// text for the user.
//
// Thread contract: one thread at a time.
#pragma once

#include "text/conversation/answer_format.h"
#include "text/conversation/conversation.h"
#include "text/conversation/tool_schemas.h"

#include <memory>
#include <optional>

namespace gufo::text {

struct CallReading;

struct AnswerPiece {
    enum class Part : std::uint8_t { Thought, Text, ToolCall };
    Part part;
    // A tool call is reported while it is written, as {"name": …, "arguments": {…}} without regard to how the model
    // writes it. If it is never finished, the message has the model's own text for it.
    std::string text;
    bool operator==(const AnswerPiece&) const = default;
};

// A range of the answer's text, in bytes: a thought or a text without its markers, or a call with them.
struct AnswerSpan {
    AnswerPiece::Part part = AnswerPiece::Part::Text;
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string call{}; // as AnswerPiece::text
    bool operator==(const AnswerSpan&) const = default;
};

class AnswerParser {
public:
    // `prompt` is the rendered template; its end shows whether reasoning has begun. `tools` is the JSON list of the
    // tools that the model was given; only with tools is an answer that is nothing but a call taken for one.
    AnswerParser(std::shared_ptr<const AnswerFormat> format, std::string_view prompt, std::string_view tools = {});
    // For an answer of a template that is not known.
    explicit AnswerParser(std::string_view prompt = {}, bool tools = false);

    // Adds text and returns the pieces that are certain now. Adjacent pieces of the same part belong together.
    [[nodiscard]] std::vector<AnswerPiece> push(std::string_view text);
    // Ends the answer and returns the rest. `isComplete`: the model has ended it; of a format whose answers may stand
    // in the thought that the prompt opens (AnswerFormat::answersInThought), a thought without an end is the text for
    // the user then.
    std::vector<AnswerPiece> finish(bool isComplete = false);

    [[nodiscard]] bool isThinking() const { return m_mode == Mode::Thought; }
    // Whether the text for the user has begun and nothing else has followed it.
    [[nodiscard]] bool isContent() const { return m_mode == Mode::Text && (!m_inChannels || m_isFinal); }
    // The text after the last marker, as long as it is not clear what it begins.
    [[nodiscard]] std::string_view undecided() const {
        return m_mode == Mode::Start || isUndecidedCall() ? rest() : std::string_view();
    }
    // Whether a call is being written, after a marker that cannot be anything else, or, without a marker, after the
    // name and the beginning of the arguments; or another one may follow.
    [[nodiscard]] bool isCall() const {
        return (m_mode == Mode::Call && !isUndecidedCall()) || m_mode == Mode::ChannelCall;
    }
    // The text so far of the first of calls that follow each other, from its marker on (of gpt-oss: from the name of
    // the tool on). Nothing once that call is whole.
    [[nodiscard]] std::optional<std::string_view> firstCallText() const {
        return isCall() && !(m_mode == Mode::Call && m_call) ? std::optional(rest()) : std::nullopt;
    }
    [[nodiscard]] bool hasCalls() const { return isCall() || !m_calls.empty(); }
    // Whether the answer has calls, all of them whole.
    [[nodiscard]] bool hasWholeCalls() const;
    // What ends the open thought, with the white space that the template writes around it.
    [[nodiscard]] std::string_view thoughtEnd() const {
        return isThinking() ? std::string_view(m_closing) : std::string_view();
    }
    [[nodiscard]] bool hasThought() const { return m_hasThought; }
    // Returns the message so far, with the role "assistant" and without white space around its parts. Text that looked
    // like a tool call but is not one counts as content.
    [[nodiscard]] Message message() const;
    // The parts of the text so far, in order.
    [[nodiscard]] const std::vector<AnswerSpan>& spans() const { return m_spans; }
    // The call that is being written, as far as it has been reported.
    [[nodiscard]] std::optional<AnswerSpan> openCall() const;

private:
    using Part = AnswerPiece::Part;
    // gpt-oss divides a turn into messages, each with a header that names its channel and, for a call, the recipient.
    static constexpr std::string_view kChannel = "<|channel|>";
    static constexpr std::string_view kHeaderEnd = "<|message|>";
    static constexpr std::string_view kMessageEnd = "<|end|>";
    static constexpr std::string_view kCallEnd = "<|call|>";
    static constexpr std::string_view kNextMessage = "<|start|>assistant";
    static constexpr std::string_view kAnalysis = "analysis";
    static constexpr std::string_view kFinal = "final";
    static constexpr std::string_view kRecipient = "to=functions.";

    enum class Mode : std::uint8_t { Start, Thought, Text, Call, ChannelCall };

    [[nodiscard]] std::string_view rest() const { return std::string_view(m_buffer).substr(m_begin); }
    void drop(std::size_t bytes) { m_begin += bytes; }
    void open(std::string_view prompt);
    void enterThought(const ThoughtFormat& thought);
    // Calls without a marker look like any text at first.
    [[nodiscard]] bool isUndecidedCall() const {
        return m_mode == Mode::Call && !m_call && m_trigger.empty() && m_shown.empty();
    }
    [[nodiscard]] std::vector<AnswerPiece> work(bool atEnd);
    // Each returns whether to continue with the rest of m_buffer:
    [[nodiscard]] bool start(bool atEnd, std::vector<AnswerPiece>& pieces);
    [[nodiscard]] std::optional<bool> closing(std::size_t begin, bool atEnd);
    [[nodiscard]] std::optional<bool> channelHeader(std::size_t begin, bool atEnd);
    [[nodiscard]] bool thought(bool atEnd, std::vector<AnswerPiece>& pieces);
    [[nodiscard]] bool plainText(bool atEnd, std::vector<AnswerPiece>& pieces);
    [[nodiscard]] bool firstCall(bool atEnd, std::vector<AnswerPiece>& pieces);
    [[nodiscard]] bool nextCall(bool atEnd, std::vector<AnswerPiece>& pieces);
    [[nodiscard]] bool channelCall(bool atEnd, std::vector<AnswerPiece>& pieces);

    [[nodiscard]] std::size_t beginOfCall(const CallFormat& format, bool atEnd, bool& waits) const;
    void showCall(const CallReading& reading, bool isWhole, std::vector<AnswerPiece>& pieces);
    void takeCall(const CallReading& reading, std::vector<AnswerPiece>& pieces);
    void refuseCall(std::size_t bytes, std::vector<AnswerPiece>& pieces);
    [[nodiscard]] bool mayThinkAt(std::size_t at) const;
    void emitPiece(AnswerPiece::Part part, std::string_view text, std::vector<AnswerPiece>& pieces);
    // Positions in the answer. Adjacent spans of texts are joined.
    void addSpan(AnswerPiece::Part part, std::size_t begin, std::size_t end, std::string call = {});

    struct Trigger {
        std::string text;
        std::vector<std::size_t> formats{}; // indices into AnswerFormat::calls, most likely first
    };

    std::shared_ptr<const AnswerFormat> m_format;
    ToolSchemas m_schemas;
    bool m_tools = false;
    std::vector<Trigger> m_triggers;
    std::vector<std::size_t> m_bare; // calls without a marker
    std::string m_first;             // the bytes with which markers in a text begin

    Mode m_mode = Mode::Start;
    bool m_inChannels = false; // the answer consists of messages with headers (gpt-oss)
    bool m_isFinal = false;    // the last of them is for the user
    bool m_hasThought = false;
    bool m_mayAnswer = false;  // the thought that the prompt has opened may be the text for the user
    bool m_newThought = false; // its text has not begun
    std::string m_close;       // of the open thought
    std::string m_closing;
    std::vector<std::size_t> m_candidates; // formats of the first call of a section
    std::optional<std::size_t> m_call;     // the format of its calls, once one is read
    std::string m_trigger;
    std::size_t m_refused = 0; // triggers without a call
    std::string m_shown;       // of the call being written
    std::size_t m_retry = 0;   // size of rest() from which on it is worth reading an unfinished call again
    std::string m_buffer;
    std::size_t m_begin = 0;     // what precedes it has been reported
    std::size_t m_dropped = 0;   // bytes of the answer before m_buffer
    std::size_t m_callBegin = 0; // position in the answer
    std::vector<AnswerSpan> m_spans;
    std::string m_reasoning;
    std::string m_content;
    std::vector<std::string> m_calls; // JSON in the format of OpenAI's API
};

} // namespace gufo::text
