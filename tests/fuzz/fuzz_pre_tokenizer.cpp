// Compares the scanners of pre-tokenizers with the published regular expressions, run by PCRE2.
//
// Input: one byte that selects the rule; the rest is UTF-8. Invalid bytes, and characters that Qt and PCRE2 classify
// differently, are skipped.
#include "base/utf8.h"
#include "core/text/pre_tokenizer_regexes.h"
#include "core/text/unicode_texts.h"
#include "require.h"
#include "text/tokenizer/pre_tokenizer.h"

#include <algorithm>

using namespace gufo;

namespace {

std::string comparable(std::string_view bytes) {
    const std::vector<char32_t>& disputed = test::charactersInDispute();
    std::string out;
    const char* end = bytes.data() + bytes.size();
    for (const char* at = bytes.data(); at < end;) {
        const Char c = decodeChar(at, end);
        if (c.code <= kMaxCodePoint && !std::ranges::binary_search(disputed, c.code)) {
            out.append(at, c.bytes);
        }
        at += c.bytes;
    }
    return out;
}

} // namespace

// The table of all characters takes seconds on a busy machine, which must not count for the first input.
extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
    static_cast<void>(test::charactersInDispute());
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    const auto& rules = test::ruleRegexes();
    const test::RuleRegexes& row = rules[data[0] % rules.size()];
    const text::PreTokenizer* rule = text::findPreTokenizer(row.pre);
    require(rule != nullptr);

    const std::string_view raw(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::string text = comparable(raw);
    std::vector<std::string> words;
    require(text::splitWords(rule->stages, text, [&](std::string_view word) {
        words.emplace_back(word);
        return true;
    }));
    require(words == test::splitByRegexes(row.stages, QString::fromStdString(text)));

    // Splitting arbitrary bytes must not lose any, and must not make empty words.
    std::size_t bytes = 0;
    require(text::splitWords(rule->stages, raw, [&](std::string_view word) {
        require(!word.empty() && word.data() == raw.data() + bytes);
        bytes += word.size();
        return true;
    }));
    require(bytes == raw.size());
    return 0;
}
