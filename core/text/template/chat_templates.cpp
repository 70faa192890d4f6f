#include "text/template/chat_templates.h"

#include "base/ascii.h"
#include "model/array_index.h"

#include <algorithm>
#include <array>

namespace gufo::text {
namespace {

constexpr auto kSpecialTokens = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"bos_token", "tokenizer.ggml.bos_token_id"},
    {"eos_token", "tokenizer.ggml.eos_token_id"},
    {"unk_token", "tokenizer.ggml.unknown_token_id"},
    {"sep_token", "tokenizer.ggml.seperator_token_id"}, // the format's spelling
    {"pad_token", "tokenizer.ggml.padding_token_id"},
    {"cls_token", "tokenizer.ggml.cls_token_id"},
    {"mask_token", "tokenizer.ggml.mask_token_id"},
});

// Walks the array, which has no index; this is fast enough for the few special tokens.
std::string elementText(const ArrayView& array, std::uint64_t index) {
    if (array.elementType != ValueType::String || index >= array.length) {
        return {};
    }
    Bytes rest = array.bytes;
    for (;; --index) {
        const auto element = valueAt(array.elementType, rest, array.layout);
        if (!element) {
            return {};
        }
        if (index == 0) {
            return std::string(asString(element->value).value_or(std::string_view()));
        }
        rest = rest.subspan(element->bytes);
    }
}

bool isPartOfName(char c) { return isAsciiLetterOrDigit(c) || c == '_'; }

} // namespace

std::vector<ChatTemplate> chatTemplates(const Metadata& metadata) {
    std::vector<ChatTemplate> templates;
    for (const KeyValue& entry : metadata) {
        const std::string_view name = chatTemplateName(entry.key);
        const auto source = asString(entry.value);
        if (!name.empty() && source) {
            const ChatTemplate found{.name = std::string(name), .key = entry.key, .source = *source};
            templates.insert(name == kDefaultTemplate ? templates.begin() : templates.end(), found);
        }
    }
    return templates;
}

const ChatTemplate* chosenTemplate(std::span<const ChatTemplate> templates, bool tools) {
    if (templates.empty()) {
        return nullptr;
    }
    const auto found = std::ranges::find(templates, kToolTemplate, &ChatTemplate::name);
    return tools && found != templates.end() ? &*found : &templates.front();
}

bool namesTools(std::string_view source) {
    constexpr std::string_view kTools = "tools";
    // Text outside of tags may mention tools, too.
    for (std::size_t tag = source.find('{'); tag < source.size(); tag = source.find('{', tag + 1)) {
        const std::string_view start = source.substr(tag, 2);
        if (start != "{{" && start != "{%") {
            continue;
        }
        const std::size_t end = std::min(source.find(start == "{{" ? "}}" : "%}", tag + 2), source.size());
        const std::string_view inside = source.substr(tag, end - tag);
        for (std::size_t at = inside.find(kTools); at != inside.npos; at = inside.find(kTools, at + 1)) {
            const std::size_t after = at + kTools.size();
            if (!isPartOfName(inside[at - 1]) && (after == inside.size() || !isPartOfName(inside[after]))) {
                return true;
            }
        }
        tag = end;
    }
    return false;
}

std::string_view thinkingVariable(std::string_view source) {
    constexpr std::string_view kUsual = "enable_thinking"; // Qwen 3, SmolLM 3, GLM 4.5, EXAONE 4
    constexpr std::string_view kOther = "thinking";        // DeepSeek V3.1, Granite 3
    if (source.find(kUsual) != std::string_view::npos) {
        return kUsual;
    }
    // Accept only a variable that is tested, not a member of a message or a word in a text.
    for (std::size_t at = source.find(kOther); at != std::string_view::npos; at = source.find(kOther, at + 1)) {
        const std::string_view before = source.substr(0, at);
        const std::string_view after = source.substr(at + kOther.size());
        const bool isName = !before.empty() && !isPartOfName(before.back()) && before.back() != '.' &&
                            (after.empty() || !isPartOfName(after.front()));
        if (isName && (before.ends_with("if ") || before.ends_with("not ") || after.starts_with(" is "))) {
            return kOther;
        }
    }
    return {};
}

std::string chatTemplateKey(std::string_view name) {
    std::string key(kChatTemplateKey);
    if (name != kDefaultTemplate) {
        key.append(".").append(name);
    }
    return key;
}

std::string_view chatTemplateName(std::string_view key) {
    if (key == kChatTemplateKey) {
        return kDefaultTemplate;
    }
    const bool isNamed = key.size() > kChatTemplateKey.size() + 1 && key.starts_with(kChatTemplateKey) &&
                         key[kChatTemplateKey.size()] == '.';
    return isNamed ? key.substr(kChatTemplateKey.size() + 1) : std::string_view();
}

std::vector<std::pair<std::string, std::string>> specialTokenTexts(const Metadata& metadata) {
    std::vector<std::pair<std::string, std::string>> texts;
    const ArrayView* tokens = metadata.array("tokenizer.ggml.tokens");
    for (const auto& [name, key] : kSpecialTokens) {
        const auto id = metadata.uint(key);
        if (tokens == nullptr || !id) {
            continue;
        }
        if (std::string text = elementText(*tokens, *id); !text.empty()) {
            texts.emplace_back(name, std::move(text));
        }
    }
    return texts;
}

} // namespace gufo::text
