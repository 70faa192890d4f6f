// Pieces of grammars, as text, that match JSON.
#pragma once

#include "inference/grammar/code_set.h"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::inference {

// Rules that the pieces refer to: ws, value, object, array, string, char, number, integer, boolean, null, and the
// formats.
[[nodiscard]] std::string_view commonJsonRules();
// "date-time" → the rule of a string of that format; empty if there is none.
[[nodiscard]] std::string_view formatRule(std::string_view format);

// A text as a literal of a grammar.
[[nodiscard]] std::string grammarLiteral(std::string_view text);
// A character of the set as it stands in a JSON string: escaped where it has to be.
[[nodiscard]] std::string jsonCharacter(const CodeSet& set);

// A whole number from `least` to `most`; nothing: no bound on that side.
[[nodiscard]] std::string integerRange(std::optional<std::int64_t> least, std::optional<std::int64_t> most);

// Characters of a key that is none of the names; keys are written without escapes.
[[nodiscard]] std::string otherKeys(const std::vector<std::string_view>& names);

// The characters of a JSON string in which a regular expression (ECMA 262, with Unicode) finds something. The error
// says what of it cannot be followed.
[[nodiscard]] std::expected<std::string, std::string> patternCharacters(std::string_view pattern);

} // namespace gufo::inference
