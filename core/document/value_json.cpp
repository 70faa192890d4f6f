#include "document/value_json.h"

#include "base/detail.h"
#include "formats/gguf/read/reader_limits.h"
#include "model/array_index.h"
#include "model/encode_value.h"
#include "model/value_text.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

namespace gufo {
namespace {

using Token = JsonReader::Token;

constexpr std::uint64_t kElementsInLine = 16;
constexpr std::uint64_t kStopEvery = 4096;

template<typename T>
using BitsOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

std::string hexNumber(std::uint64_t bits) {
    std::string text(16, '\0');
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), bits, 16);
    text.resize(static_cast<std::size_t>(end - text.data()));
    return text;
}

template<typename T>
void writeReal(JsonText& json, T value) {
    const auto bits = std::bit_cast<BitsOf<T>>(value);
    if (std::isfinite(value)) {
        json.raw(writeValue(Value(value)));
    } else if (std::isinf(value)) {
        json.raw(value > 0 ? "\"inf\"" : "\"-inf\"");
    } else if (bits == std::bit_cast<BitsOf<T>>(std::numeric_limits<T>::quiet_NaN())) {
        json.raw("\"nan\"");
    } else {
        json.raw("{\"bits\": \"" + hexNumber(bits) + "\"}");
    }
}

Result<> writeElements(JsonText& json, const ArrayView& array, const JobContext& job);

Result<> write(JsonText& json, const Value& value, bool nested, const JobContext& job) {
    if (const auto text = asString(value)) {
        json.text(*text);
    } else if (const ArrayView* array = asArray(value)) {
        if (nested) {
            json.raw(R"({"element_type": ")");
            json.raw(valueTypeFact(array->elementType).name);
            json.raw(R"(", "value": )");
        }
        GUFO_TRY(writeElements(json, *array, job));
        json.raw(nested ? "}" : "");
    } else if (const auto* flag = std::get_if<BoolValue>(&value)) {
        json.raw(flag->raw > 1 ? "{\"raw\": " + std::to_string(flag->raw) + "}" : flag->raw == 1 ? "true" : "false");
    } else if (const auto* single = std::get_if<float>(&value)) {
        writeReal(json, *single);
    } else if (const auto* twice = std::get_if<double>(&value)) {
        writeReal(json, *twice);
    } else {
        json.raw(writeValue(value));
    }
    return {};
}

Result<> writeElements(JsonText& json, const ArrayView& array, const JobContext& job) {
    json.raw("[");
    Bytes rest = array.bytes;
    for (std::uint64_t i = 0; i < array.length; ++i) {
        if (i % kStopEvery == 0 && job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        const auto element = valueAt(array.elementType, rest, array.layout);
        if (!element) {
            return fail(ErrorCode::Truncated, {}, {Detail::Array, 1, 0});
        }
        json.raw(i == 0 ? "" : i % kElementsInLine == 0 ? ",\n   " : ", ");
        GUFO_TRY(write(json, element->value, true, job));
        rest = rest.subspan(static_cast<std::size_t>(element->bytes));
    }
    json.raw("]");
    return {};
}

// Reads the only member of an object such as {"hex": "ff"}. Returns its name and leaves its value in json.text().
Result<std::string> escapeMember(JsonReader& json) {
    GUFO_TRY(json.expect(Token::Key, Detail::Name));
    std::string name = json.text();
    const auto value = GUFO_TRY(json.next());
    if (value != Token::String && value != Token::Number) {
        return json.expected(Detail::StringOrNumber);
    }
    return name;
}

std::optional<std::string> fromHex(std::string_view hex) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        unsigned char byte = 0;
        const auto [end, error] = std::from_chars(hex.data() + i, hex.data() + i + 2, byte, 16);
        if (error != std::errc() || end != hex.data() + i + 2) {
            return std::nullopt;
        }
        bytes += static_cast<char>(byte);
    }
    return hex.size() % 2 == 0 ? std::optional(bytes) : std::nullopt;
}

