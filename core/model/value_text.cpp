#include "model/value_text.h"

#include "base/detail.h"
#include "base/utf8.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace gufo {
namespace {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kSpace = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kSpace);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// Calls `f` with a value of the C++ type of `type`.
template<typename F>
auto withTypeOf(ValueType type, const F& f) {
    switch (type) {
    case ValueType::UInt8:
        return f(std::uint8_t{});
    case ValueType::Int8:
        return f(std::int8_t{});
    case ValueType::UInt16:
        return f(std::uint16_t{});
    case ValueType::Int16:
        return f(std::int16_t{});
    case ValueType::UInt32:
        return f(std::uint32_t{});
    case ValueType::Int32:
        return f(std::int32_t{});
    case ValueType::Float32:
        return f(float{});
    case ValueType::Bool:
        return f(BoolValue{});
    case ValueType::String:
        return f(std::string_view{});
    case ValueType::UInt64:
        return f(std::uint64_t{});
    case ValueType::Int64:
        return f(std::int64_t{});
    case ValueType::Float64:
        return f(double{});
    case ValueType::Array:
        break;
    }
    return f(ArrayView{});
}

using Parsed = std::expected<Value, ValueProblem>;

template<typename T>
Parsed parseInteger(std::string_view text) {
    const bool negative = text.starts_with('-');
    std::string_view digits = text.substr(negative || text.starts_with('+') ? 1 : 0);
    const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
    digits.remove_prefix(hex ? 2 : 0);
    std::uint64_t magnitude = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, hex ? 16 : 10);
    if (digits.empty() || end != digits.data() + digits.size() || error == std::errc::invalid_argument) {
        return std::unexpected(ValueProblem::NotAnInteger);
    }
    constexpr std::uint64_t kLowest = std::uint64_t{1} << 63U; // the magnitude of the lowest number
    if (error != std::errc() || (negative && magnitude > kLowest)) {
        return std::unexpected(ValueProblem::OutOfRange);
    }
    const auto below = static_cast<std::int64_t>(~magnitude + 1);
    const bool fits = negative ? std::in_range<T>(below) : std::in_range<T>(magnitude);
    return fits ? Parsed(Value(static_cast<T>(negative ? static_cast<std::uint64_t>(below) : magnitude)))
                : std::unexpected(ValueProblem::OutOfRange);
}

template<typename T>
Parsed parseReal(std::string_view text) {
    text.remove_prefix(text.starts_with('+') ? 1 : 0);
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || end != text.data() + text.size() || error == std::errc::invalid_argument) {
        return std::unexpected(ValueProblem::NotANumber);
    }
    return error == std::errc() ? Parsed(Value(value)) : std::unexpected(ValueProblem::OutOfRange);
}

template<typename T>
std::string writeReal(T value) {
    std::array<char, 64> buffer{};
    const char* end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), static_cast<std::size_t>(end - buffer.data())};
}

// Whether T can hold the value exactly, so that converting it is well defined.
template<typename T>
bool holdsInteger(double value) {
    return std::trunc(value) == value && value >= static_cast<double>(std::numeric_limits<T>::min()) &&
           value < std::ldexp(1.0, std::numeric_limits<T>::digits);
}

template<typename To, typename From>
Parsed convertNumber(From from) {
    if constexpr (std::is_integral_v<To> && std::is_integral_v<From>) {
        return std::in_range<To>(from) ? Parsed(Value(static_cast<To>(from)))
                                       : std::unexpected(ValueProblem::OutOfRange);
    } else if constexpr (std::is_integral_v<To>) {
        if (!holdsInteger<To>(static_cast<double>(from))) {
            return std::unexpected(std::trunc(from) == from && std::isfinite(from) ? ValueProblem::OutOfRange
                                                                                   : ValueProblem::Inexact);
        }
        return Value(static_cast<To>(from));
    } else if constexpr (std::is_integral_v<From>) {
        const To to = static_cast<To>(from);
        return holdsInteger<From>(static_cast<double>(to)) && static_cast<From>(to) == from
                   ? Parsed(Value(to))
                   : std::unexpected(ValueProblem::Inexact);
    } else {
        if (std::isfinite(from) && std::abs(static_cast<double>(from)) > std::numeric_limits<To>::max()) {
            return std::unexpected(ValueProblem::OutOfRange);
        }
        const To to = static_cast<To>(from);
        return std::isnan(from) || static_cast<From>(to) == from ? Parsed(Value(to))
                                                                 : std::unexpected(ValueProblem::Inexact);
    }
}

} // namespace

