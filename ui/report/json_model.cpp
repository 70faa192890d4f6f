#include "ui/report/json_model.h"

#include "model/array_index.h"
#include "ui/messages/error_text.h"
#include "ui/messages/finding_text.h"

#include <cmath>
#include <type_traits>

namespace gufo::ui {
namespace {

constexpr std::size_t kHeadElements = 8;

void writeElements(JsonWriter& json, const ArrayView& array) {
    json.beginArray();
    Bytes rest = array.bytes;
    for (std::uint64_t i = 0; i < array.length; ++i) {
        const auto element = valueAt(array.elementType, rest, array.layout);
        if (!element) { // the file changed while it was read; the verb reports it
            break;
        }
        writeValue(json, element->value);
        rest = rest.subspan(element->bytes);
    }
    json.endArray();
}

// Writes an array's type, length and first elements. Nested arrays are treated alike, so that a hostile file cannot
// cause large output.
void writeHead(JsonWriter& json, const ArrayView& array) {
    json.beginObject();
    json.member("array", true);
    json.member("type", valueTypeFact(array.elementType).name);
    json.member("length", array.length);
    json.key("head");
    json.beginArray();
    for (const Value& element : arrayHead(array, kHeadElements)) {
        const ArrayView* nested = asArray(element);
        nested != nullptr ? writeHead(json, *nested) : writeValue(json, element);
    }
    json.endArray();
    json.endObject();
}

void writePlace(JsonWriter& json, const Place& place) {
    static constexpr const char* kKinds[] = {"file", "key", "tensor", "token",
                                             "file_name"}; // in the order of Place::Kind
    json.beginObject();
    json.member("kind", kKinds[static_cast<std::size_t>(place.kind)]);
    if (place.kind != Place::Kind::File && place.kind != Place::Kind::Token) {
        json.member("name", std::string_view(place.name));
    }
    if (place.index) {
        json.member("index", *place.index);
    }
    if (place.offset) {
        json.member("offset", *place.offset);
    }
    json.endObject();
}

} // namespace

void writeValue(JsonWriter& json, const Value& value) {
    std::visit(
        [&]<typename T>(const T& content) {
            if constexpr (std::is_same_v<T, ArrayView>) {
                writeElements(json, content);
            } else if constexpr (std::is_same_v<T, BoolValue>) {
                json.value(static_cast<bool>(content));
            } else {
                json.value(content);
            }
        },
        value);
}

void writeTypeAndValue(JsonWriter& json, const Value& value) {
    json.member("type", typeName(value));
    json.key("value");
    if (const ArrayView* array = asArray(value)) {
        writeHead(json, *array);
        return;
    }
    writeValue(json, value);
    const ValueType type = typeOf(value);
    const double number = asDouble(value).value_or(0);
    if ((type == ValueType::Float32 || type == ValueType::Float64) && !std::isfinite(number)) {
        json.member("non_finite", std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
    }
}

void writeShape(JsonWriter& json, const Shape& shape) {
    json.beginArray();
    for (const std::uint64_t dim : shape.dims()) {
        json.value(dim);
    }
    json.endArray();
}

void writeFindings(JsonWriter& json, std::span<const Finding> findings) {
    json.beginArray(JsonWriter::Layout::Block);
    for (const Finding& finding : findings) {
        json.beginObject();
        json.member("code", finding.name());
        json.member("severity", severityName(finding.severity()));
        json.key("place");
        writePlace(json, finding.place);
        json.member("message", findingMessage(finding));
        json.member("hint", findingHint(finding));
        json.endObject();
    }
    json.endArray();
}

void writeError(JsonWriter& json, const Error& error) {
    json.beginObject();
    json.member("code", errorName(error.code));
    json.member("message", errorReason(error));
    json.endObject();
}

std::string_view typeName(const Value& value) { return valueTypeFact(typeOf(value)).name; }

} // namespace gufo::ui
