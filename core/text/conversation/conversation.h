// A conversation with a model: its messages as a chat template receives them, and the prompt that the template makes of
// them.
//
//     Rendering rendering = renderAndWait(conversationRequest(model->metadata, source, messages));
//     Encoding prompt = tokenizer->encode(rendering.text->toStdString(), promptEncoding());
//     … generate …, parsing the answer with conversation/answer_parser.h
//
// Texts are UTF-8. Thread contract: pure functions.
#pragma once

#include "model/metadata.h"
#include "text/template/template_renderer.h"
#include "text/tokenizer/tokenizer.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gufo::text {

struct Message {
    std::string role;        // "system", "user", "assistant", "tool"; templates may know others
    std::string content{};   // without reasoning and tool calls
    std::string reasoning{}; // of the assistant, before its answer; empty: none
    std::string toolCalls{}; // a JSON list in the format of OpenAI's API; empty: none
    bool emptyText = false;  // of a message that only calls tools: its content is "" instead of null
    bool operator==(const Message&) const = default;
};

inline constexpr std::string_view kThoughtMember = "reasoning_content";

// Returns {"role", "content"}, with "reasoning_content" and "tool_calls" if present. These are inserted verbatim, so
// that 1.0 stays 1.0. "content" is null where a message only calls tools, unless Message::emptyText is set: some
// templates fail on null, and others recognise calls by it. `thoughtMember`: the member that holds the thought
// (AnswerFormat::thoughtMember).
[[nodiscard]] std::string messageJson(const Message& message, std::string_view thoughtMember = kThoughtMember);
// Returns the list that templates receive as "messages".
[[nodiscard]] std::string messagesJson(std::span<const Message> messages,
                                       std::string_view thoughtMember = kThoughtMember);
// Reads what messagesJson() writes, or an object with such "messages", and what server APIs accept: "content" may be a
// list of parts, whose texts are joined. Errors: BadSyntax; NestingTooDeep.
[[nodiscard]] Result<std::vector<Message>> readMessages(std::string_view json);

struct ConversationOptions {
    std::string tools{};                       // a JSON list; empty: none
    bool generationPrompt = true;              // end the prompt with the beginning of the assistant's answer
    std::string thoughtMember{kThoughtMember}; // of messages
    std::vector<std::pair<std::string, std::string>> variables{}; // further variables: name, value as JSON
};

// Makes the request with everything that transformers passes to a template: the standard variables and the texts of the
// file's special tokens. Tool calls and their results are linked (linkToolCalls()).
[[nodiscard]] RenderRequest conversationRequest(const Metadata& metadata, std::string_view source,
                                                std::span<const Message> messages,
                                                const ConversationOptions& options = {});

// How a rendered template is tokenized. Texts of special tokens become these tokens; the beginning token is added where
// the file requires it and the template has not written it; an end token is never added.
[[nodiscard]] EncodeOptions promptEncoding();

// Common templates for models without one, by their usual names: "chatml", "alpaca" ….
struct UsualTemplate {
    std::string_view name;
    std::string_view source;
};
[[nodiscard]] std::span<const UsualTemplate> usualTemplates();

// Links tool results to tool calls. Some templates (Mistral's, Command R's) require each call to have an identifier,
// and each message of the role "tool" to name the call that it answers.

// `messages` is a JSON list as messagesJson() writes it. A function call without an "id" gets one of nine letters and
// digits, as Mistral's templates require. A tool message without a "tool_call_id" gets the id of the first preceding
// call that has no result yet, and the function's "name". Nothing else changes, byte for byte; any other text is
// returned as it is.
[[nodiscard]] std::string linkToolCalls(std::string messages);

// Gives each call of a list an "id" that `conversation`, a JSON list of messages, does not contain; calls that have one
// keep it.
[[nodiscard]] std::string identifyCalls(std::string calls, std::string_view conversation);

} // namespace gufo::text
