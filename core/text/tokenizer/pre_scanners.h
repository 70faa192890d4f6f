// The scanners that pre-tokenizers are made of; each says the regular expression that it stands for.
#pragma once

#include "text/tokenizer/pre_tokenizer.h"

namespace gufo::text::scan {

// 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
Match gpt2(const char* from, const char* end);

// (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
Match llama3(const char* from, const char* end);
// The same with \p{N}, one digit at a time
Match qwen2(const char* from, const char* end);

// With U = [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}], L = [\p{Ll}\p{Lm}\p{Lo}\p{M}]:
// [^\r\n\p{L}\p{N}]?U*L+|[^\r\n\p{L}\p{N}]?U+L*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
Match tekken(const char* from, const char* end);
// The same with (?i:'s|'t|'re|'ve|'m|'ll|'d)? after the letters, and \p{N}{1,3}
Match gpt4o(const char* from, const char* end);

// [ascii punctuation][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
Match deepseek3(const char* from, const char* end);

Match lineBreak(const char* from, const char* end);                  // [\r\n]
Match oneNumber(const char* from, const char* end);                  // \p{N}
Match upToThreeNumbers(const char* from, const char* end);           // \p{N}{1,3}
Match numbers(const char* from, const char* end);                    // \p{N}+
Match threeDigits(const char* from, const char* end);                // [0-9][0-9][0-9]
Match spaceAndLetters(const char* from, const char* end);            // \s?\p{L}+
Match spaceAndPunctuation(const char* from, const char* end);        // \s?\p{P}+
Match trailingSpace(const char* from, const char* end);              // \s+$
Match punctuationGroup(const char* from, const char* end);           // [\p{P}\$\+<=>\^~\|`]+
Match punctuationGroupNoBacktick(const char* from, const char* end); // [\p{P}\$\+<=>\^~\|]+
Match bloomWord(const char* from, const char* end);           // ?[^(\s|.,!?…。，、।۔،)]+ with a space in front of the ?
Match deepseekLetters(const char* from, const char* end);     // \s?[cased letters]+, as listed in pre_scanners.cpp
Match deepseekPunctuation(const char* from, const char* end); // \s?[!-/:-~！-／：-～‘-‟　-。]+
Match deepseekAsian(const char* from, const char* end);       // [一-龥ࠀ-一가-퟿]+
Match hanAndKana(const char* from, const char* end);          // [一-龥぀-ゟ゠-ヿ]+

} // namespace gufo::text::scan