template<typename T>
std::optional<Value> fromBits(std::string_view hex) {
    BitsOf<T> bits = 0;
    const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), bits, 16);
    return error == std::errc() && end == hex.data() + hex.size() ? std::optional(Value(std::bit_cast<T>(bits)))
                                                                  : std::nullopt;
}

// Returns the value that an escape object represents; `text` stores the bytes of a string.
std::optional<Value> escaped(ValueType type, std::string_view name, const std::string& content, std::string& text) {
    if (type == ValueType::String && name == "hex") {
        if (auto bytes = fromHex(content)) {
            text = *std::move(bytes);
            return Value(std::string_view(text));
        }
    } else if (type == ValueType::Bool && name == "raw") {
        const auto raw = parseValue(ValueType::UInt8, content);
        return raw ? std::optional(Value(BoolValue{std::get<std::uint8_t>(*raw)})) : std::nullopt;
    } else if (name == "bits" && type == ValueType::Float32) {
        return fromBits<float>(content);
    } else if (name == "bits" && type == ValueType::Float64) {
        return fromBits<double>(content);
    }
    return std::nullopt;
}

Argument describe(ValueType type) { return {Detail::ValueOfType, {valueTypeFact(type).name}}; }

// Reads a value that is not an array, from its first token.
Result<Value> readScalar(JsonReader& json, Token token, ValueType type, std::string& text) {
    std::optional<Value> value;
    const bool real = type == ValueType::Float32 || type == ValueType::Float64;
    if (token == Token::ObjectStart) {
        const auto name = GUFO_TRY(escapeMember(json));
        value = escaped(type, name, json.text(), text);
        if (!value) {
            return json.expected(describe(type));
        }
        if (auto end = json.expect(Token::ObjectEnd, std::string_view("}")); !end) {
            return std::unexpected(std::move(end).error());
        }
        return *value;
    }
    if (token == Token::String && type == ValueType::String) {
        text = json.text();
        value = Value(std::string_view(text));
    } else if ((token == Token::True || token == Token::False) && type == ValueType::Bool) {
        value = Value(BoolValue{static_cast<std::uint8_t>(token == Token::True ? 1 : 0)});
    } else if (token == Token::Number && type != ValueType::Bool && type != ValueType::String) {
        const auto parsed = parseValue(type, json.text());
        value = parsed ? std::optional(*parsed) : std::nullopt;
    } else if (token == Token::String && real && (json.text() == "nan" || json.text().ends_with("inf"))) {
        const auto parsed = parseValue(type, json.text());
        value = parsed ? std::optional(*parsed) : std::nullopt;
    }
    return value ? Result<Value>(*value) : json.expected(describe(type));
}

Result<OwnedValue> readElements(JsonReader& json, ValueType elementType, unsigned depth, const JobContext& job);

// Reads the object of a nested array, after its brace.
Result<OwnedValue> readNested(JsonReader& json, unsigned depth, const JobContext& job) {
    std::optional<ValueType> elementType;
    std::optional<JsonReader> value;
    const auto member = [&]() -> Result<> {
        if (json.text() == "value") {
            value = json;
            return json.skipValue();
        }
        if (json.text() != "element_type") {
            return json.expected(Detail::ElementTypeOrValue);
        }
        GUFO_TRY(json.expect(Token::String, Detail::TypeName));
        const ValueTypeFact* info = findValueType(json.text());
        if (info == nullptr) {
            return json.expected(Detail::TypeName);
        }
        elementType = info->type;
        return {};
    };
    GUFO_TRY(json.readMembers(member));
    if (!elementType || !value) {
        return json.expected(Detail::ElementTypeAndValue);
    }
    GUFO_TRY(value->expect(Token::ArrayStart, Detail::List));
    return readElements(*value, *elementType, depth, job);
}

