// A conversation with a model: its messages as a chat template gets them, the prompt that the template makes of them,
// and what the template puts behind an answer, which is where the model has to stop.
//
//     Rendering rendering = renderAndWait(conversationRequest(model->metadata, source, messages));
//     Encoding prompt = tokenizer->encode(rendering.text->toStdString(), promptEncoding());
//     … generate …, taking the answer apart with text/answer.h
//
// Texts are UTF-8. Threads: functions of their arguments; any.
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
    std::string content{};   // without thoughts and tool calls
    std::string reasoning{}; // what the assistant thought before; empty: nothing
    std::string toolCalls{}; // JSON, a list as OpenAI's API has it; empty: none
    bool operator==(const Message&) const = default;
};

// {"role", "content"} and where there is any "reasoning_content" and "tool_calls"; these stand in it as they were
// written, so that 1.0 stays 1.0. `content` is null where a message only calls tools.
[[nodiscard]] std::string messageJson(const Message& message);
// The variable "messages": a list of these.
[[nodiscard]] std::string messagesJson(std::span<const Message> messages);
// Reads what messagesJson() wrote and what the APIs of servers take: "content" may be a list of parts of type "text",
// which are joined. Errors: BadSyntax; NestingTooDeep.
[[nodiscard]] Result<std::vector<Message>> readMessages(std::string_view json);

struct ConversationOptions {
    std::string tools{};                                          // JSON, a list; empty: none
    bool generationPrompt = true;                                 // the assistant's answer is begun
    std::vector<std::pair<std::string, std::string>> variables{}; // further ones: name, value as JSON
};

// The request for a rendering, with all that transformers gives a template: the standard variables and the texts of
// the special tokens that the file names. Tool calls and their results are linked (tool_calls.h).
[[nodiscard]] RenderRequest conversationRequest(const Metadata& metadata, std::string_view source,
                                                std::span<const Message> messages,
                                                const ConversationOptions& options = {});

// How a rendering becomes the tokens of a prompt: the text of special tokens stands for them, one that begins the text
// is added where the file says so and the template has not written it, and none that ends it.
[[nodiscard]] EncodeOptions promptEncoding();

// What ends an answer beside the end tokens that the vocabulary knows (SpecialTokens::endOfGeneration).
struct AnswerEnd {
    std::vector<TokenId> tokens{};
    std::vector<std::string> stops{}; // texts, where the template uses no token
};
// A rendering of this tells it: the template's own text between an answer and the next question. Where the template
// refuses, there is nothing to tell.
[[nodiscard]] RenderRequest answerEndRequest(const Metadata& metadata, std::string_view source);
[[nodiscard]] AnswerEnd answerEndOf(const Rendering& rendering, const Tokenizer& tokenizer);

// Templates for models that bring none, by the name that people know: "chatml", "alpaca" ….
struct UsualTemplate {
    std::string_view name;
    std::string_view source;
};
[[nodiscard]] std::span<const UsualTemplate> usualTemplates();

} // namespace gufo::text