IntegerRange integerRange(ValueType integerType) {
    return withTypeOf(integerType, []<typename T>(const T&) -> IntegerRange {
        if constexpr (std::is_integral_v<T>) {
            return {std::numeric_limits<T>::min(), static_cast<std::uint64_t>(std::numeric_limits<T>::max())};
        } else {
            return {};
        }
    });
}

std::expected<Value, ValueProblem> parseValue(ValueType type, std::string_view text) {
    return withTypeOf(type, [text]<typename T>(const T&) -> Parsed {
        if constexpr (std::is_same_v<T, std::string_view>) {
            return Value(text);
        } else if constexpr (std::is_integral_v<T>) {
            return parseInteger<T>(trimmed(text));
        } else if constexpr (std::is_floating_point_v<T>) {
            return parseReal<T>(trimmed(text));
        } else if constexpr (std::is_same_v<T, BoolValue>) {
            const std::string_view word = trimmed(text);
            const bool yes = word == "true" || word == "1";
            return yes || word == "false" || word == "0" ? Parsed(Value(BoolValue{static_cast<std::uint8_t>(yes)}))
                                                         : std::unexpected(ValueProblem::NotABoolean);
        } else {
            return std::unexpected(ValueProblem::NotConvertible);
        }
    });
}

std::string writeValue(const Value& value) {
    return std::visit(
        []<typename T>(const T& v) -> std::string {
            if constexpr (std::is_integral_v<T>) {
                return std::to_string(v);
            } else if constexpr (std::is_floating_point_v<T>) {
                return writeReal(v);
            } else if constexpr (std::is_same_v<T, BoolValue>) {
                return v ? "true" : "false";
            } else if constexpr (std::is_same_v<T, std::string_view>) {
                return std::string(v);
            } else {
                return {};
            }
        },
        value);
}

std::string shortText(const Value& value) {
    constexpr std::size_t kShown = 40;
    if (const ArrayView* array = asArray(value)) {
        return std::string(valueTypeFact(array->elementType).name) + "[" + std::to_string(array->length) + "]";
    }
    std::string text = writeValue(value);
    if (text.size() > kShown) {
        text.resize(cutBetweenCharacters(text, kShown));
        text += "…";
    }
    return text;
}

std::expected<Value, ValueProblem> convertValue(const Value& value, ValueType type, std::string& text) {
    if (typeOf(value) == type) {
        return value;
    }
    if (const auto from = asString(value)) {
        return parseValue(type, *from);
    }
    if (asArray(value) != nullptr || type == ValueType::Array) {
        return std::unexpected(ValueProblem::NotConvertible);
    }
    if (type == ValueType::String) {
        text = writeValue(value);
        return Value(std::string_view(text));
    }
    return withTypeOf(type, [&value]<typename To>(const To&) -> Parsed {
        return std::visit(
            []<typename From>(const From& from) -> Parsed {
                if constexpr (std::is_arithmetic_v<From> && std::is_arithmetic_v<To>) {
                    return convertNumber<To>(from);
                } else if constexpr (std::is_same_v<From, BoolValue> && std::is_arithmetic_v<To>) {
                    return Value(static_cast<To>(from ? 1 : 0));
                } else if constexpr (std::is_arithmetic_v<From> && std::is_same_v<To, BoolValue>) {
                    return from == From{0} || from == From{1}
                               ? Parsed(Value(BoolValue{static_cast<std::uint8_t>(from == From{1})}))
                               : std::unexpected(ValueProblem::OutOfRange);
                } else {
                    return std::unexpected(ValueProblem::NotConvertible);
                }
            },
            value);
    });
}

std::optional<OwnedValue> integerAs(ValueType type, std::uint64_t number) {
    std::string text;
    const auto value = convertValue(Value(number), type, text);
    return value && type != ValueType::String ? std::optional(OwnedValue(*value)) : std::nullopt;
}

Argument typeArgument(const Value& value) {
    const ArrayView* array = asArray(value);
    return array != nullptr ? arrayTypeArgument(array->elementType) : Argument(valueTypeFact(typeOf(value)).name);
}

Argument arrayTypeArgument(ValueType element) { return {Detail::ArrayOf, {valueTypeFact(element).name}}; }

} // namespace gufo
