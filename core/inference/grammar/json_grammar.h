// Pieces of grammar text that match JSON.
#pragma once

#include "base/argument.h"
#include "inference/grammar/code_set.h"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::inference {

// Returns the rules that the pieces refer to: ws, value, object, array, string, char, number, integer, boolean, null,
// and the string formats.
[[nodiscard]] std::string_view commonJsonRules();
// Returns the rule for strings of a format ("date-time"); empty if the format is unknown.
[[nodiscard]] std::string_view formatRule(std::string_view format);

// Returns `text` as a literal of a grammar.
[[nodiscard]] std::string grammarLiteral(std::string_view text);
// Matches a character of the set inside a JSON string, escaped where JSON requires it.
[[nodiscard]] std::string jsonCharacter(const CodeSet& set);

// Matches an integer between the two inclusive bounds; an empty bound does not restrict.
[[nodiscard]] std::string integerRange(std::optional<std::int64_t> minimum, std::optional<std::int64_t> maximum);

// Matches the characters of any key except `names`. Keys are matched without escapes.
[[nodiscard]] std::string otherKeys(const std::vector<std::string_view>& names);

// Matches the contents of JSON strings in which the regular expression (ECMA 262, with Unicode) finds a match. The
// error names the construct that cannot be translated.
[[nodiscard]] std::expected<std::string, Argument> patternCharacters(std::string_view pattern);

} // namespace gufo::inference
