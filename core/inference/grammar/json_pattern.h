// The regular expressions of JSON schemas (ECMA 262, with Unicode), as automata.
//
// Look-ahead is supported outside of groups. Back references, look-behind, word boundaries and \p{…} are not.
//
// Thread contract: pure functions.
#pragma once

#include "base/argument.h"
#include "inference/grammar/automaton.h"

#include <expected>
#include <string_view>

namespace gufo::inference {

// Returns the texts in which the expression finds a match. Adds the steps that this took to `work`. The
// error names the construct that cannot be translated, or PatternTooLarge.
[[nodiscard]] std::expected<Automaton, Argument> automatonOfPattern(std::string_view pattern, std::size_t& work);

// Returns a pattern that matches only strings of a format ("date-time"), though perhaps not all of them; empty if the
// format restricts nothing that is checked.
[[nodiscard]] std::string_view patternOfFormat(std::string_view format);

} // namespace gufo::inference
