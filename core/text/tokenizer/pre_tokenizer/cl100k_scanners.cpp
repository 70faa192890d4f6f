// The pattern of OpenAI's cl100k_base and its variants.
#include "text/tokenizer/pre_tokenizer/scan_reader.h"
#include "text/tokenizer/pre_tokenizer/scanners.h"

namespace gufo::text::scan {
namespace {

struct Cl100kPattern {
    KindSet letters = kLetter;
    KindSet symbols = kOther;
    int numbersAtOnce = 1; // 0: the whole run
    bool breaksAfterSymbols = true;
};

constexpr Cl100kPattern kQwen2{};
constexpr Cl100kPattern kLlama3{.numbersAtOnce = 3};
constexpr Cl100kPattern kMiniCpm5{.numbersAtOnce = 0};
constexpr Cl100kPattern kQwen35{.letters = kLetter | kMark, .symbols = kOther & ~kMark};
constexpr Cl100kPattern kSeedCoder{.breaksAfterSymbols = false};

// Matches every alternative but white space; returns `from` if none matches.
template<const Cl100kPattern& kPattern>
const char* wordAt(const Reader& text, const char* from) {
    if (const char* end = contraction(from, text.end(), true)) {
        return end;
    }
    const Seen first = text.at(from);
    if (in(first.kind, kPattern.letters)) {
        return text.skip(first.next, kPattern.letters);
    }
    if (first.kind == CharKind::Number) {
        return kPattern.numbersAtOnce == 0 ? text.skip(from, kNumber)
                                           : text.skipAtMost(from, kNumber, kPattern.numbersAtOnce);
    }
    if (first.kind != CharKind::LineBreak) {
        if (const char* end = text.skip(first.next, kPattern.letters); end > first.next) {
            return end;
        }
    }
    return kPattern.breaksAfterSymbols ? symbolsAndBreaks(text, from, kPattern.symbols, false)
                                       : symbols(text, from, kPattern.symbols);
}

template<const Cl100kPattern& kPattern>
Match matchAt(const char* from, const char* end) {
    const Reader text(end);
    const char* word = wordAt<kPattern>(text, from);
    return {from, word > from ? word : breaksOrSpaces(text, from)};
}

// \p{L}\p{M}*(?: ?\p{L}\p{M}*)* at a position; returns the position itself if there is no letter.
const char* phrase(const Reader& text, const char* from) {
    const char* at = from;
    while (text.startsWith(at, kLetter)) {
        at = text.skip(text.skip(at, kLetter), kMark);
        if (at < text.end() && *at == ' ' && text.startsWith(at + 1, kLetter)) {
            ++at;
        }
    }
    return at;
}

const char* exaoneMoeAt(const Reader& text, const char* from) {
    if (const char* end = contraction(from, text.end(), true)) {
        return end;
    }
    const Seen first = text.at(from);
    if (in(first.kind, kLetter)) {
        return phrase(text, from);
    }
    if (first.kind == CharKind::Number) {
        return first.next;
    }
    if (first.kind != CharKind::LineBreak) {
        if (const char* end = phrase(text, first.next); end > first.next) {
            return end;
        }
    }
    if (const char* end = symbols(text, from, kOther); end > from) {
        return text.skipAtMost(end, kLineBreak, 1); // a "/" cannot follow, because it is one of the symbols
    }
    return breaksOrSpaces(text, from);
}

// Returns the largest power of two that is at most `left` and 512.
std::size_t powerOfTwo(std::size_t left) {
    std::size_t part = 512;
    while (part > left) {
        part /= 2;
    }
    return part;
}

} // namespace

Match llama3(const char* from, const char* end) { return matchAt<kLlama3>(from, end); }
Match qwen2(const char* from, const char* end) { return matchAt<kQwen2>(from, end); }
Match qwen35(const char* from, const char* end) { return matchAt<kQwen35>(from, end); }
Match miniCpm5(const char* from, const char* end) { return matchAt<kMiniCpm5>(from, end); }
Match seedCoder(const char* from, const char* end) { return matchAt<kSeedCoder>(from, end); }
Match exaoneMoe(const char* from, const char* end) { return {from, exaoneMoeAt(Reader(end), from)}; }

Match jais2(const char* from, const char* end) {
    const Reader text(end);
    if (const char* word = wordAt<kLlama3>(text, from); word > from) {
        return {from, word};
    }
    if (const char* breaks = throughLineBreaks(text, from); breaks > from) {
        return {from, breaks};
    }
    return {from, spaces(text, from), powerOfTwo};
}

} // namespace gufo::text::scan
