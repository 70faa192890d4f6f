// A JSON text as a tree whose nodes know where they stand: for schemas, whose errors name their place.
#pragma once

#include "base/json_reader.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gufo::inference {

struct JsonValue {
    enum class Kind : std::uint8_t { Object, Array, String, Number, True, False, Null };
    Kind kind = Kind::Null;
    std::string place{};                                      // "#/properties/name", a JSON pointer (RFC 6901)
    std::string text{};                                       // of a string; of a number as it is written
    std::vector<std::pair<std::string, JsonValue>> members{}; // in the order of the text
    std::vector<JsonValue> elements{};

    [[nodiscard]] const JsonValue* find(std::string_view name) const; // the last one of the name
    [[nodiscard]] bool is(Kind other) const { return kind == other; }
    [[nodiscard]] bool isBool() const { return kind == Kind::True || kind == Kind::False; }
    // A number that is whole, also as 1e3 or 2.0, and not beyond 2^53 where it is not written with digits alone.
    [[nodiscard]] std::optional<std::int64_t> whole() const;
    [[nodiscard]] std::optional<double> real() const;
};

// Equal but for the places; numbers are equal where they are written alike.
[[nodiscard]] bool sameJson(const JsonValue& a, const JsonValue& b);
// Without white space; characters beyond ASCII as they are.
[[nodiscard]] std::string writeJson(const JsonValue& value);
[[nodiscard]] std::string quotedJson(std::string_view text);

// Errors: JsonReader's; LimitExceeded.
[[nodiscard]] Result<JsonValue> readJson(std::string_view text);

} // namespace gufo::inference
