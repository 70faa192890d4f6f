#include "model/encode_value.h"

#include "base/checked.h"
#include "model/array_index.h"

#include <type_traits>

namespace gufo {
namespace {

bool sameEncoding(const ArrayView& array, ValueLayout layout) {
    return array.layout == layout || valueTypeFact(array.elementType).bytes == 1;
}

bool append(std::vector<std::byte>& out, const Value& value, ValueLayout layout);

bool appendAll(std::vector<std::byte>& out, const ArrayView& array, ValueLayout layout) {
    if (sameEncoding(array, layout)) {
        out.insert(out.end(), array.bytes.begin(), array.bytes.end());
        return true;
    }
    return forEachElement(array, [&](std::uint64_t, const Value& element) { return append(out, element, layout); });
}

bool append(std::vector<std::byte>& out, const Value& value, ValueLayout layout) {
    return std::visit(
        [&]<typename T>(const T& v) {
            if constexpr (std::is_same_v<T, std::string_view>) {
                appendString(out, v, layout);
            } else if constexpr (std::is_same_v<T, ArrayView>) {
                const auto type = static_cast<std::uint32_t>(v.elementType);
                if (layout.arrayHead == ValueLayout::ArrayHead::TypeFirst) {
                    appendNumber(out, type, layout.order);
                    appendLength(out, v.length, layout);
                } else {
                    appendLength(out, v.length, layout);
                    appendNumber(out, type, layout.order);
                }
                return appendAll(out, v, layout);
            } else if constexpr (std::is_same_v<T, BoolValue>) {
                appendNumber(out, v.raw, layout.order);
            } else {
                appendNumber(out, v, layout.order);
            }
            return true;
        },
        value);
}

// The number of bytes that the elements occupy, or nothing if the bytes end too early or the nesting is too deep.
std::optional<std::uint64_t> walk(const ArrayView& array, unsigned depth) {
    if (depth == 0 || findValueType(static_cast<std::uint32_t>(array.elementType)) == nullptr) {
        return std::nullopt;
    }
    if (const std::uint64_t fixed = valueTypeFact(array.elementType).bytes; fixed != 0) {
        const auto size = checkedMultiply(fixed, array.length);
        return size && *size <= array.bytes.size() ? size : std::nullopt;
    }
    std::uint64_t position = 0;
    for (std::uint64_t i = 0; i < array.length; ++i) {
        const Bytes rest = array.bytes.subspan(static_cast<std::size_t>(position));
        if (array.elementType == ValueType::String) {
            const auto element = valueAt(ValueType::String, rest, array.layout);
            if (!element) {
                return std::nullopt;
            }
            position += element->bytes;
            continue;
        }
        // valueAt() cannot be used here because it does not limit the depth.
        const std::uint64_t head = array.layout.arrayHeadBytes();
        if (rest.size() < head) {
            return std::nullopt;
        }
        const ValueTypeFact* type = findValueType(array.layout.loadElementType(rest.data()));
        if (type == nullptr) {
            return std::nullopt;
        }
        const auto elements = walk({.elementType = type->type,
                                    .length = array.layout.loadArrayLength(rest.data()),
                                    .bytes = rest.subspan(static_cast<std::size_t>(head)),
                                    .layout = array.layout},
                                   depth - 1);
        if (!elements) {
            return std::nullopt;
        }
        position += head + *elements;
    }
    return position;
}

} // namespace

void appendBytes(std::vector<std::byte>& out, std::string_view text) {
    const Bytes bytes = std::as_bytes(std::span(text));
    out.insert(out.end(), bytes.begin(), bytes.end());
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
    const std::size_t before = out.size();
    if (!append(out, value, layout)) {
        out.resize(before);
        return false;
    }
    return true;
}

bool appendElements(std::vector<std::byte>& out, const ArrayView& array, ValueLayout layout) {
    const std::size_t before = out.size();
    if (!appendAll(out, array, layout)) {
        out.resize(before);
        return false;
    }
    return true;
}

std::optional<std::uint64_t> encodedSize(const Value& value, ValueLayout layout) {
    if (const auto* text = std::get_if<std::string_view>(&value)) {
        return layout.lengthBytes() + text->size();
    }
    const ArrayView* array = asArray(value);
    if (array == nullptr) {
        return valueTypeFact(typeOf(value)).bytes;
    }
    std::uint64_t size = layout.arrayHeadBytes();
    if (array->layout.lengths == layout.lengths || valueTypeFact(array->elementType).bytes != 0) {
        return size + array->bytes.size();
    }
    const bool whole = forEachElement(*array, [&](std::uint64_t, const Value& element) {
        const auto bytes = encodedSize(element, layout);
        size += bytes.value_or(0);
        return bytes.has_value();
    });
    return whole ? std::optional(size) : std::nullopt;
}

bool isWellFormed(const ArrayView& array, unsigned depth) {
    const auto bytes = walk(array, depth);
    return bytes && *bytes == array.bytes.size();
}

void ArrayBuilder::add(const Value& element) {
    if (appendValue(m_bytes, element, m_layout)) {
        ++m_length;
    }
}

} // namespace gufo
