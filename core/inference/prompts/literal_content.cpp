#include "inference/prompts/literal_content.h"

#include "base/utf8.h"

#include <algorithm>

namespace gufo::inference {
namespace {

constexpr std::string_view kAssistant = "assistant";

// Tokens of a single character have no inside for a mark; none is longer than a character's bytes.
std::uint32_t placeInside(std::string_view text, const text::TextRange& range) {
    return range.begin + static_cast<std::uint32_t>(decodeChar(text.substr(range.begin)).bytes);
}

void addSpecials(std::string_view text, const text::Tokenizer& tokenizer, std::vector<std::string>& found) {
    for (const text::FoundSpecial& special : tokenizer.findSpecials(text)) {
        std::string name(text.substr(special.range.begin, special.range.end - special.range.begin));
        if (std::ranges::find(found, name) == found.end()) {
            found.push_back(std::move(name));
        }
    }
}

} // namespace

std::vector<std::string> typedSpecials(std::string_view text, const text::Tokenizer& tokenizer) {
    std::vector<std::string> found;
    addSpecials(text, tokenizer, found);
    return found;
}

std::vector<std::string> typedSpecials(std::span<const text::Message> messages, const text::Tokenizer& tokenizer) {
    const auto last = std::ranges::find(messages.rbegin(), messages.rend(), kAssistant, &text::Message::role);
    std::vector<std::string> found;
    for (auto message = last.base(); message != messages.end(); ++message) {
        addSpecials(message->content, tokenizer, found);
    }
    return found;
}

std::vector<std::string> typedSpecials(const ResponseRequest& request, const text::Tokenizer& tokenizer) {
    if (request.literalContent) {
        return {};
    }
    const auto* chat = std::get_if<ChatPrompt>(&request.prompt);
    return chat != nullptr ? typedSpecials(chat->messages, tokenizer)
                           : typedSpecials(std::get<std::string>(request.prompt), tokenizer);
}

std::vector<std::uint32_t> literalPlaces(std::string_view text, const text::Tokenizer& tokenizer) {
    std::vector<std::uint32_t> places;
    for (const text::FoundSpecial& special : tokenizer.findSpecials(text)) {
        places.push_back(placeInside(text, special.range));
    }
    return places;
}

std::string markFor(std::span<const text::Message> messages) {
    // Noncharacters of Unicode, U+FDD0 to U+FDEF, are for use inside of a program.
    for (char last = '\x90'; last <= '\xAF'; ++last) {
        const std::string mark{'\xEF', '\xB7', last};
        if (std::ranges::none_of(messages, [&](const text::Message& message) {
                return message.content.contains(mark) || message.reasoning.contains(mark) ||
                       message.toolCalls.contains(mark);
            })) {
            return mark;
        }
    }
    return {};
}

void markSpecials(std::vector<text::Message>& messages, std::string_view mark, const text::Tokenizer& tokenizer) {
    for (text::Message& message : messages) {
        if (message.role == kAssistant) {
            continue;
        }
        const auto places = literalPlaces(message.content, tokenizer);
        for (auto place = places.rbegin(); place != places.rend(); ++place) {
            message.content.insert(*place, mark);
        }
    }
}

std::vector<std::uint32_t> takeMarks(std::string& text, std::string_view mark) {
    std::vector<std::uint32_t> places;
    if (mark.empty()) {
        return places;
    }
    std::string without;
    std::size_t from = 0;
    for (std::size_t at = text.find(mark); at != text.npos; at = text.find(mark, from)) {
        without.append(text, from, at - from);
        places.push_back(static_cast<std::uint32_t>(without.size()));
        from = at + mark.size();
    }
    without.append(text, from, text.npos);
    text = std::move(without);
    return places;
}

} // namespace gufo::inference
