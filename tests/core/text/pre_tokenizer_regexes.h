// The rules of core/text/pre_tokenizer as the regular expressions that they come from, run by PCRE2. The
// scanners must split every text as these do.
#pragma once

#include <QRegularExpression>
#include <QString>

#include <string>
#include <vector>

namespace gufo::test {

struct RuleRegexes {
    const char* pre; // a value of tokenizer.ggml.pre
    std::vector<QRegularExpression> stages;
    const char* source;
};

// One row at least for each rule: names of one rule may have expressions that are written differently. Written for
// PCRE2 where the published expression uses what it lacks:
// - [A&&[^B]] is (?:(?!B)A);
// - \b next to a digit is spelt out, since engines differ in what a word character is;
// - \p{Han} is \p{sc:Han}, since PCRE2 counts script extensions otherwise.
const std::vector<RuleRegexes>& ruleRegexes();

// The pieces in UTF-8. An empty match cuts and is no piece.
std::vector<std::string> splitByRegexes(const std::vector<QRegularExpression>& stages, const QString& text);

} // namespace gufo::test
