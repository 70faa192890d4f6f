// The chat templates of a model, and the special tokens that its vocabulary provides for them.
//
// Keys: tokenizer.chat_template is the default template. Others ("tool_use", "rag") are in
// tokenizer.chat_template.NAME; the array tokenizer.chat_templates lists their names.
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include "model/metadata.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gufo::text {

inline constexpr std::string_view kChatTemplateKey = "tokenizer.chat_template";
inline constexpr std::string_view kChatTemplateNamesKey = "tokenizer.chat_templates";
inline constexpr std::string_view kDefaultTemplate = "default";

struct ChatTemplate {
    std::string name; // "default" for tokenizer.chat_template
    std::string_view key;
    std::string_view source; // a view of the metadata
};

// Returns the default template first and the others in file order. Keys whose value is not a string are skipped.
[[nodiscard]] std::vector<ChatTemplate> chatTemplates(const Metadata& metadata);

// The model's template "tool_use" is for conversations with tools.
inline constexpr std::string_view kToolTemplate = "tool_use";
// Returns the template that a conversation uses unless the user chooses one: with tools "tool_use", where there is one.
// Null if there are no templates.
[[nodiscard]] const ChatTemplate* chosenTemplate(std::span<const ChatTemplate> templates, bool tools);
// Whether a tag of the source names the variable "tools". A template that does not leaves out all tools.
[[nodiscard]] bool namesTools(std::string_view source);

// Returns the key of a template.
[[nodiscard]] std::string chatTemplateKey(std::string_view name);
// Returns the name of a template from its key; empty for other keys.
[[nodiscard]] std::string_view chatTemplateName(std::string_view key);

// Returns the variable by which the template switches reasoning on and off ("enable_thinking", "thinking"), or nothing.
// It is found in the source, without rendering.
[[nodiscard]] std::string_view thinkingVariable(std::string_view source);

// Returns the texts of the file's special tokens as transformers passes them to templates: {"bos_token", "<s>"}.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> specialTokenTexts(const Metadata& metadata);

} // namespace gufo::text