// Reads elements after the opening bracket, up to the closing one.
Result<OwnedValue> readElements(JsonReader& json, ValueType elementType, unsigned depth, const JobContext& job) {
    if (depth == 0) {
        return fail(ErrorCode::NestingTooDeep, {}, {gguf::kMaxArrayDepth});
    }
    std::vector<std::byte> bytes;
    std::uint64_t count = 0;
    std::string text;
    while (true) {
        if (count % kStopEvery == 0 && job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        const auto token = GUFO_TRY(json.next());
        if (token == Token::ArrayEnd) {
            return OwnedValue::array(elementType, count, std::move(bytes));
        }
        ++count;
        OwnedValue nested;
        Value value;
        if (elementType != ValueType::Array) {
            value = GUFO_TRY(readScalar(json, token, elementType, text));
        } else if (token != Token::ObjectStart) {
            return json.expected(Detail::TypedArrayObject);
        } else {
            nested = GUFO_TRY(readNested(json, depth - 1, job));
            value = nested.value();
        }
        if (!appendValue(bytes, value, {})) {
            return json.expected(describe(elementType)); // cannot happen, because the value was just made
        }
    }
}

} // namespace

Result<> writeBareValue(JsonText& json, const Value& value, const JobContext& job) {
    return write(json, value, false, job);
}

Result<> writeTypedValue(JsonText& json, const Value& value, const JobContext& job) {
    json.raw("\"type\": \"" + std::string(valueTypeFact(typeOf(value)).name) + '"');
    if (const ArrayView* array = asArray(value)) {
        json.raw(", \"element_type\": \"" + std::string(valueTypeFact(array->elementType).name) +
                 "\", \"length\": " + std::to_string(array->length));
    }
    json.raw(", \"value\": ");
    return writeBareValue(json, value, job);
}

Result<OwnedValue> readBareValue(JsonReader& json, ValueType type, std::optional<ValueType> elementType,
                                 const JobContext& job) {
    const auto token = GUFO_TRY(json.next());
    if (type != ValueType::Array) {
        std::string text;
        const auto value = GUFO_TRY(readScalar(json, token, type, text));
        return OwnedValue(value);
    }
    if (!elementType && token == Token::ObjectStart) {
        return readNested(json, gguf::kMaxArrayDepth, job);
    }
    if (!elementType || token != Token::ArrayStart) {
        return json.expected(Detail::List);
    }
    return readElements(json, *elementType, gguf::kMaxArrayDepth, job);
}

Result<bool> TypedValueReader::member(JsonReader& json, std::string_view name) {
    if (name == "type" || name == "element_type") {
        GUFO_TRY(json.expect(Token::String, Detail::TypeName));
        const ValueTypeFact* info = findValueType(json.text());
        if (info == nullptr) {
            return json.expected(Detail::TypeName);
        }
        (name == "type" ? m_type : m_elementType) = info->type;
        return true;
    }
    if (name == "length") {
        GUFO_TRY(json.expect(Token::Number, Detail::Number));
        const auto length = parseValue(ValueType::UInt64, json.text());
        if (!length) {
            return json.expected(Detail::ElementCount);
        }
        m_length = std::get<std::uint64_t>(*length);
        return true;
    }
    if (name == "value") {
        m_value = json;
        GUFO_TRY(json.skipValue());
        return true;
    }
    return false;
}

Result<OwnedValue> TypedValueReader::finish(const JsonReader& json, const JobContext& job) {
    if (!m_type || !m_value || (*m_type == ValueType::Array && !m_elementType)) {
        return json.expected(!m_value ? Detail::Value : !m_type ? Detail::ValueType : Detail::ElementType);
    }
    auto value = readBareValue(*m_value, *m_type, m_elementType, job);
    if (value && m_length && asArray(value->value()) != nullptr && asArray(value->value())->length != *m_length) {
        return json.expected({Detail::ElementsOf, {*m_length}});
    }
    return value;
}

} // namespace gufo
