#include "text/tokenizer/pre_scanners.h"

#include "text/tokenizer/characters.h"

#include <algorithm>
#include <array>

namespace gufo::text::scan {
namespace {

const CharKinds& kindTable() {
    static const CharKinds table;
    return table;
}

// A character together with its kind.
struct Seen {
    char32_t code;
    const char* next;
    CharKind kind;
};

// Walks a piece of text. `from` == end gives a character that is in no set.
class Reader {
public:
    explicit Reader(const char* end)
        : m_end(end) {}

    [[nodiscard]] const char* end() const { return m_end; }

    [[nodiscard]] Seen at(const char* from) const {
        const Char c = decodeChar(from, m_end);
        return {c.code, from + c.bytes, m_kindOf(c.code)};
    }
    [[nodiscard]] bool startsWith(const char* from, KindSet set) const {
        return from < m_end && in(at(from).kind, set);
    }

    // The end of the run of characters in the set.
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

constexpr KindSet kLetterOrNumber = kLetter | kNumber;
constexpr KindSet kOther = kAny & ~(kWhite | kLetterOrNumber); // [^\s\p{L}\p{N}]

// The first place at or after `from` where `matchAt(place)` gives an end beyond the place.
template<typename MatchAt>
Match firstMatch(const Reader& text, const char* from, const MatchAt& matchAt) {
    for (const char* at = from; at < text.end(); at = text.at(at).next) {
        if (const char* end = matchAt(at); end > at) {
            return {at, end};
        }
    }
    return {text.end(), text.end()};
}

// 's 't 're 've 'm 'll 'd at the apostrophe: its end, or null.
const char* contraction(const char* from, const char* end, bool anyCase) {
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
    const bool two =
        (first == 'r' && second == 'e') || (first == 'v' && second == 'e') || (first == 'l' && second == 'l');
    return two ? from + 3 : nullptr;
}

// \s+(?!\S)|\s+ at white space: a run leaves its last character to the word that follows.
const char* spaces(const Reader& text, const char* from) {
    const char* last = from;
    const char* at = from;
    while (text.startsWith(at, kWhite)) {
        last = at;
        at = text.at(at).next;
    }
    return at == text.end() || last == from ? at : last;
}

// \s*[\r\n]+ at white space: through the last line break of the run; `from` if it has none.
const char* throughLineBreaks(const Reader& text, const char* from) {
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

//  ?[class]+ followed by any of \r, \n (and "/" where `slash`).
const char* symbols(const Reader& text, const char* from, KindSet set, bool slash) {
    const char* start = *from == ' ' ? from + 1 : from;
    const char* at = text.skip(start, set);
    if (at == start) {
        return from;
    }
    return text.skipWhile(at,
                          [&](const Seen& c) { return c.kind == CharKind::LineBreak || (slash && c.code == U'/'); });
}

// What the newer rules share after their letters and numbers.
const char* symbolsAndSpaces(const Reader& text, const char* from, KindSet symbolSet, bool slash) {
    if (const char* end = symbols(text, from, symbolSet, slash); end > from) {
        return end;
    }
    if (!text.startsWith(from, kWhite)) {
        return from;
    }
    const char* breaks = throughLineBreaks(text, from);
    return breaks > from ? breaks : spaces(text, from);
}

const char* cl100k(const Reader& text, const char* from, int numbersAtOnce) {
    if (const char* end = contraction(from, text.end(), true)) {
        return end;
    }
    const Seen first = text.at(from);
    if (in(first.kind, kLetter)) {
        return text.skip(first.next, kLetter);
    }
    if (first.kind == CharKind::Number) {
        return text.skipAtMost(from, kNumber, numbersAtOnce);
    }
    if (first.kind != CharKind::LineBreak) {
        if (const char* end = text.skip(first.next, kLetter); end > first.next) {
            return end;
        }
    }
    return symbolsAndSpaces(text, from, kOther, false);
}

constexpr KindSet kUpperLike = kinds(CharKind::UpperLetter, CharKind::OtherLetter) | kMark;
constexpr KindSet kLowerLike = kinds(CharKind::LowerLetter, CharKind::OtherLetter) | kMark;

// U*L+ where it may have to give back: the longest run of U, then L; if no L follows, back to the last U that is one
// too.
const char* upperThenLower(const Reader& text, const char* from) {
    const char* afterLastBoth = nullptr;
    const char* at = from;
    while (at < text.end()) {
        const Seen c = text.at(at);
        if (!in(c.kind, kUpperLike)) {
            break;
        }
        at = c.next;
        if (in(c.kind, kLowerLike)) {
            afterLastBoth = at;
        }
    }
    const char* end = text.skip(at, kLowerLike);
    if (end > at) {
        return end;
    }
    return afterLastBoth != nullptr ? afterLastBoth : from;
}

// U+L*
const char* upperPlus(const Reader& text, const char* from) {
    const char* at = text.skip(from, kUpperLike);
    return at > from ? text.skip(at, kLowerLike) : from;
}

const char* o200k(const Reader& text, const char* from, int numbersAtOnce, bool contractions) {
    const Seen first = text.at(from);
    if (first.kind == CharKind::Number) {
        return text.skipAtMost(from, kNumber, numbersAtOnce);
    }
    const bool mayLead = !in(first.kind, kLetterOrNumber | kLineBreak);
    for (const auto word : {upperThenLower, upperPlus}) {
        // A leading character is taken if the word can do with it, and is part of the word otherwise (a mark).
        for (const char* start : {mayLead ? first.next : nullptr, from}) {
            if (start == nullptr) {
                continue;
            }
            if (const char* end = word(text, start); end > start) {
                const char* tail = contractions && end < text.end() ? contraction(end, text.end(), true) : nullptr;
                return tail != nullptr ? tail : end;
            }
        }
    }
    return symbolsAndSpaces(text, from, kOther, true);
}

const char* gpt2At(const Reader& text, const char* from) {
    if (const char* end = contraction(from, text.end(), false)) {
        return end;
    }
    const char* start = *from == ' ' && from + 1 < text.end() ? from + 1 : from;
    const CharKind kind = text.at(start).kind;
    if (in(kind, kLetter)) {
        return text.skip(start, kLetter);
    }
    if (kind == CharKind::Number) {
        return text.skip(start, kNumber);
    }
    if (in(kind, kOther)) {
        return text.skip(start, kOther);
    }
    return spaces(text, from);
}

bool isAsciiPunctuation(char c) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}
bool isAsciiLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

const char* deepseek3At(const Reader& text, const char* from) {
    if (isAsciiPunctuation(*from)) {
        const char* at = from + 1;
        while (at < text.end() && isAsciiLetter(*at)) {
            ++at;
        }
        if (at > from + 1) {
            return at;
        }
    }
    constexpr KindSet kWord = kLetter | kMark;
    const Seen first = text.at(from);
    if (!in(first.kind, kLetter | kPunctuationOrSymbol | kLineBreak)) {
        if (const char* end = text.skip(first.next, kWord); end > first.next) {
            return end;
        }
    }
    if (const char* end = text.skip(from, kWord); end > from) {
        return end;
    }
    return symbolsAndSpaces(text, from, kPunctuationOrSymbol, false);
}

// The end of \s?X+ at a place.
template<typename Test>
const char* afterOptionalSpace(const Reader& text, const char* from, const Test& test) {
    if (const Seen first = text.at(from); in(first.kind, kWhite)) {
        if (const char* end = text.skipWhile(first.next, test); end > first.next) {
            return end;
        }
    }
    return text.skipWhile(from, test);
}

struct Range {
    char32_t first;
    char32_t last;
};

// Sorted. The letters that DeepSeek LLM's tokenizer.json lists: cased ones, without Georgian's lower case.
constexpr auto kDeepseekLetters = std::to_array<Range>({
    {'A', 'Z'},         {'a', 'z'},         {0xB5, 0xB5},       {0xC0, 0xD6},       {0xD8, 0xF6},
    {0xF8, 0x1BA},      {0x1BC, 0x1BF},     {0x1C4, 0x293},     {0x295, 0x2AF},     {0x370, 0x373},
    {0x376, 0x377},     {0x37B, 0x37D},     {0x37F, 0x37F},     {0x386, 0x386},     {0x388, 0x38A},
    {0x38C, 0x38C},     {0x38E, 0x3A1},     {0x3A3, 0x3F5},     {0x3F7, 0x481},     {0x48A, 0x52F},
    {0x531, 0x556},     {0x10A0, 0x10C5},   {0x13A0, 0x13F5},   {0x13F8, 0x13FD},   {0x1C90, 0x1CBA},
    {0x1CBD, 0x1CBF},   {0x1D00, 0x1D2B},   {0x1D6B, 0x1D77},   {0x1D79, 0x1D9A},   {0x1E00, 0x1F15},
    {0x1F18, 0x1F1D},   {0x1F20, 0x1F45},   {0x1F48, 0x1F4D},   {0x1F50, 0x1F57},   {0x1F59, 0x1F59},
    {0x1F5B, 0x1F5B},   {0x1F5D, 0x1F5D},   {0x1F5F, 0x1F7D},   {0x1F80, 0x1FB4},   {0x1FB6, 0x1FBC},
    {0x1FBE, 0x1FBE},   {0x1FC2, 0x1FC4},   {0x1FC6, 0x1FCC},   {0x1FD0, 0x1FD3},   {0x1FD6, 0x1FDB},
    {0x1FE0, 0x1FEC},   {0x1FF2, 0x1FF4},   {0x1FF6, 0x1FFC},   {0x2102, 0x2102},   {0x2107, 0x2107},
    {0x210A, 0x2113},   {0x2115, 0x2115},   {0x2119, 0x211D},   {0x2124, 0x2124},   {0x2126, 0x2126},
    {0x2128, 0x2128},   {0x212A, 0x212D},   {0x212F, 0x2134},   {0x2139, 0x2139},   {0x213C, 0x213F},
    {0x2145, 0x2149},   {0x214E, 0x214E},   {0x2183, 0x2184},   {0x2C00, 0x2C7B},   {0x2C7E, 0x2CE4},
    {0x2CEB, 0x2CEE},   {0x2CF2, 0x2CF3},   {0xA640, 0xA66D},   {0xA680, 0xA69B},   {0xA722, 0xA76F},
    {0xA771, 0xA787},   {0xA78B, 0xA78E},   {0xAB70, 0xABBF},   {0xFB00, 0xFB06},   {0xFB13, 0xFB17},
    {0xFF21, 0xFF3A},   {0xFF41, 0xFF5A},   {0x10400, 0x1044F}, {0x104B0, 0x104D3}, {0x104D8, 0x104FB},
    {0x10C80, 0x10CB2}, {0x10CC0, 0x10CF2}, {0x118A0, 0x118DF}, {0x1E900, 0x1E943},
});
static_assert(std::ranges::is_sorted(kDeepseekLetters, {}, &Range::first));

constexpr auto kDeepseekPunctuation = std::to_array<Range>(
    {{'!', '/'}, {':', '~'}, {0x2018, 0x201F}, {0x3000, 0x3002}, {0xFF01, 0xFF0F}, {0xFF1A, 0xFF5E}});
constexpr auto kDeepseekAsian = std::to_array<Range>({{0x800, 0x9FA5}, {0xAC00, 0xD7FF}});
constexpr auto kHanAndKana = std::to_array<Range>({{0x3040, 0x30FF}, {0x4E00, 0x9FA5}});

// Characters that end a word of BLOOM, besides white space.
constexpr auto kBloomStops = std::to_array<char32_t>(
    {U'(', U'|', U'.', U',', U'!', U'?', U')', 0x2026, 0x3002, 0xFF0C, 0x3001, 0x964, 0x6D4, 0x60C});

template<std::size_t N>
bool inRanges(const std::array<Range, N>& ranges, char32_t code) {
    const auto* after = std::ranges::upper_bound(ranges, code, {}, &Range::first);
    return after != ranges.begin() && code <= std::prev(after)->last;
}

template<std::size_t N>
Match runOf(const std::array<Range, N>& ranges, const char* from, const char* end) {
    const Reader text(end);
    return firstMatch(text, from, [&](const char* at) {
        return text.skipWhile(at, [&](const Seen& c) { return inRanges(ranges, c.code); });
    });
}

Match runOf(KindSet set, int atMost, const char* from, const char* end) {
    const Reader text(end);
    return firstMatch(text, from, [&](const char* at) {
        return atMost == 0 ? text.skip(at, set) : text.skipAtMost(at, set, atMost);
    });
}

Match punctuationAnd(std::u32string_view symbols, const char* from, const char* end) {
    const Reader text(end);
    return firstMatch(text, from, [&](const char* at) {
        return text.skipWhile(at, [&](const Seen& c) {
            return c.kind == CharKind::Punctuation || symbols.find(c.code) != std::u32string_view::npos;
        });
    });
}

} // namespace

Match gpt2(const char* from, const char* end) { return {from, gpt2At(Reader(end), from)}; }
Match llama3(const char* from, const char* end) { return {from, cl100k(Reader(end), from, 3)}; }
Match qwen2(const char* from, const char* end) { return {from, cl100k(Reader(end), from, 1)}; }
Match tekken(const char* from, const char* end) { return {from, o200k(Reader(end), from, 1, false)}; }
Match gpt4o(const char* from, const char* end) { return {from, o200k(Reader(end), from, 3, true)}; }

Match deepseek3(const char* from, const char* end) {
    const Reader text(end); // unlike the others it leaves some characters (numbers, controls) unmatched
    return firstMatch(text, from, [&](const char* at) { return deepseek3At(text, at); });
}

Match lineBreak(const char* from, const char* end) { return runOf(kLineBreak, 1, from, end); }
Match oneNumber(const char* from, const char* end) { return runOf(kNumber, 1, from, end); }
Match upToThreeNumbers(const char* from, const char* end) { return runOf(kNumber, 3, from, end); }
Match numbers(const char* from, const char* end) { return runOf(kNumber, 0, from, end); }

Match threeDigits(const char* from, const char* end) {
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    const char* run = from;
    for (const char* at = from; at < end; ++at) {
        if (!isDigit(*at)) {
            run = at + 1;
        } else if (at - run == 2) {
            return {run, at + 1};
        }
    }
    return {end, end};
}

Match spaceAndLetters(const char* from, const char* end) {
    const Reader text(end);
    return firstMatch(text, from, [&](const char* at) {
        return afterOptionalSpace(text, at, [](const Seen& c) { return in(c.kind, kLetter); });
    });
}

Match spaceAndPunctuation(const char* from, const char* end) {
    const Reader text(end);
    return firstMatch(text, from, [&](const char* at) {
        return afterOptionalSpace(text, at, [](const Seen& c) { return c.kind == CharKind::Punctuation; });
    });
}

Match trailingSpace(const char* from, const char* end) {
    const Reader text(end);
    const char* lastText = from; // after the last character that is not white space
    for (const char* at = from; at < end;) {
        const Seen c = text.at(at);
        at = c.next;
        if (!in(c.kind, kWhite)) {
            lastText = at;
        }
    }
    return {lastText, end};
}

Match punctuationGroup(const char* from, const char* end) { return punctuationAnd(U"$+<=>^~|`", from, end); }
Match punctuationGroupNoBacktick(const char* from, const char* end) { return punctuationAnd(U"$+<=>^~|", from, end); }

Match bloomWord(const char* from, const char* end) {
    const Reader text(end);
    const auto inWord = [](const Seen& c) {
        return !in(c.kind, kWhite) && std::ranges::find(kBloomStops, c.code) == kBloomStops.end();
    };
    return firstMatch(text, from, [&](const char* at) {
        if (*at != ' ') {
            return text.skipWhile(at, inWord);
        }
        const char* word = text.skipWhile(at + 1, inWord);
        return word > at + 1 ? word : at;
    });
}

Match deepseekLetters(const char* from, const char* end) {
    const Reader text(end);
    return firstMatch(text, from, [&](const char* at) {
        return afterOptionalSpace(text, at, [](const Seen& c) { return inRanges(kDeepseekLetters, c.code); });
    });
}

Match deepseekPunctuation(const char* from, const char* end) {
    const Reader text(end);
    return firstMatch(text, from, [&](const char* at) {
        return afterOptionalSpace(text, at, [](const Seen& c) { return inRanges(kDeepseekPunctuation, c.code); });
    });
}

Match deepseekAsian(const char* from, const char* end) { return runOf(kDeepseekAsian, from, end); }
Match hanAndKana(const char* from, const char* end) { return runOf(kHanAndKana, from, end); }

} // namespace gufo::text::scan
