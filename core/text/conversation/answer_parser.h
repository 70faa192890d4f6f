// A model's answer taken apart while it comes: thoughts, text, tool calls.
//
//     AnswerParser parser(prompt);
//     for (const AnswerPiece& piece : parser.push(token.text)) … show …
//     parser.finish();
//     conversation.push_back(parser.message());
//
// Thoughts stand between <think> and </think> (or what other models use: answer.cpp has the table), at the answer's
// beginning; a template may have opened them already. Tool calls are those of Hermes and Qwen (<tool_call>), Mistral
// ([TOOL_CALLS]), Llama 3 (<|python_tag|>, or nothing but the call) and Phi 4 (<|tool_call|>).
//
// Threads: one at a time.
#pragma once

#include "text/conversation/conversation.h"

namespace gufo::text {

struct AnswerPiece {
    enum class Part : std::uint8_t { Thought, Text, ToolCall };
    Part part;
    std::string text; // of a tool call: as the model wrote it, whole
    bool operator==(const AnswerPiece&) const = default;
};

class AnswerParser {
public:
    // `prompt`: what the template rendered; its end tells whether it has begun a thought. `tools`: whether the model
    // was given tools, so that an answer that is nothing but a call is one.
    explicit AnswerParser(std::string_view prompt = {}, bool tools = false);

    // What can be told for certain now; adjoining pieces of the same part belong together.
    [[nodiscard]] std::vector<AnswerPiece> push(std::string_view text);
    // The rest: the answer has ended.
    std::vector<AnswerPiece> finish();

    [[nodiscard]] bool isThinking() const { return m_mode == Mode::Thought; }
    // What is there so far, of the role "assistant"; white space around its parts is left out. Text that looked like a
    // tool call and is none is content.
    [[nodiscard]] Message message() const;

private:
    enum class Mode : std::uint8_t { Start, Thought, Text, Call };

    [[nodiscard]] std::vector<AnswerPiece> work(bool atEnd);
    // Each of them: whether to go on with what is left of m_buffer.
    [[nodiscard]] bool start(bool atEnd);
    [[nodiscard]] bool thought(bool atEnd, std::vector<AnswerPiece>& pieces);
    [[nodiscard]] bool plainText(bool atEnd, std::vector<AnswerPiece>& pieces);
    [[nodiscard]] bool call(bool atEnd, std::vector<AnswerPiece>& pieces);
    void tell(AnswerPiece::Part part, std::string_view text, std::vector<AnswerPiece>& pieces);

    bool m_tools;
    Mode m_mode = Mode::Start;
    std::size_t m_marker = 0; // of the thought or call that is open: its row
    std::string m_buffer;     // not told yet
    std::string m_reasoning;
    std::string m_content;
    std::vector<std::string> m_calls; // JSON, as OpenAI's API has them
};

// Control tokens whose text the parser looks for, which decoding would leave out otherwise: for
// GenerationSettings::written.
[[nodiscard]] std::vector<TokenId> answerMarkers(const Tokenizer& tokenizer);

} // namespace gufo::text
