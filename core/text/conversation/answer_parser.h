// Splits a model's answer into reasoning, text and tool calls while it is generated.
//
//     AnswerParser parser(prompt);
//     for (const AnswerPiece& piece : parser.push(token.text)) … show …
//     parser.finish();
//     conversation.push_back(parser.message());
//
// Reasoning is enclosed in <think> and </think> (or another model's markers; the table is in answer_parser.cpp) at the
// beginning of the answer; the template may already have opened it. Tool calls are recognised in the formats of Hermes
// and Qwen (<tool_call>), Mistral ([TOOL_CALLS]), Llama 3 (<|python_tag|>, or nothing but the call) and Phi 4
// (<|tool_call|>), and as messages to functions (gpt-oss, whose channel "analysis" is its reasoning).
//
// Thread contract: one thread at a time.
#pragma once

#include "text/conversation/conversation.h"

#include <optional>

namespace gufo::text {

struct AnswerPiece {
    enum class Part : std::uint8_t { Thought, Text, ToolCall };
    Part part;
    std::string text; // a tool call is reported as a whole, as the model wrote it
    bool operator==(const AnswerPiece&) const = default;
};

class AnswerParser {
public:
    // `prompt` is the rendered template; its end shows whether reasoning has begun. `tools`: whether the model was
    // given tools; only then is an answer that is nothing but a call taken for one.
    explicit AnswerParser(std::string_view prompt = {}, bool tools = false);

    // Adds text and returns what is now certain. Adjacent pieces of the same part belong together.
    [[nodiscard]] std::vector<AnswerPiece> push(std::string_view text);
    // Ends the answer and returns the rest.
    std::vector<AnswerPiece> finish();

    [[nodiscard]] bool isThinking() const { return m_mode == Mode::Thought; }
    // Returns the message so far, with the role "assistant" and without white space around its parts. Text that looked
    // like a tool call but is not one counts as content.
    [[nodiscard]] Message message() const;

private:
    enum class Mode : std::uint8_t { Start, Thought, Text, Call };

    [[nodiscard]] std::vector<AnswerPiece> work(bool atEnd);
    // Each returns whether to continue with the rest of m_buffer:
    [[nodiscard]] bool start(bool atEnd);
    [[nodiscard]] std::optional<bool> header(std::size_t begin, bool atEnd);
    [[nodiscard]] bool thought(bool atEnd, std::vector<AnswerPiece>& pieces);
    [[nodiscard]] bool plainText(bool atEnd, std::vector<AnswerPiece>& pieces);
    [[nodiscard]] bool call(bool atEnd, std::vector<AnswerPiece>& pieces);
    void emitPiece(AnswerPiece::Part part, std::string_view text, std::vector<AnswerPiece>& pieces);

    bool m_tools;
    bool m_channels = false; // the answer consists of messages with headers (gpt-oss)
    Mode m_mode = Mode::Start;
    std::size_t m_marker = 0; // row of the open reasoning or call marker
    std::string m_buffer;     // not reported yet
    std::string m_reasoning;
    std::string m_content;
    std::vector<std::string> m_calls; // JSON in the format of OpenAI's API
};

// Control tokens whose text the parser looks for and which decoding would otherwise omit. For
// GenerationSettings::written.
[[nodiscard]] std::vector<TokenId> answerMarkers(const Tokenizer& tokenizer);

} // namespace gufo::text
