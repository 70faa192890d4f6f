// The reader that scanners walk text with, and parts of regular expressions that several families of rules share.
#pragma once

#include "text/tokenizer/characters.h"
#include "text/tokenizer/pre_tokenizer.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace gufo::text::scan {

// A character with its kind.
struct Seen {
    char32_t code;
    const char* next;
    CharKind kind;
};

inline const CharKinds& kindTable() {
    static const CharKinds table;
    return table;
}

class Reader {
public:
    explicit Reader(const char* end)
        : m_end(end) {}

    [[nodiscard]] const char* end() const { return m_end; }

    // `from` must not be the end.
    [[nodiscard]] Seen at(const char* from) const {
        const Char c = decodeChar(from, m_end);
        return {c.code, from + c.bytes, m_kindOf(c.code)};
    }
    [[nodiscard]] bool startsWith(const char* from, KindSet set) const {
        return from < m_end && in(at(from).kind, set);
    }

    // Returns the end of the run of characters in the set.
    [[nodiscard]] const char* skip(const char* from, KindSet set) const {
        while (from < m_end) {
            const Seen c = at(from);
            if (!in(c.kind, set)) {
                break;
            }
            from = c.next;
        }
        return from;
    }
    [[nodiscard]] const char* skipAtMost(const char* from, KindSet set, int count) const {
        for (; count > 0 && startsWith(from, set); --count) {
            from = at(from).next;
        }
        return from;
    }
    template<typename Test>
    [[nodiscard]] const char* skipWhile(const char* from, const Test& test) const {
        while (from < m_end) {
            const Seen c = at(from);
            if (!test(c)) {
                break;
            }
            from = c.next;
        }
        return from;
    }

private:
    const char* m_end;
    CharKinds m_kindOf = kindTable();
};

inline constexpr KindSet kLetterOrNumber = kLetter | kNumber;
inline constexpr KindSet kOther = kAny & ~(kWhite | kLetterOrNumber); // [^\s\p{L}\p{N}]

// Finds the first position at or after `from` for which `matchAt(position)` returns an end beyond the position.
template<typename MatchAt>
Match firstMatch(const Reader& text, const char* from, const MatchAt& matchAt) {
    for (const char* at = from; at < text.end(); at = text.at(at).next) {
        if (const char* end = matchAt(at); end > at) {
            return {at, end};
        }
    }
    return {text.end(), text.end()};
}

// Matches 's 't 're 've 'm 'll 'd at a position before the end. Returns the end of the match or null. `anyCase`
// includes U+017F, which folds to s.
inline const char* contraction(const char* from, const char* end, bool anyCase) {
    if (*from != '\'' || end - from < 2) {
        return nullptr;
    }
    const auto letter = [&](int i) {
        const char c = from[i];
        return anyCase && c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    };
    const char first = letter(1);
    if (first == 's' || first == 't' || first == 'm' || first == 'd') {
        return from + 2;
    }
    if (end - from < 3) {
        return nullptr;
    }
    const char second = letter(2);
    const bool two = (first == 'r' && second == 'e') || (first == 'v' && second == 'e') ||
                     (first == 'l' && second == 'l') || (anyCase && first == '\xC5' && second == '\xBF');
    return two ? from + 3 : nullptr;
}

// \s+(?!\S)|\s+ at white space: a run leaves its last character to the next word.
inline const char* spaces(const Reader& text, const char* from) {
    const char* last = from;
    const char* at = from;
    while (text.startsWith(at, kWhite)) {
        last = at;
        at = text.at(at).next;
    }
    return at == text.end() || last == from ? at : last;
}

// \s*[\r\n]+, which matches the same as \s*[\r\n]: a run of white space up to its last line break. Returns `from` if
// there is none.
inline const char* throughLineBreaks(const Reader& text, const char* from) {
    const char* breaks = from;
    const char* at = from;
    while (at < text.end()) {
        const Seen c = text.at(at);
        if (!in(c.kind, kWhite)) {
            break;
        }
        at = c.next;
        if (c.kind == CharKind::LineBreak) {
            breaks = at;
        }
    }
    return breaks;
}

// \s*[\r\n]+|\s+(?!\S)|\s+ at white space; elsewhere returns `from`.
inline const char* breaksOrSpaces(const Reader& text, const char* from) {
    if (!text.startsWith(from, kWhite)) {
        return from;
    }
    const char* breaks = throughLineBreaks(text, from);
    return breaks > from ? breaks : spaces(text, from);
}

// \x20?[set]+
inline const char* symbols(const Reader& text, const char* from, KindSet set) {
    const char* start = *from == ' ' ? from + 1 : from;
    const char* at = text.skip(start, set);
    return at > start ? at : from;
}

// The same, followed by any number of \r and \n (and of "/" if `slash`).
inline const char* symbolsAndBreaks(const Reader& text, const char* from, KindSet set, bool slash) {
    const char* at = symbols(text, from, set);
    if (at == from) {
        return from;
    }
    return text.skipWhile(at,
                          [&](const Seen& c) { return c.kind == CharKind::LineBreak || (slash && c.code == U'/'); });
}

struct Range {
    char32_t first;
    char32_t last;
};

// `ranges` must be sorted and must not overlap.
template<std::size_t N>
bool inRanges(const std::array<Range, N>& ranges, char32_t code) {
    const auto* after = std::ranges::upper_bound(ranges, code, {}, &Range::first);
    return after != ranges.begin() && code <= std::prev(after)->last;
}

template<std::size_t N>
constexpr bool isSorted(const std::array<Range, N>& ranges) {
    for (std::size_t i = 0; i < N; ++i) {
        if (ranges[i].first > ranges[i].last || (i > 0 && ranges[i - 1].last >= ranges[i].first)) {
            return false;
        }
    }
    return true;
}

// Divides a run into groups of three characters counted from its end; the first group may be shorter.
inline std::size_t threesFromTheEnd(std::size_t left) { return left % 3 == 0 ? 3 : left % 3; }

} // namespace gufo::text::scan
