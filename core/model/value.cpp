#include "model/value.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

namespace gufo {
namespace {

constexpr auto kValueTypes = std::to_array<ValueTypeFact>({
    {ValueType::UInt8, "u8", 1, 1, true},
    {ValueType::Int8, "i8", 1, 1, true},
    {ValueType::UInt16, "u16", 2, 1, true},
    {ValueType::Int16, "i16", 2, 1, true},
    {ValueType::UInt32, "u32", 4, 1, true},
    {ValueType::Int32, "i32", 4, 1, true},
    {ValueType::Float32, "f32", 4, 1, false},
    {ValueType::Bool, "bool", 1, 1, false},
    {ValueType::String, "str", 0, 1, false},
    {ValueType::Array, "arr", 0, 1, false},
    {ValueType::UInt64, "u64", 8, 2, true},
    {ValueType::Int64, "i64", 8, 2, true},
    {ValueType::Float64, "f64", 8, 2, false},
});
static_assert(kValueTypes.size() == std::variant_size_v<Value>);

template<typename Integer>
std::optional<Integer> integerAs(const Value& value) {
    return std::visit(
        []<typename T>(const T& v) -> std::optional<Integer> {
            if constexpr (std::is_integral_v<T>) {
                return std::in_range<Integer>(v) ? std::optional(static_cast<Integer>(v)) : std::nullopt;
            } else {
                return std::nullopt;
            }
        },
        value);
}

} // namespace

std::span<const ValueTypeFact> valueTypes() { return kValueTypes; }

const ValueTypeFact* findValueType(std::uint32_t id) { return id < kValueTypes.size() ? &kValueTypes[id] : nullptr; }

const ValueTypeFact* findValueType(std::string_view name) {
    const auto* row = std::ranges::find(kValueTypes, name, &ValueTypeFact::name);
    return row != kValueTypes.end() ? row : nullptr;
}

const ValueTypeFact& valueTypeFact(ValueType type) { return kValueTypes[static_cast<std::size_t>(type)]; }

std::optional<std::int64_t> asInt(const Value& value) { return integerAs<std::int64_t>(value); }

std::optional<std::uint64_t> asUInt(const Value& value) { return integerAs<std::uint64_t>(value); }

std::optional<double> asDouble(const Value& value) {
    return std::visit(
        []<typename T>(const T& v) -> std::optional<double> {
            if constexpr (std::is_arithmetic_v<T>) {
                return static_cast<double>(v);
            } else {
                return std::nullopt;
            }
        },
        value);
}

std::optional<std::string_view> asString(const Value& value) {
    const auto* text = std::get_if<std::string_view>(&value);
    return text != nullptr ? std::optional(*text) : std::nullopt;
}

std::optional<bool> asBool(const Value& value) {
    const auto* flag = std::get_if<BoolValue>(&value);
    return flag != nullptr ? std::optional(static_cast<bool>(*flag)) : std::nullopt;
}

const ArrayView* asArray(const Value& value) { return std::get_if<ArrayView>(&value); }

} // namespace gufo
