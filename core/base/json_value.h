// A JSON text as a tree whose nodes know their place, so that errors in schemas can name it.
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include "base/json_reader.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gufo {

struct JsonValue {
    enum class Kind : std::uint8_t { Object, Array, String, Number, True, False, Null };
    Kind kind = Kind::Null;
    std::string place{};                                      // "#/properties/name", a JSON pointer (RFC 6901)
    std::string text{};                                       // the text of a string, or a number as it is spelled
    std::vector<std::pair<std::string, JsonValue>> members{}; // in the order of the source
    std::vector<JsonValue> elements{};

    [[nodiscard]] const JsonValue* find(std::string_view name) const; // the last member of that name
    [[nodiscard]] bool is(Kind other) const { return kind == other; }
    [[nodiscard]] bool isBool() const { return kind == Kind::True || kind == Kind::False; }
    // The value of an integral number, also of 1e3 or 2.0; where it is not written in digits alone, only up to 2^53.
    [[nodiscard]] std::optional<std::int64_t> whole() const;
    // Nothing for the numbers of Python's dialect that are not finite.
    [[nodiscard]] std::optional<double> real() const;
};

// Compares values without their places. Numbers are equal if they are spelled alike.
[[nodiscard]] bool sameJson(const JsonValue& a, const JsonValue& b);
// Writes without white space; characters beyond ASCII are not escaped.
[[nodiscard]] std::string writeJson(const JsonValue& value);
// The text in quotes, with escapes where JSON requires them; all writers of JSON use it. It must be UTF-8.
[[nodiscard]] std::string quotedJson(std::string_view text);

// Errors: the errors of JsonReader; LimitExceeded.
[[nodiscard]] Result<JsonValue> readJson(std::string_view text, JsonDialect dialect = JsonDialect::Strict);

} // namespace gufo
