#include "formats/gguf/write/value_writer.h"

#include "model/array_index.h"

#include <limits>
#include <string>
#include <type_traits>

namespace gufo::gguf {
namespace {

// False if the array's bytes end before its elements do.
bool appendArray(std::vector<std::byte>& out, const ArrayView& array, ValueLayout layout) {
    const auto type = static_cast<std::uint32_t>(array.elementType);
    if (layout.arrayHead == ValueLayout::ArrayHead::TypeFirst) {
        appendNumber(out, type, layout.order);
        appendLength(out, array.length, layout);
    } else {
        appendLength(out, array.length, layout);
        appendNumber(out, type, layout.order);
    }
    const bool sameBytes = array.layout == layout || valueTypeInfo(array.elementType).bytes == 1;
    if (sameBytes) {
        out.insert(out.end(), array.bytes.begin(), array.bytes.end());
        return true;
    }
    Bytes rest = array.bytes;
    for (std::uint64_t i = 0; i < array.length; ++i) {
        const auto element = valueAt(array.elementType, rest, array.layout);
        if (!element || !appendValue(out, element->value, layout)) {
            return false;
        }
        rest = rest.subspan(element->bytes);
    }
    return true;
}

constexpr std::uint64_t kMaxLength32 = std::numeric_limits<std::uint32_t>::max();

// Calls `visit` for each element that may hold lengths of its own: strings and arrays.
template<typename Visit>
void forEachVarying(const ArrayView& array, Visit visit) {
    if (valueTypeInfo(array.elementType).bytes != 0) {
        return;
    }
    Bytes rest = array.bytes;
    for (std::uint64_t i = 0; i < array.length; ++i) {
        const auto element = valueAt(array.elementType, rest, array.layout);
        if (!element) {
            return;
        }
        visit(element->value);
        rest = rest.subspan(element->bytes);
    }
}

} // namespace

void appendBytes(std::vector<std::byte>& out, std::string_view text) {
    const auto* from = reinterpret_cast<const std::byte*>(text.data());
    out.insert(out.end(), from, from + text.size());
}

void appendLength(std::vector<std::byte>& out, std::uint64_t length, ValueLayout layout) {
    if (layout.lengths == ValueLayout::Lengths::U32) {
        appendNumber(out, static_cast<std::uint32_t>(length), layout.order);
    } else {
        appendNumber(out, length, layout.order);
    }
}

void appendString(std::vector<std::byte>& out, std::string_view text, ValueLayout layout) {
    appendLength(out, text.size(), layout);
    appendBytes(out, text);
}

bool appendValue(std::vector<std::byte>& out, const Value& value, ValueLayout layout) {
    return std::visit(
        [&]<typename T>(const T& v) {
            if constexpr (std::is_same_v<T, std::string_view>) {
                appendString(out, v, layout);
            } else if constexpr (std::is_same_v<T, ArrayView>) {
                return appendArray(out, v, layout);
            } else if constexpr (std::is_same_v<T, BoolValue>) {
                appendNumber(out, v.raw, layout.order);
            } else {
                appendNumber(out, v, layout.order);
            }
            return true;
        },
        value);
}

std::uint64_t encodedBytes(const Value& value, ValueLayout layout) {
    if (const auto text = asString(value)) {
        return layout.lengthBytes() + text->size();
    }
    const ArrayView* array = asArray(value);
    if (array == nullptr) {
        return valueTypeInfo(typeOf(value)).bytes;
    }
    std::uint64_t bytes = layout.arrayHeadBytes();
    if (array->layout.lengths == layout.lengths || valueTypeInfo(array->elementType).bytes != 0) {
        return bytes + array->bytes.size();
    }
    forEachVarying(*array, [&](const Value& element) { bytes += encodedBytes(element, layout); });
    return bytes;
}

std::string obstacleOf(const Value& value, std::uint32_t version) {
    const auto tooLong = [&](std::uint64_t length) { return version == 1 && length > kMaxLength32; };
    const auto typeObstacle = [&](ValueType type) {
        const ValueTypeInfo& info = valueTypeInfo(type);
        return info.sinceVersion > version
                   ? "a value of type " + std::string(info.name) + " in version " + std::to_string(version)
                   : std::string();
    };
    if (const auto text = asString(value)) {
        return tooLong(text->size()) ? "a string of more than 2^32 bytes in version 1" : "";
    }
    const ArrayView* array = asArray(value);
    if (array == nullptr) {
        return typeObstacle(typeOf(value));
    }
    if (tooLong(array->length)) {
        return "an array of more than 2^32 elements in version 1";
    }
    std::string obstacle = typeObstacle(array->elementType);
    if (obstacle.empty() && version == 1 && array->layout.lengths == ValueLayout::Lengths::U64) {
        forEachVarying(*array, [&](const Value& element) {
            if (obstacle.empty()) {
                obstacle = obstacleOf(element, version);
            }
        });
    }
    return obstacle;
}

} // namespace gufo::gguf
