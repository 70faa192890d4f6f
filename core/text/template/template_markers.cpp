#include "text/template/template_markers.h"

#include "base/ascii.h"
#include "base/json_reader.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace gufo::text {
namespace {

constexpr std::size_t kLongestMarker = 64;
constexpr std::string_view kSpaces = " \t\r\n";

bool isWordCharacter(char c) { return isAsciiLetterOrDigit(c) || c == '_'; }

// A part of a source that may be printed.
struct Piece {
    SourceRange range;
    bool isText; // outside of tags; otherwise the inside of a string in a tag
};

// The position after the tag that begins at `begin`, and the strings in it.
std::size_t readTag(std::string_view source, std::size_t begin, std::string_view end, std::vector<Piece>& pieces) {
    for (std::size_t at = begin + 2; at < source.size(); ++at) {
        if (source.substr(at).starts_with(end)) {
            return at + end.size();
        }
        const char quote = source[at];
        if (quote != '\'' && quote != '"') {
            continue;
        }
        const std::size_t first = ++at;
        while (at < source.size() && source[at] != quote) {
            at += source[at] == '\\' ? 2 : 1;
        }
        at = std::min(at, source.size());
        pieces.push_back({.range = {.offset = first, .length = at - first}, .isText = false});
    }
    return source.size();
}

// Whether the tag that begins at `begin` is {% name %}, with or without white space control.
bool isTag(std::string_view source, std::size_t begin, std::string_view name) {
    std::string_view inside = source.substr(begin + 2);
    inside.remove_prefix(std::min(inside.find_first_not_of(" \t\r\n-+"), inside.size()));
    return inside.starts_with(name) && (inside.size() == name.size() || !isWordCharacter(inside[name.size()]));
}

std::vector<Piece> piecesOf(std::string_view source) {
    std::vector<Piece> pieces;
    std::size_t text = 0;
    const auto endText = [&](std::size_t at) {
        if (at > text) {
            pieces.push_back({.range = {.offset = text, .length = at - text}, .isText = true});
        }
    };
    std::size_t at = 0;
    while ((at = source.find('{', at)) != std::string_view::npos && at + 1 < source.size()) {
        const char kind = source[at + 1];
        if (kind != '{' && kind != '%' && kind != '#') {
            ++at;
            continue;
        }
        endText(at);
        if (kind == '#') {
            const std::size_t end = source.find("#}", at + 2);
            at = end == std::string_view::npos ? source.size() : end + 2;
        } else {
            const bool isRaw = kind == '%' && isTag(source, at, "raw");
            at = readTag(source, at, kind == '{' ? "}}" : "%}", pieces);
            for (text = at; isRaw && at < source.size(); ++at) {
                if (source.substr(at, 2) == "{%" && isTag(source, at, "endraw")) {
                    endText(at);
                    break;
                }
            }
        }
        text = at;
    }
    endText(source.size());
    return pieces;
}

// Whether the string between the quotation marks is compared with something or searched for, and so is not printed.
bool isOnlyCompared(std::string_view source, SourceRange inside) {
    std::string_view before = source.substr(0, inside.offset - 1);
    before = before.substr(0, before.find_last_not_of(kSpaces) + 1);
    std::string_view after = source.substr(std::min(inside.offset + inside.length + 1, source.size()));
    after.remove_prefix(std::min(after.find_first_not_of(kSpaces), after.size()));
    const auto startsWithWord = [&](std::string_view word) {
        return after.starts_with(word) && (after.size() == word.size() || !isWordCharacter(after[word.size()]));
    };
    const auto endsWithWord = [&](std::string_view word) {
        return before.ends_with(word) &&
               (before.size() == word.size() || !isWordCharacter(before[before.size() - word.size() - 1]));
    };
    constexpr auto kSearches = std::to_array<std::string_view>(
        {"split(", "rsplit(", "startswith(", "endswith(", "replace(", "strip(", "lstrip(", "rstrip(", "find(", "rfind(",
         "index(", "count(", "partition(", "rpartition(", "removeprefix(", "removesuffix("});
    return before.ends_with("==") || before.ends_with("!=") || after.starts_with("==") || after.starts_with("!=") ||
           startsWithWord("in") || startsWithWord("not") || endsWithWord("in") ||
           std::ranges::any_of(kSearches, endsWithWord);
}

// Calls take(range) for each marker in a part of the source.
template<typename Take>
void findMarkers(std::string_view source, SourceRange part, const Take& take) {
    const std::string_view text = source.substr(part.offset, part.length);
    for (std::size_t open = text.find('<'); open != std::string_view::npos; open = text.find('<', open + 1)) {
        const std::size_t close = text.substr(0, open + kLongestMarker).find('>', open);
        if (close != std::string_view::npos && isMarker(text.substr(open, close + 1 - open))) {
            take(SourceRange{.offset = part.offset + open, .length = close + 1 - open});
        }
    }
}

} // namespace

