#include "text/tokenizer/pre_tokenizer/scan_reader.h"
#include "text/tokenizer/pre_tokenizer/scanners.h"

namespace gufo::text::scan {
namespace {

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

// Characters other than white space that end a word of BLOOM.
constexpr auto kBloomStops = std::to_array<char32_t>(
    {U'(', U'|', U'.', U',', U'!', U'?', U')', 0x2026, 0x3002, 0xFF0C, 0x3001, 0x964, 0x6D4, 0x60C});

} // namespace

Match gpt2(const char* from, const char* end) { return {from, gpt2At(Reader(end), from)}; }

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

} // namespace gufo::text::scan
