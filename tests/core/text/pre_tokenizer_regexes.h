// The rules of core/text/tokenizer/pre_tokenizer as the original regular expressions, run by PCRE2. The scanners must
// split every text in the same way.
#pragma once

#include <QRegularExpression>
#include <QString>

#include <string>
#include <vector>

namespace gufo::test {

struct RuleRegexes {
    const char* pre; // the value of tokenizer.ggml.pre
    std::vector<QRegularExpression> stages;
    const char* source;
};

// At least one row for each rule; names of the same rule may have expressions that are spelled differently. Expressions
// are rewritten where PCRE2 lacks a feature:
// - [A&&[^B]] becomes (?:(?!B)A);
// - \b next to a digit is spelled out, because engines disagree on what a word character is;
// - \p{Han} becomes \p{sc:Han}, because PCRE2 otherwise includes script extensions.
const std::vector<RuleRegexes>& ruleRegexes();

// Returns the pieces in UTF-8. An empty match cuts without being a piece.
std::vector<std::string> splitByRegexes(const std::vector<QRegularExpression>& stages, const QString& text);

} // namespace gufo::test
