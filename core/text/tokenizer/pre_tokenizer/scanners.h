// The scanners that pre-tokenizers are made of. Each comment states the regular expression that the scanner implements.
#pragma once

#include "text/tokenizer/pre_tokenizer.h"

namespace gufo::text::scan {

// 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
Match gpt2(const char* from, const char* end);
Match bloomWord(const char* from, const char* end); // \x20?[^(\s|.,!?…。，、।۔،)]+

// (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
Match llama3(const char* from, const char* end);
// The same with \p{N}, one digit at a time
Match qwen2(const char* from, const char* end);
// qwen2 with [\p{L}\p{M}]+ and  ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*
Match qwen35(const char* from, const char* end);
// llama3 with \p{N}+
Match miniCpm5(const char* from, const char* end);
// qwen2 with  ?[^\s\p{L}\p{N}\r\n]+
Match seedCoder(const char* from, const char* end);
// qwen2 with [^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+,  ?[^\s\p{L}\p{N}]+[\r\n/]? and \s*[\r\n]
Match exaoneMoe(const char* from, const char* end);
// llama3 with \s{512}(?!\S)|\s{256}(?!\S)|…|\s{4}(?!\S)|\s{1,2}(?!\S)|\s{1} after \s*[\r\n]+
Match jais2(const char* from, const char* end);

// With U = [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}], L = [\p{Ll}\p{Lm}\p{Lo}\p{M}]:
// [^\r\n\p{L}\p{N}]?U*L+|[^\r\n\p{L}\p{N}]?U+L*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
Match tekken(const char* from, const char* end);
// tekken with (?i:'s|'t|'re|'ve|'m|'ll|'d)? after the letters, and \p{N}{1,3}
Match gpt4o(const char* from, const char* end);
// gpt4o with \p{N}, one digit at a time
Match youtu(const char* from, const char* end);
// \p{Han}+, then gpt4o without Han characters in U and L, and with [\r\n]* for [\r\n/]*
Match kimiK2(const char* from, const char* end);

// [ascii punctuation][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
Match deepseek3(const char* from, const char* end);
Match deepseekLetters(const char* from, const char* end);     // \s?[cased letters]+, as listed in deepseek_scanners.cpp
Match deepseekPunctuation(const char* from, const char* end); // \s?[!-/:-~！-／：-～‘-‟　-。]+
Match spaceAndLetters(const char* from, const char* end);     // \s?\p{L}+
Match spaceAndPunctuation(const char* from, const char* end); // \s?\p{P}+
Match trailingSpace(const char* from, const char* end);       // \s+$

// Characters of scripts, listed by code point.
Match deepseekAsian(const char* from, const char* end); // [一-龥ࠀ-一가-퟿]+
Match hanAndKana(const char* from, const char* end);    // [一-龥぀-ゟ゠-ヿ]+
// [가-힣ㄱ-ㆎ]+|[！…“”‘’—：；，、-〿︰-﹏]+|[ㄅ-ㄯ]+|[一-龥぀-ゟ゠-ヿ]+
Match youtuAsian(const char* from, const char* end);
// Han, kana, Thai from U+0E40, Lao, Khmer, Myanmar and Hangul, by blocks: the class listed in range_scanners.cpp
Match afmoeAsian(const char* from, const char* end);

// Runs of one class, and single characters.
Match lineBreak(const char* from, const char* end);                  // [\r\n]
Match lines(const char* from, const char* end);                      // [^\n]+|[\n]+
Match notSpace(const char* from, const char* end);                   // \S+
Match oneNumber(const char* from, const char* end);                  // \p{N}
Match upToThreeNumbers(const char* from, const char* end);           // \p{N}{1,3}
Match numbers(const char* from, const char* end);                    // \p{N}+
Match threeDigits(const char* from, const char* end);                // [0-9][0-9][0-9]
Match punctuationGroup(const char* from, const char* end);           // [\p{P}\$\+<=>\^~\|`]+
Match punctuationGroupNoBacktick(const char* from, const char* end); // [\p{P}\$\+<=>\^~\|]+
Match oneAsciiOrPunctuation(const char* from, const char* end);      // [\p{P}!-/:-@\[-`{-~]

// Groups of three digits, counted from the right.
Match numbersInThrees(const char* from, const char* end);          // \p{N}{1,3}(?=(?:\p{N}{3})*(?!\p{N}))
Match digitsInThreesAtBoundary(const char* from, const char* end); // \d{1,3}(?=(?:\d{3})*\b)
Match digitThrees(const char* from, const char* end); // (?=(\d{3})+(?!\d)), a match lasts from one cut to the next

// Chameleon:
Match sentinelToken(const char* from, const char* end);  // <sentinel:[0-9]+>
Match imageToken(const char* from, const char* end);     // (IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z
Match tabsAndIndents(const char* from, const char* end); // ([\t\n]|    |  )

} // namespace gufo::text::scan