bool isMarker(std::string_view text) {
    for (const auto& [open, close] : {std::pair<std::string_view, std::string_view>{"<|", "|>"}, {"<｜", "｜>"}}) {
        if (text.size() >= open.size() + close.size() + 2 && text.starts_with(open) && text.ends_with(close)) {
            const std::string_view inside = text.substr(open.size(), text.size() - open.size() - close.size());
            return std::ranges::none_of(inside, [](char c) { return c == ' ' || c == '<' || c == '>' || c == '\n'; });
        }
    }
    // Gemma 4 opens with "<|turn>" and closes with "<turn|>".
    const bool opens = text.starts_with("<|") && text.ends_with('>');
    const bool closes = text.starts_with('<') && text.ends_with("|>");
    if (opens != closes && text.size() >= 5) {
        const std::string_view inside = text.substr(opens ? 2 : 1, text.size() - 3);
        return isAsciiLetter(inside.front()) && std::ranges::all_of(inside, isWordCharacter);
    }
    return text == "<start_of_turn>" || text == "<end_of_turn>";
}

std::size_t lineAt(std::string_view source, std::size_t offset) {
    return 1 + static_cast<std::size_t>(std::ranges::count(source.substr(0, offset), '\n'));
}

std::vector<SourceRange> printedMarkers(std::string_view source) {
    std::vector<SourceRange> markers;
    std::set<std::string_view> known;
    for (const Piece& piece : piecesOf(source)) {
        if (!piece.isText && isOnlyCompared(source, piece.range)) {
            continue;
        }
        findMarkers(source, piece.range, [&](const SourceRange& found) {
            if (known.insert(source.substr(found.offset, found.length)).second) {
                markers.push_back(found);
            }
        });
    }
    return markers;
}

std::vector<std::string_view> markersIn(std::string_view text) {
    std::vector<std::string_view> markers;
    std::set<std::string_view> known;
    findMarkers(text, {.offset = 0, .length = text.size()}, [&](const SourceRange& found) {
        const std::string_view marker = text.substr(found.offset, found.length);
        if (known.insert(marker).second) {
            markers.push_back(marker);
        }
    });
    return markers;
}

SourceRange joinedMarkerStart(std::string_view source) {
    for (const auto& [range, isText] : piecesOf(source)) {
        for (const std::string_view open : {"<|", "<｜"}) {
            if (source.substr(range.offset, range.length).ends_with(open)) {
                return {.offset = range.offset + range.length - open.size(), .length = open.size()};
            }
        }
    }
    return {};
}

std::vector<SourceRange> literalNewlines(std::string_view source) {
    std::vector<SourceRange> found;
    for (const auto& [range, isText] : piecesOf(source)) {
        const std::string_view text = source.substr(range.offset, range.length);
        for (std::size_t at = isText ? text.find("\\n") : text.npos; at != text.npos; at = text.find("\\n", at + 2)) {
            found.push_back({.offset = range.offset + at, .length = 2});
        }
    }
    return found;
}

std::string withLineBreaks(std::string_view source) {
    std::string text;
    std::size_t at = 0;
    for (const SourceRange& range : literalNewlines(source)) {
        text.append(source.substr(at, range.offset - at)).append(1, '\n');
        at = range.offset + range.length;
    }
    return text.append(source.substr(at));
}

std::optional<std::string> withoutQuotes(std::string_view source) {
    const std::size_t first = source.find_first_not_of(kSpaces);
    const std::size_t last = source.find_last_not_of(kSpaces);
    if (first == std::string_view::npos || last <= first + 1 || source[first] != source[last] ||
        (source[first] != '"' && source[first] != '\'')) {
        return std::nullopt;
    }
    const std::string_view quoted = source.substr(first, last + 1 - first);
    JsonReader reader(quoted);
    if (const auto token = reader.next(); token && *token == JsonReader::Token::String) {
        std::string text = reader.text();
        if (const auto end = reader.next(); end && *end == JsonReader::Token::End) {
            return text;
        }
    }
    return std::string(quoted.substr(1, quoted.size() - 2));
}

} // namespace gufo::text
