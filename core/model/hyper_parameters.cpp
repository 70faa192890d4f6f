#include "model/hyper_parameters.h"

#include "base/detail.h"
#include "model/key_catalogue.h"
#include "model/value_text.h"

#include <algorithm>
#include <utility>

namespace gufo {
namespace {

template<typename T>
std::optional<std::uint64_t> elementAs(const ArrayView& array, std::uint64_t i) {
    const T value = load<T>(array.bytes.data() + i * sizeof(T), array.layout.order);
    return std::in_range<std::uint64_t>(value) ? std::optional(static_cast<std::uint64_t>(value)) : std::nullopt;
}

} // namespace

std::optional<std::uint64_t> uintElement(const ArrayView& array, std::uint64_t i) {
    switch (array.elementType) {
    case ValueType::UInt8:
    case ValueType::Bool:
        return elementAs<std::uint8_t>(array, i);
    case ValueType::Int8:
        return elementAs<std::int8_t>(array, i);
    case ValueType::UInt16:
        return elementAs<std::uint16_t>(array, i);
    case ValueType::Int16:
        return elementAs<std::int16_t>(array, i);
    case ValueType::UInt32:
        return elementAs<std::uint32_t>(array, i);
    case ValueType::Int32:
        return elementAs<std::int32_t>(array, i);
    case ValueType::UInt64:
        return elementAs<std::uint64_t>(array, i);
    case ValueType::Int64:
        return elementAs<std::int64_t>(array, i);
    case ValueType::Float32:
    case ValueType::Float64:
    case ValueType::String:
    case ValueType::Array:
        break;
    }
    return std::nullopt;
}

std::optional<double> numberElement(const ArrayView& array, std::uint64_t i) {
    switch (array.elementType) {
    case ValueType::Float32:
        return load<float>(array.bytes.data() + i * sizeof(float), array.layout.order);
    case ValueType::Float64:
        return load<double>(array.bytes.data() + i * sizeof(double), array.layout.order);
    default: {
        const auto value = uintElement(array, i);
        return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
    }
    }
}

namespace {

// The element of an array whose elements are all equal, read by `read`.
template<typename Read>
auto onlyElement(const Value& value, const Read& read) -> decltype(read(ArrayView(), 0)) {
    const ArrayView* array = asArray(value);
    if (array == nullptr || array->length == 0 || array->length > kMaxBlocks) {
        return std::nullopt;
    }
    const auto first = read(*array, 0);
    for (std::uint64_t i = 1; i < array->length; ++i) {
        if (read(*array, i) != first) {
            return std::nullopt;
        }
    }
    return first;
}

} // namespace

const Value* HyperParameters::find(std::string_view suffix) const { return findHyperParameter(m_metadata, suffix); }

std::optional<std::uint64_t> HyperParameters::uint(std::string_view suffix) const {
    const Value* value = find(suffix);
    return value != nullptr ? asUInt(*value).or_else([&] { return onlyElement(*value, uintElement); }) : std::nullopt;
}

std::optional<double> HyperParameters::number(std::string_view suffix) const {
    const Value* value = find(suffix);
    return value != nullptr ? asDouble(*value).or_else([&] { return onlyElement(*value, numberElement); })
                            : std::nullopt;
}

std::optional<bool> HyperParameters::boolean(std::string_view suffix) const {
    const Value* value = find(suffix);
    if (value == nullptr) {
        return std::nullopt;
    }
    return asBool(*value).or_else([&] {
        const auto element = onlyElement(*value, uintElement);
        return element ? std::optional(*element != 0) : std::nullopt;
    });
}

Error unusableHyperParameter(const Metadata& metadata, std::string_view suffix) {
    const std::string key = metadata.architectureKey(suffix);
    const Value* value = findHyperParameter(metadata, suffix);
    if (value == nullptr) {
        return fail(ErrorCode::NoSuchKey, Place::key(key), {key}).error();
    }
    const Argument why = asArray(*value) != nullptr
                             ? Argument(Detail::HyperParametersUnusable, {key})
                             : Argument(Detail::HyperParameterUnusable, {key, writeValue(*value)});
    return fail(ErrorCode::InvalidArgument, Place::key(key), {why}).error();
}

BlockValues::BlockValues(const Value* value)
    : m_stated(value != nullptr)
    , m_array(value != nullptr ? asArray(*value) : nullptr)
    , m_scalar(value != nullptr ? asUInt(*value) : std::nullopt) {}

std::optional<std::uint64_t> BlockValues::at(std::uint64_t block) const {
    if (m_array == nullptr) {
        return m_scalar;
    }
    return block < m_array->length ? uintElement(*m_array, block) : std::nullopt;
}

std::optional<bool> BlockValues::flagAt(std::uint64_t block) const {
    const auto element = m_array != nullptr ? at(block) : std::nullopt;
    return element ? std::optional(*element != 0) : std::nullopt;
}

std::uint64_t BlockValues::largest(std::uint64_t blocks) const {
    std::uint64_t largest = 0;
    for (std::uint64_t i = 0; i < blocks; ++i) {
        largest = std::max(largest, at(i).value_or(0));
    }
    return largest;
}

} // namespace gufo
