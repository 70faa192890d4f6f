// Reads values that models write in a notation between JSON and Python: strings in any quotes, True and true, None and
// null, bare keys, trailing commas, line breaks in strings.
//
// Thread contract: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gufo::text {

struct LiteralStyle {
    std::string_view quote = "\""; // the template's own, besides " and '
    bool escapes = true;           // in strings within these quotes
};

struct LiteralReading {
    enum class State : std::uint8_t { Invalid, Partial, Whole };
    State state = State::Invalid;
    std::size_t bytes = 0; // of a whole value
    std::string json{};    // the value
};
// Reads the value at the beginning of `text`. A word that is no constant extends to the next comma or closing bracket
// and counts as a string. `atEnd`: nothing follows the text, so that a value may end there.
[[nodiscard]] LiteralReading readLiteral(std::string_view text, const LiteralStyle& style, bool atEnd);

// Returns the length of the object or list at the beginning of `text`, or 0 if its end is not there yet. Brackets in
// strings in double quotes do not count.
[[nodiscard]] std::size_t balancedLength(std::string_view text);

} // namespace gufo::text
