// Runs of characters that a regular expression lists by code point.
#include "text/tokenizer/pre_tokenizer/scan_reader.h"
#include "text/tokenizer/pre_tokenizer/scanners.h"

namespace gufo::text::scan {
namespace {

constexpr auto kDeepseekAsian = std::to_array<Range>({{0x800, 0x9FA5}, {0xAC00, 0xD7FF}});
static_assert(isSorted(kDeepseekAsian));

constexpr auto kHanAndKana = std::to_array<Range>({{0x3040, 0x30FF}, {0x4E00, 0x9FA5}});
static_assert(isSorted(kHanAndKana));

constexpr auto kHangul = std::to_array<Range>({{0x3131, 0x318E}, {0xAC00, 0xD7A3}});
static_assert(isSorted(kHangul));

constexpr auto kBopomofo = std::to_array<Range>({{0x3105, 0x312F}});

constexpr auto kCjkPunctuation = std::to_array<Range>({{0x2014, 0x2014},
                                                       {0x2018, 0x2019},
                                                       {0x201C, 0x201D},
                                                       {0x2026, 0x2026},
                                                       {0x3001, 0x303F},
                                                       {0xFE30, 0xFE4F},
                                                       {0xFF01, 0xFF01},
                                                       {0xFF0C, 0xFF0C},
                                                       {0xFF1A, 0xFF1B}});
static_assert(isSorted(kCjkPunctuation));

constexpr auto kAfmoeAsian = std::to_array<Range>({
    {0xE40, 0xEFF},   // Thai from the first vowel that is written before its consonant; Lao
    {0x1000, 0x109F}, // Myanmar
    {0x1100, 0x11FF}, // Hangul Jamo
    {0x1780, 0x17FF}, // Khmer
    {0x2F00, 0x2FDF}, // Kangxi radicals
    {0x3040, 0x30FF}, // hiragana, katakana
    {0x3400, 0x4DBF}, // CJK extension A
    {0x4E00, 0x9FFF}, // CJK
    {0xA9E0, 0xA9FF}, // Myanmar extended B
    {0xAA60, 0xAA7F}, // Myanmar extended A
    {0xAC00, 0xD7AF}, // Hangul syllables
    {0xF900, 0xFAFF}, // CJK compatibility
    {0xFF65, 0xFF9F}, // half-width katakana
});
static_assert(isSorted(kAfmoeAsian));

template<std::size_t N>
const char* runOf(const std::array<Range, N>& ranges, const Reader& text, const char* from) {
    return text.skipWhile(from, [&](const Seen& c) { return inRanges(ranges, c.code); });
}

template<std::size_t N>
Match firstRunOf(const std::array<Range, N>& ranges, const char* from, const char* end) {
    const Reader text(end);
    return firstMatch(text, from, [&](const char* at) { return runOf(ranges, text, at); });
}

} // namespace

Match deepseekAsian(const char* from, const char* end) { return firstRunOf(kDeepseekAsian, from, end); }
Match hanAndKana(const char* from, const char* end) { return firstRunOf(kHanAndKana, from, end); }
Match afmoeAsian(const char* from, const char* end) { return firstRunOf(kAfmoeAsian, from, end); }

Match youtuAsian(const char* from, const char* end) {
    const Reader text(end);
    return firstMatch(text, from, [&](const char* at) {
        if (static_cast<unsigned char>(*at) < 0x80) {
            return at; // none of the classes contains ASCII
        }
        const char* run = runOf(kHangul, text, at);
        run = run > at ? run : runOf(kCjkPunctuation, text, at);
        run = run > at ? run : runOf(kBopomofo, text, at);
        return run > at ? run : runOf(kHanAndKana, text, at);
    });
}

} // namespace gufo::text::scan
