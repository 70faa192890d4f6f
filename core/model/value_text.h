// Conversions between values and the text that users type, and lossless conversions between value types.
//
// Integers are decimal or hexadecimal with 0x. Floating-point numbers may also be "nan", "inf" or "-inf". Booleans are
// true, false, 1 or 0. Whitespace around a number is ignored. Nothing is rounded, except a decimal fraction to the
// nearest f32 or f64.
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include "base/argument.h"
#include "model/owned_value.h"
#include "model/value.h"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace gufo {

enum class ValueProblem : std::uint8_t {
    NotAnInteger,
    NotANumber,
    NotABoolean,
    OutOfRange,    // outside the range of the type
    Inexact,       // the target type cannot represent the value exactly
    NotConvertible // between arrays and single values
};

// The smallest and largest numbers of an integer type.
struct IntegerRange {
    std::int64_t lowest = 0;
    std::uint64_t highest = 0;
};
[[nodiscard]] IntegerRange integerRange(ValueType integerType);

// Parses a value of `type`. A string is a view of the text itself. Arrays give NotConvertible.
[[nodiscard]] std::expected<Value, ValueProblem> parseValue(ValueType type, std::string_view text);

// Returns the text that parseValue() reads back as the same value. A string is returned as it is, and an array gives
// empty text. Floating-point numbers have the fewest digits possible.
[[nodiscard]] std::string writeValue(const Value& value);

// A value as a finding shows it: the beginning of a text, the type and length of an array.
[[nodiscard]] std::string shortText(const Value& value);

// Converts a value to another type exactly. Numbers and booleans become text as writeValue() writes it, and text
// becomes numbers as parseValue() reads it. `text` owns the characters of a resulting string. Arrays give
// NotConvertible.
[[nodiscard]] std::expected<Value, ValueProblem> convertValue(const Value& value, ValueType type, std::string& text);

// Returns an integer in the given type of number; nothing if it does not fit.
[[nodiscard]] std::optional<OwnedValue> integerAs(ValueType type, std::uint64_t number);

// The type of a value as an argument of an error: "u32", or an array of a type.
[[nodiscard]] Argument typeArgument(const Value& value);
[[nodiscard]] Argument arrayTypeArgument(ValueType element);

} // namespace gufo
