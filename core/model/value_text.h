// Values as people type them, and values taken from one type to another without loss.
//
// Numbers: decimal, whole ones also as 0x hexadecimal; real ones also "nan", "inf", "-inf". Booleans: true, false, 1,
// 0. Whitespace around a number does not matter. Nothing is rounded but a decimal fraction to the nearest f32 or f64.
#pragma once

#include "model/value.h"

#include <expected>
#include <string>
#include <string_view>

namespace gufo {

enum class ValueProblem : std::uint8_t {
    NotAnInteger,
    NotANumber,
    NotABoolean,
    OutOfRange,    // of the type
    Inexact,       // the other type cannot hold exactly this value
    NotConvertible // arrays and single values
};

// Smallest and largest number of an integer type.
struct IntegerRange {
    std::int64_t lowest = 0;
    std::uint64_t highest = 0;
};
[[nodiscard]] IntegerRange integerRange(ValueType integerType);

// A value of `type` from text: a string is the text itself (a view of it). Arrays: NotConvertible.
[[nodiscard]] std::expected<Value, ValueProblem> parseValue(ValueType type, std::string_view text);

// The text that parseValue() reads back as the same value; for strings themselves, for arrays empty. Real numbers are
// as short as they can be.
[[nodiscard]] std::string writeValue(const Value& value);

// The same value in another type, exactly. Numbers and booleans turn to text as writeValue() has them, text to numbers
// as parseValue() reads it; `text` keeps the characters of a string that is made. Arrays: NotConvertible.
[[nodiscard]] std::expected<Value, ValueProblem> convertValue(const Value& value, ValueType type, std::string& text);

} // namespace gufo
