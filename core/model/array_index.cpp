#include "model/array_index.h"

#include "base/checked.h"
#include "base/detail.h"

#include <algorithm>

namespace gufo {
namespace {

constexpr std::uint64_t kElementsPerCheckpoint = 64;
constexpr std::uint64_t kElementsPerStopCheck = 65'536;

template<typename T>
LocatedValue scalarAt(Bytes bytes, ValueLayout layout) {
    return {Value(load<T>(bytes.data(), layout.order)), sizeof(T)};
}

std::optional<std::uint64_t> sizeOfElements(ValueType type, std::uint64_t count, Bytes bytes, ValueLayout layout);

// The number of bytes that the first value occupies.
std::optional<std::uint64_t> sizeAt(ValueType type, Bytes bytes, ValueLayout layout) {
    const std::uint64_t lengthBytes = layout.lengthBytes();
    std::optional<std::uint64_t> size;
    if (type == ValueType::String) {
        if (bytes.size() < lengthBytes) {
            return std::nullopt;
        }
        size = checkedAdd(lengthBytes, layout.loadLength(bytes.data()));
    } else if (type == ValueType::Array) {
        const std::uint64_t head = layout.arrayHeadBytes();
        if (bytes.size() < head) {
            return std::nullopt;
        }
        const ValueTypeFact* element = findValueType(layout.loadElementType(bytes.data()));
        if (element == nullptr) {
            return std::nullopt;
        }
        const auto elements =
            sizeOfElements(element->type, layout.loadArrayLength(bytes.data()), bytes.subspan(head), layout);
        size = elements ? checkedAdd(head, *elements) : std::nullopt;
    } else {
        size = valueTypeFact(type).bytes;
    }
    return size && *size <= bytes.size() ? size : std::nullopt;
}

// The reader has limited the nesting depth of every array that arrives here, which bounds the recursion.
std::optional<std::uint64_t> sizeOfElements(ValueType type, std::uint64_t count, Bytes bytes, ValueLayout layout) {
    if (const std::uint64_t fixed = valueTypeFact(type).bytes; fixed != 0) {
        return checkedMultiply(fixed, count);
    }
    std::uint64_t position = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto size = sizeAt(type, bytes.subspan(position), layout);
        if (!size) {
            return std::nullopt;
        }
        position += *size;
    }
    return position;
}

Value emptyValue(const ArrayView& array) {
    if (array.elementType == ValueType::String) {
        return std::string_view();
    }
    return ArrayView{.layout = array.layout};
}

} // namespace

std::optional<LocatedValue> valueAt(ValueType type, Bytes bytes, ValueLayout layout) {
    const auto size = sizeAt(type, bytes, layout);
    if (!size) {
        return std::nullopt;
    }
    switch (type) {
    case ValueType::UInt8:
        return scalarAt<std::uint8_t>(bytes, layout);
    case ValueType::Int8:
        return scalarAt<std::int8_t>(bytes, layout);
    case ValueType::UInt16:
        return scalarAt<std::uint16_t>(bytes, layout);
    case ValueType::Int16:
        return scalarAt<std::int16_t>(bytes, layout);
    case ValueType::UInt32:
        return scalarAt<std::uint32_t>(bytes, layout);
    case ValueType::Int32:
        return scalarAt<std::int32_t>(bytes, layout);
    case ValueType::Float32:
        return scalarAt<float>(bytes, layout);
    case ValueType::UInt64:
        return scalarAt<std::uint64_t>(bytes, layout);
    case ValueType::Int64:
        return scalarAt<std::int64_t>(bytes, layout);
    case ValueType::Float64:
        return scalarAt<double>(bytes, layout);
    case ValueType::Bool:
        return LocatedValue{BoolValue{std::to_integer<std::uint8_t>(bytes[0])}, 1};
    case ValueType::String: {
        const auto head = layout.lengthBytes();
        return LocatedValue{std::string_view(reinterpret_cast<const char*>(bytes.data()) + head,
                                             static_cast<std::size_t>(*size - head)),
                            *size};
    }
    case ValueType::Array: {
        const std::uint64_t head = layout.arrayHeadBytes();
        return LocatedValue{ArrayView{.elementType = static_cast<ValueType>(layout.loadElementType(bytes.data())),
                                      .length = layout.loadArrayLength(bytes.data()),
                                      .bytes = bytes.subspan(head, *size - head),
                                      .layout = layout},
                            *size};
    }
    }
    return std::nullopt;
}

std::vector<Value> arrayHead(const ArrayView& array, std::size_t count) {
    std::vector<Value> head;
    forEachElement(array, [&](std::uint64_t i, const Value& element) {
        if (i < count) {
            head.push_back(element);
        }
        return i + 1 < count;
    });
    return head;
}

Result<ArrayIndex> ArrayIndex::build(const ArrayView& array, const JobContext& job) {
    ArrayIndex index;
    index.m_array = array;
    if (valueTypeFact(array.elementType).bytes != 0) {
        return index;
    }
    std::uint64_t position = 0;
    for (std::uint64_t i = 0; i < array.length; ++i) {
        if (i % kElementsPerCheckpoint == 0) {
            index.m_checkpoints.push_back(position);
        }
        if (i % kElementsPerStopCheck == 0 && job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        const auto size = sizeAt(array.elementType, array.bytes.subspan(position), array.layout);
        if (!size) {
            return fail(ErrorCode::Truncated, {}, {Detail::Array, position + 1, array.bytes.size()});
        }
        position += *size;
    }
    return index;
}

Value ArrayIndex::at(std::uint64_t i) const {
    if (const std::uint64_t fixed = valueTypeFact(m_array.elementType).bytes; fixed != 0) {
        return valueAt(m_array.elementType, m_array.bytes.subspan(i * fixed, fixed), m_array.layout)->value;
    }
    Bytes rest = m_array.bytes.subspan(m_checkpoints[i / kElementsPerCheckpoint]);
    for (std::uint64_t skip = i % kElementsPerCheckpoint; skip > 0; --skip) {
        const auto size = sizeAt(m_array.elementType, rest, m_array.layout);
        if (!size) {
            return emptyValue(m_array);
        }
        rest = rest.subspan(*size);
    }
    const auto element = valueAt(m_array.elementType, rest, m_array.layout);
    return element ? element->value : emptyValue(m_array);
}

} // namespace gufo
