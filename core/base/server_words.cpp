#include "base/server_words.h"

#include "base/ascii.h"
#include "base/json_reader.h"
#include "base/utf8.h"

#include <algorithm>
#include <array>

namespace gufo {
namespace {

using Token = JsonReader::Token;

constexpr auto kErrorMembers = std::to_array<std::string_view>({"error", "message", "detail", "errors"});
constexpr std::size_t kMaxQuoted = 200; // bytes of a server's message that an error quotes

} // namespace

std::string oneLine(std::string_view text) {
    std::string line;
    for (const char c : text) {
        const bool isSpace = static_cast<unsigned char>(c) <= ' ';
        if (!isSpace) {
            line += c;
        } else if (!line.empty() && line.back() != ' ') {
            line += ' ';
        }
        if (line.size() == kMaxQuoted) {
            break;
        }
    }
    line.resize(line.size() - incompleteTail(line));
    while (line.ends_with(' ')) {
        line.pop_back();
    }
    return isValidUtf8(line) ? line : std::string();
}

std::string_view elementText(std::string_view document, std::string_view name) {
    const std::string folded = asciiLowerText(document);
    const std::size_t tag = folded.find('<' + std::string(name));
    const std::size_t begin = tag != folded.npos ? folded.find('>', tag) : folded.npos;
    const std::size_t end = begin != folded.npos ? folded.find("</" + std::string(name), begin) : folded.npos;
    return end != folded.npos ? document.substr(begin + 1, end - begin - 1) : std::string_view();
}

std::string withoutTags(std::string_view document) {
    std::string text;
    bool inTag = false;
    for (const char c : document) {
        inTag = inTag || c == '<';
        if (!inTag) {
            text += c;
        } else if (c == '>') {
            inTag = false;
            text += ' ';
        }
    }
    return text;
}

std::optional<std::string> jsonErrorMessage(std::string_view text) {
    JsonReader json(text);
    std::optional<std::string> message;
    bool isError = false;
    while (true) {
        const auto token = json.next();
        if (!token || *token == Token::End) {
            return token && isError ? std::optional(message.value_or("")) : std::nullopt;
        }
        if (*token == Token::Key) {
            isError = isError || std::ranges::find(kErrorMembers, json.text()) != kErrorMembers.end();
        } else if (*token == Token::String && isError && !message) {
            message = json.text();
        }
    }
}

std::string errorWords(std::string_view body) {
    if (const auto message = jsonErrorMessage(body)) {
        return oneLine(*message);
    }
    const std::string title = oneLine(elementText(body, "title"));
    return title.empty() ? oneLine(withoutTags(body)) : title;
}

} // namespace gufo
