#include "formats/downloads.h"

#include "base/ascii.h"
#include "base/json_reader.h"
#include "base/utf8.h"
#include "formats/signatures.h"

#include <algorithm>
#include <array>

namespace gufo::downloads {
namespace {

using std::string_view_literals::operator""sv;
using Token = JsonReader::Token;

constexpr auto kSuffixes = std::to_array<std::string_view>(
    {".part", ".partial", ".downloadinprogress", ".incomplete", ".crdownload", ".opdownload", ".download"});
constexpr auto kErrorMembers = std::to_array<std::string_view>({"error", "message", "detail", "errors"});
constexpr auto kErrorTexts =
    std::to_array<std::string_view>({"not found", "unauthorized", "forbidden", "access denied", "is restricted",
                                     "invalid username", "invalid credentials", "too many requests", "bad gateway"});
constexpr std::size_t kMaxTextError = 512;
constexpr std::size_t kMaxQuoted = 200; // bytes of a server's words that an error quotes

std::string lower(std::string_view text) {
    std::string made(text);
    std::ranges::transform(made, made.begin(), asciiLower);
    return made;
}

// One line, cut to the length that an error quotes.
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

// The content of the first element of that name; empty if there is none.
std::string_view elementText(std::string_view document, std::string_view name) {
    const std::string folded = lower(document);
    const std::size_t tag = folded.find('<' + std::string(name));
    const std::size_t begin = tag != folded.npos ? folded.find('>', tag) : folded.npos;
    const std::size_t end = begin != folded.npos ? folded.find("</" + std::string(name), begin) : folded.npos;
    return end != folded.npos ? document.substr(begin + 1, end - begin - 1) : std::string_view();
}

// The text outside of the tags.
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

// The message of a JSON object that is an error. A member may be a text, or an object or list with one.
std::optional<std::string> jsonMessage(std::string_view text) {
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

std::string afterLine(std::string_view text, std::string_view start) {
    const std::size_t at = text.find(start);
    if (at == text.npos) {
        return {};
    }
    const std::string_view rest = text.substr(at + start.size());
    return std::string(rest.substr(0, rest.find_first_of("\r\n"sv)));
}

std::string_view suffixOf(const std::filesystem::path& path) {
    const std::string name = lower(path.filename().native());
    const auto* found = std::ranges::find_if(
        kSuffixes, [&](std::string_view suffix) { return name.size() > suffix.size() && name.ends_with(suffix); });
    return found != kSuffixes.end() ? *found : std::string_view();
}

Error reply(const FileStart& start, std::string_view words) {
    return Error{ErrorCode::ServerReply, start.path, {}, {oneLine(words)}, 0};
}

} // namespace

bool isUnfinished(const FileStart& start) { return !suffixOf(start.path).empty(); }

bool isJsonError(const FileStart& start) {
    return start.bytes.size() == start.fileBytes && signature::isJson(start) && jsonMessage(start.bytes).has_value();
}

bool isTextError(const FileStart& start) {
    if (start.fileBytes > kMaxTextError || !signature::isText(start)) {
        return false;
    }
    const std::string text = lower(start.bytes);
    return std::ranges::any_of(kErrorTexts, [&](std::string_view words) { return text.contains(words); });
}

Error lfsPointer(const FileStart& start) {
    std::string bytes = afterLine(start.bytes, "\nsize "sv);
    const bool isNumber = !bytes.empty() && bytes.find_first_not_of("0123456789"sv) == bytes.npos;
    return Error{ErrorCode::LfsPointer,
                 start.path,
                 {},
                 {isNumber ? std::move(bytes) : std::string("0"), oneLine(afterLine(start.bytes, "\noid "sv))},
                 0};
}

Error unfinished(const FileStart& start) {
    std::string name = start.path.filename().native();
    name.resize(name.size() - suffixOf(start.path).size());
    return Error{ErrorCode::UnfinishedDownload, start.path, {}, {std::move(name)}, 0};
}

Error htmlReply(const FileStart& start) {
    const std::string title = oneLine(elementText(start.bytes, "title"sv));
    return reply(start, title.empty() ? withoutTags(start.bytes) : title);
}

Error xmlReply(const FileStart& start) {
    std::string_view words = elementText(start.bytes, "message"sv);
    words = words.empty() ? elementText(start.bytes, "code"sv) : words;
    return words.empty() ? Error{ErrorCode::OtherFormat, start.path, {}, {"xml"sv}, 0} : reply(start, words);
}

Error jsonReply(const FileStart& start) { return reply(start, jsonMessage(start.bytes).value_or("")); }

Error textReply(const FileStart& start) { return reply(start, start.bytes); }

} // namespace gufo::downloads
