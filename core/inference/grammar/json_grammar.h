// Pieces of grammar text that match JSON.
#pragma once

#include "inference/grammar/code_set.h"
#include "inference/grammar/grammar.h"

#include <memory>
#include <string>
#include <string_view>

namespace gufo::inference {

// The rules that open an array or object whose elements or names must differ. The grammar alone does not ensure this:
// see checkingDistinct().
inline constexpr std::string_view kDistinctArrayRule = "distinct-array";
inline constexpr std::string_view kDistinctObjectRule = "distinct-object";

// Returns the rules that the pieces refer to: ws, value, object, array, string, char, number, integer, boolean, null;
// plain-value, plain-string, plain-char and plain-number, in which each value has one spelling; the rules above; and
// never, which never ends.
[[nodiscard]] std::string_view commonJsonRules();

// Returns a grammar that refers to these rules, marked so that whoever follows it compares the parts. `quote` is around
// strings.
[[nodiscard]] std::shared_ptr<const Grammar> checkingDistinct(Grammar grammar, char quote = '"');

// Returns `text` as a literal of a grammar.
[[nodiscard]] std::string grammarLiteral(std::string_view text);
// Returns the characters of the set as a class of a grammar.
[[nodiscard]] std::string grammarClass(const CodeSet& set);
// Matches a character of the set inside a JSON string, escaped where JSON requires it; inside a string in other quotes,
// that mark is escaped instead.
[[nodiscard]] std::string jsonCharacter(const CodeSet& set, char quote = '"');

} // namespace gufo::inference
