#include "text/conversation/marker_text.h"

#include "base/ascii.h"

#include <algorithm>

namespace gufo::text {
namespace {

constexpr std::string_view kWhiteSpace = " \t\r\n";
constexpr std::string_view kTagStart = "\xE2\x97\x81"; // U+25C1, as in Kimi's older markers
constexpr std::string_view kTagEnd = "\xE2\x96\xB7";   // U+25B7

// Returns the end of a tag in brackets that begins at `begin`; `begin` itself if none does.
std::size_t tagEnd(std::string_view marker, std::size_t begin) {
    const std::string_view rest = marker.substr(begin);
    const std::string_view close = rest.starts_with('<')         ? ">"
                                   : rest.starts_with('[')       ? "]"
                                   : rest.starts_with(kTagStart) ? kTagEnd
                                                                 : "";
    if (close.empty()) {
        return begin;
    }
    const std::size_t end = rest.find(close);
    if (end != std::string_view::npos && rest.substr(1, end).find(rest.front()) == std::string_view::npos) {
        return begin + end + close.size();
    }
    // A tag that a name completes: "<invoke name=\"".
    const std::size_t next = rest.find('<', 1);
    return rest.starts_with('<') ? (next == std::string_view::npos ? marker.size() : begin + next) : begin;
}

} // namespace

std::string_view withoutSpace(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(kWhiteSpace);
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(kWhiteSpace) + 1 - begin);
}

std::size_t spaceAt(std::string_view text, std::size_t at) {
    return std::min(text.find_first_not_of(kWhiteSpace, at), text.size()) - std::min(at, text.size());
}

MarkerMatch matchMarker(std::string_view text, std::string_view marker) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < marker.size();) {
        if (const std::size_t space = spaceAt(marker, i); space != 0) {
            i += space;
            at += spaceAt(text, at);
            continue;
        }
        if (at == text.size()) {
            return {.state = MarkerMatch::State::Partial};
        }
        if (text[at++] != marker[i++]) {
            return {};
        }
    }
    return {.state = MarkerMatch::State::Whole, .bytes = at};
}

std::size_t begunAtEnd(std::string_view text, std::string_view marker) {
    for (std::size_t length = std::min(marker.size() - 1, text.size()); !marker.empty() && length > 0; --length) {
        if (text.ends_with(marker.substr(0, length))) {
            return length;
        }
    }
    return 0;
}

std::vector<std::string> tagsOf(std::string_view marker) {
    std::vector<std::string> tags;
    std::size_t at = 0;
    for (;;) {
        at += spaceAt(marker, at);
        if (at == marker.size()) {
            return tags;
        }
        std::size_t end = tagEnd(marker, at);
        if (end == at) {
            end = marker.find_first_of(" \t\r\n<", at + 1);
            end = std::min(end, marker.size());
        }
        tags.emplace_back(withoutSpace(marker.substr(at, end - at)));
        at = end;
    }
}

bool isTag(std::string_view tag) {
    constexpr std::size_t kShortest = 3;
    const bool isBracketed = tag.starts_with('<') || tag.starts_with('[') || tag.starts_with(kTagStart);
    return isBracketed && tag.size() >= kShortest && std::ranges::any_of(tag, isAsciiLetterOrDigit);
}

} // namespace gufo::text
