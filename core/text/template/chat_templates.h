// The chat templates of a model, and what its vocabulary gives them.
//
// Keys: tokenizer.chat_template, and tokenizer.chat_template.NAME for others ("tool_use", "rag"), whose names stand in
// the array tokenizer.chat_templates.
#pragma once

#include "model/metadata.h"

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
    std::string_view source; // views the model
};

// The default one first, then in file order. Keys that hold no string are left out.
[[nodiscard]] std::vector<ChatTemplate> chatTemplates(const Metadata& metadata);

// The key of a template by its name.
[[nodiscard]] std::string chatTemplateKey(std::string_view name);
// The name by its key; empty if it is no key of a template.
[[nodiscard]] std::string_view chatTemplateName(std::string_view key);

// The variable by which a template lets thinking be switched on and off: "enable_thinking", "thinking"; empty: it does
// not. Found by its words, not by running it.
[[nodiscard]] std::string_view thinkingVariable(std::string_view source);

// The texts of the special tokens that the file names, as transformers gives them to templates: {"bos_token", "<s>"}.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> specialTokenTexts(const Metadata& metadata);

} // namespace gufo::text
