#include "text/tokenizer/pre_tokenizer/scan_reader.h"
#include "text/tokenizer/pre_tokenizer/scanners.h"

namespace gufo::text::scan {
namespace {

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
    const char* end = symbolsAndBreaks(text, from, kPunctuationOrSymbol, false);
    return end > from ? end : breaksOrSpaces(text, from);
}

// Finds the first match of \s?X+.
template<typename Test>
Match afterOptionalSpace(const char* from, const char* end, const Test& test) {
    const Reader text(end);
    return firstMatch(text, from, [&](const char* at) {
        if (const Seen first = text.at(at); in(first.kind, kWhite)) {
            if (const char* word = text.skipWhile(first.next, test); word > first.next) {
                return word;
            }
        }
        return text.skipWhile(at, test);
    });
}

// The letters listed in DeepSeek LLM's tokenizer.json: cased letters except Georgian lower case.
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
static_assert(isSorted(kDeepseekLetters));

constexpr auto kDeepseekPunctuation = std::to_array<Range>(
    {{'!', '/'}, {':', '~'}, {0x2018, 0x201F}, {0x3000, 0x3002}, {0xFF01, 0xFF0F}, {0xFF1A, 0xFF5E}});
static_assert(isSorted(kDeepseekPunctuation));

} // namespace

Match deepseek3(const char* from, const char* end) {
    const Reader text(end); // unlike the other scanners, this one leaves numbers and controls unmatched
    return firstMatch(text, from, [&](const char* at) { return deepseek3At(text, at); });
}

Match deepseekLetters(const char* from, const char* end) {
    return afterOptionalSpace(from, end, [](const Seen& c) { return inRanges(kDeepseekLetters, c.code); });
}
Match deepseekPunctuation(const char* from, const char* end) {
    return afterOptionalSpace(from, end, [](const Seen& c) { return inRanges(kDeepseekPunctuation, c.code); });
}
Match spaceAndLetters(const char* from, const char* end) {
    return afterOptionalSpace(from, end, [](const Seen& c) { return in(c.kind, kLetter); });
}
Match spaceAndPunctuation(const char* from, const char* end) {
    return afterOptionalSpace(from, end, [](const Seen& c) { return c.kind == CharKind::Punctuation; });
}

Match trailingSpace(const char* from, const char* end) {
    const Reader text(end);
    const char* lastText = from; // end of the last character that is not white space
    for (const char* at = from; at < end;) {
        const Seen c = text.at(at);
        at = c.next;
        if (!in(c.kind, kWhite)) {
            lastText = at;
        }
    }
    return {lastText, end};
}

} // namespace gufo::text::scan
