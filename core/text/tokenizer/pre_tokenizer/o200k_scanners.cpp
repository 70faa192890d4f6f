// The pattern of OpenAI's o200k_base, which also splits where a word changes from lower to upper case, and its
// variants.
#include "text/tokenizer/pre_tokenizer/scan_reader.h"
#include "text/tokenizer/pre_tokenizer/scanners.h"

#include <QChar>

namespace gufo::text::scan {
namespace {

struct O200kPattern {
    int numbersAtOnce = 3;
    bool contractions = true;
    bool slashAfterSymbols = true;
    bool hanApart = false; // runs of Han characters are separate words
};

constexpr O200kPattern kTekken{.numbersAtOnce = 1, .contractions = false};
constexpr O200kPattern kGpt4o{};
constexpr O200kPattern kYoutu{.numbersAtOnce = 1};
constexpr O200kPattern kKimiK2{.slashAfterSymbols = false, .hanApart = true};

constexpr KindSet kUpperLike = kinds(CharKind::UpperLetter, CharKind::OtherLetter) | kMark;
constexpr KindSet kLowerLike = kinds(CharKind::LowerLetter, CharKind::OtherLetter) | kMark;

bool isHan(char32_t code) {
    constexpr char32_t kFirst = 0x2E80;
    return code >= kFirst && code <= kMaxCodePoint && QChar::script(code) == QChar::Script_Han;
}

template<const O200kPattern& kPattern>
bool isLike(const Seen& c, KindSet set) {
    return in(c.kind, set) && !(kPattern.hanApart && isHan(c.code));
}

template<const O200kPattern& kPattern>
const char* skipLike(const Reader& text, const char* from, KindSet set) {
    return text.skipWhile(from, [&](const Seen& c) { return isLike<kPattern>(c, set); });
}

// U*L+ with backtracking: takes the longest run of U, then of L; without an L it returns to the last U that is also an
// L.
template<const O200kPattern& kPattern>
const char* upperThenLower(const Reader& text, const char* from) {
    const char* afterLastBoth = nullptr;
    const char* at = from;
    while (at < text.end()) {
        const Seen c = text.at(at);
        if (!isLike<kPattern>(c, kUpperLike)) {
            break;
        }
        at = c.next;
        if (in(c.kind, kLowerLike)) {
            afterLastBoth = at;
        }
    }
    const char* end = skipLike<kPattern>(text, at, kLowerLike);
    if (end > at) {
        return end;
    }
    return afterLastBoth != nullptr ? afterLastBoth : from;
}

// U+L*
template<const O200kPattern& kPattern>
const char* upperPlus(const Reader& text, const char* from) {
    const char* at = skipLike<kPattern>(text, from, kUpperLike);
    return at > from ? skipLike<kPattern>(text, at, kLowerLike) : from;
}

template<const O200kPattern& kPattern>
const char* endOfMatch(const Reader& text, const char* from) {
    const Seen first = text.at(from);
    if (kPattern.hanApart && isHan(first.code)) {
        return text.skipWhile(from, [](const Seen& c) { return isHan(c.code); });
    }
    if (first.kind == CharKind::Number) {
        return text.skipAtMost(from, kNumber, kPattern.numbersAtOnce);
    }
    const bool mayLead = !in(first.kind, kLetterOrNumber | kLineBreak);
    for (const auto word : {upperThenLower<kPattern>, upperPlus<kPattern>}) {
        // A leading character is skipped if the word matches after it; otherwise it may belong to the word (a mark).
        for (const char* start : {mayLead ? first.next : nullptr, from}) {
            if (start == nullptr) {
                continue;
            }
            if (const char* end = word(text, start); end > start) {
                const char* tail =
                    kPattern.contractions && end < text.end() ? contraction(end, text.end(), true) : nullptr;
                return tail != nullptr ? tail : end;
            }
        }
    }
    const char* end = symbolsAndBreaks(text, from, kOther, kPattern.slashAfterSymbols);
    return end > from ? end : breaksOrSpaces(text, from);
}

template<const O200kPattern& kPattern>
Match matchAt(const char* from, const char* end) {
    return {from, endOfMatch<kPattern>(Reader(end), from)};
}

} // namespace

Match tekken(const char* from, const char* end) { return matchAt<kTekken>(from, end); }
Match gpt4o(const char* from, const char* end) { return matchAt<kGpt4o>(from, end); }
Match youtu(const char* from, const char* end) { return matchAt<kYoutu>(from, end); }
Match kimiK2(const char* from, const char* end) { return matchAt<kKimiK2>(from, end); }

} // namespace gufo::text::scan
