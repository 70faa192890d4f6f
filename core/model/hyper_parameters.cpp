#include "model/hyper_parameters.h"

#include "model/key_catalogue.h"

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

const Value* HyperParameters::find(std::string_view suffix) const { return findHyperParameter(m_metadata, suffix); }

std::optional<std::uint64_t> HyperParameters::uint(std::string_view suffix) const {
    const Value* value = find(suffix);
    return value != nullptr ? asUInt(*value) : std::nullopt;
}

std::optional<double> HyperParameters::number(std::string_view suffix) const {
    const Value* value = find(suffix);
    return value != nullptr ? asDouble(*value) : std::nullopt;
}

std::optional<bool> HyperParameters::boolean(std::string_view suffix) const {
    const Value* value = find(suffix);
    return value != nullptr ? asBool(*value) : std::nullopt;
}

BlockValues::BlockValues(const Value* value)
    : m_array(value != nullptr ? asArray(*value) : nullptr)
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
