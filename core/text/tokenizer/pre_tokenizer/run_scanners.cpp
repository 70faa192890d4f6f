// Runs of one class of characters, and groups of digits.
#include "text/tokenizer/pre_tokenizer/scan_reader.h"
#include "text/tokenizer/pre_tokenizer/scanners.h"

#include <QChar>

#include <cstring>

namespace gufo::text::scan {
namespace {

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

// \d
bool isDigit(const Seen& c) {
    return c.kind == CharKind::Number && QChar::category(c.code) == QChar::Number_DecimalDigit;
}

// \w: alphabetic characters (Unicode's derived property, which includes the circled and squared Latin letters among the
// symbols), marks, decimal digits and connectors.
bool isWordCharacter(const Seen& c) {
    switch (c.kind) {
    case CharKind::Number:
        return QChar::category(c.code) != QChar::Number_Other;
    case CharKind::Punctuation:
        return QChar::category(c.code) == QChar::Punctuation_Connector;
    case CharKind::Symbol:
        return (c.code >= 0x24B6 && c.code <= 0x24E9) || (c.code >= 0x1F130 && c.code <= 0x1F149) ||
               (c.code >= 0x1F150 && c.code <= 0x1F169) || (c.code >= 0x1F170 && c.code <= 0x1F189);
    default:
        return in(c.kind, kLetter | kMark);
    }
}

struct DigitRun {
    const char* begin;
    const char* end;
    std::size_t digits; // 0: no such run
};

// Finds the first run of at least three decimal digits.
DigitRun nextLongRun(const Reader& text, const char* from) {
    for (const char* at = from; at < text.end();) {
        std::size_t digits = 0;
        const char* end = text.skipWhile(at, [&](const Seen& c) {
            const bool digit = isDigit(c);
            digits += digit ? 1 : 0;
            return digit;
        });
        if (digits >= 3) {
            return {at, end, digits};
        }
        at = end > at ? end : text.at(at).next;
    }
    return {text.end(), text.end(), 0};
}

const char* afterCharacters(const Reader& text, const char* from, std::size_t count) {
    for (; count > 0; --count) {
        from = text.at(from).next;
    }
    return from;
}

} // namespace

Match lineBreak(const char* from, const char* end) { return runOf(kLineBreak, 1, from, end); }
Match notSpace(const char* from, const char* end) { return runOf(kAny & ~kWhite, 0, from, end); }
Match oneNumber(const char* from, const char* end) { return runOf(kNumber, 1, from, end); }
Match upToThreeNumbers(const char* from, const char* end) { return runOf(kNumber, 3, from, end); }
Match numbers(const char* from, const char* end) { return runOf(kNumber, 0, from, end); }
Match punctuationGroup(const char* from, const char* end) { return punctuationAnd(U"$+<=>^~|`", from, end); }
Match punctuationGroupNoBacktick(const char* from, const char* end) { return punctuationAnd(U"$+<=>^~|", from, end); }

Match lines(const char* from, const char* end) {
    const bool breaks = *from == '\n';
    const char* at = from;
    if (breaks) {
        at = std::find_if(from, end, [](char c) { return c != '\n'; });
    } else if (const void* next = std::memchr(from, '\n', static_cast<std::size_t>(end - from)); next != nullptr) {
        at = static_cast<const char*>(next);
    } else {
        at = end;
    }
    return {from, at};
}

Match oneAsciiOrPunctuation(const char* from, const char* end) {
    const Reader text(end);
    return firstMatch(text, from, [&](const char* at) {
        const Seen c = text.at(at);
        const bool ascii = c.code < 0x80 && in(c.kind, kPunctuationOrSymbol);
        return ascii || c.kind == CharKind::Punctuation ? c.next : at;
    });
}

Match threeDigits(const char* from, const char* end) {
    const auto isAsciiDigit = [](char c) { return c >= '0' && c <= '9'; };
    const char* run = from;
    for (const char* at = from; at < end; ++at) {
        if (!isAsciiDigit(*at)) {
            run = at + 1;
        } else if (at - run == 2) {
            return {run, at + 1};
        }
    }
    return {end, end};
}

Match numbersInThrees(const char* from, const char* end) {
    Match match = numbers(from, end);
    match.part = threesFromTheEnd;
    return match;
}

Match digitsInThreesAtBoundary(const char* from, const char* end) {
    const Reader text(end);
    for (const char* at = from; at < end;) {
        const char* runEnd = text.skipWhile(at, isDigit);
        if (runEnd > at && (runEnd == end || !isWordCharacter(text.at(runEnd)))) {
            return {at, runEnd, threesFromTheEnd};
        }
        at = runEnd > at ? runEnd : text.at(at).next;
    }
    return {end, end};
}

// The expression matches no characters: it cuts before each group. A match lasts from one cut to the next, so the last
// group of a run includes any numbers after it that are not decimal digits.
Match digitThrees(const char* from, const char* end) {
    const Reader text(end);
    const DigitRun run = nextLongRun(text, from);
    if (run.digits == 0) {
        return {end, end};
    }
    const char* firstCut = afterCharacters(text, run.begin, run.digits % 3);
    if (run.digits < 6) {
        const DigitRun next = nextLongRun(text, run.end);
        return {firstCut, next.digits == 0 ? end : afterCharacters(text, next.begin, next.digits % 3)};
    }
    return {firstCut, afterCharacters(text, firstCut, (run.digits / 3 - 1) * 3), threesFromTheEnd};
}

} // namespace gufo::text::scan
