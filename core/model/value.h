// Values of metadata keys. Strings and arrays are views of the file's bytes, never copies, so that opening a model with
// a vocabulary of 260,000 tokens touches only the lengths of its strings.
#pragma once

#include "base/byte_order.h"
#include "base/byte_source.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

namespace gufo {

// The numbers are defined by the GGUF specification (`gguf_metadata_value_type`).
enum class ValueType : std::uint32_t {
    UInt8 = 0,
    Int8 = 1,
    UInt16 = 2,
    Int16 = 3,
    UInt32 = 4,
    Int32 = 5,
    Float32 = 6,
    Bool = 7,
    String = 8,
    Array = 9,
    UInt64 = 10,
    Int64 = 11,
    Float64 = 12,
};

struct ValueTypeFact {
    ValueType type;
    std::string_view name;      // "u8" … "f64", "bool", "str", "arr"
    std::uint32_t bytes;        // size of one value; 0 for strings and arrays, whose size varies
    std::uint32_t sinceVersion; // the GGUF version that introduced it
    bool integer;
};
[[nodiscard]] std::span<const ValueTypeFact> valueTypes();
[[nodiscard]] const ValueTypeFact* findValueType(std::uint32_t id);
[[nodiscard]] const ValueTypeFact* findValueType(std::string_view name);
[[nodiscard]] const ValueTypeFact& valueTypeFact(ValueType type);

// A boolean as it is stored. The specification allows only 0 and 1.
struct BoolValue {
    std::uint8_t raw = 0;
    explicit operator bool() const { return raw != 0; }
    bool operator==(const BoolValue&) const = default;
};

// How values are encoded in a file: the byte order, the width of string and array lengths, and the order of an array's
// head.
struct ValueLayout {
    enum class Lengths : std::uint8_t { U32, U64 };                 // GGUF v1; v2 and later
    enum class ArrayHead : std::uint8_t { TypeFirst, LengthFirst }; // all versions; the draft of v1
    ByteOrder order = ByteOrder::Little;
    Lengths lengths = Lengths::U64;
    ArrayHead arrayHead = ArrayHead::TypeFirst;

    [[nodiscard]] constexpr std::uint64_t lengthBytes() const { return lengths == Lengths::U32 ? 4 : 8; }
    [[nodiscard]] std::uint64_t loadLength(const std::byte* from) const {
        return lengths == Lengths::U32 ? load<std::uint32_t>(from, order) : load<std::uint64_t>(from, order);
    }

    // The head of an array: element type and length, before its elements.
    [[nodiscard]] constexpr std::uint64_t arrayHeadBytes() const { return 4 + lengthBytes(); }
    [[nodiscard]] std::uint32_t loadElementType(const std::byte* head) const {
        return load<std::uint32_t>(arrayHead == ArrayHead::TypeFirst ? head : head + lengthBytes(), order);
    }
    [[nodiscard]] std::uint64_t loadArrayLength(const std::byte* head) const {
        return loadLength(arrayHead == ArrayHead::TypeFirst ? head + 4 : head);
    }
    bool operator==(const ValueLayout&) const = default;
};

// An array in its file. The reader has checked that every element lies within `bytes`.
struct ArrayView {
    ValueType elementType = ValueType::UInt8;
    std::uint64_t length = 0; // elements
    Bytes bytes;              // the elements, without the array's own type and length
    ValueLayout layout;
};

using Value = std::variant<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t, std::int32_t, float,
                           BoolValue, std::string_view, ArrayView, std::uint64_t, std::int64_t, double>;

// The alternatives of Value have the order of ValueType.
[[nodiscard]] inline ValueType typeOf(const Value& value) { return static_cast<ValueType>(value.index()); }

// Converts any integer type (not bool) if the value fits.
[[nodiscard]] std::optional<std::int64_t> asInt(const Value& value);
[[nodiscard]] std::optional<std::uint64_t> asUInt(const Value& value);
// Converts any numeric type.
[[nodiscard]] std::optional<double> asDouble(const Value& value);
[[nodiscard]] std::optional<std::string_view> asString(const Value& value);
[[nodiscard]] std::optional<bool> asBool(const Value& value);
[[nodiscard]] const ArrayView* asArray(const Value& value);

} // namespace gufo
