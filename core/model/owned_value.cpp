#include "model/owned_value.h"

#include "model/array_index.h"
#include "model/encode_value.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

namespace gufo {
namespace {

// Compares elements of fixed size that have different byte orders.
bool sameNumbers(const ArrayView& a, const ArrayView& b) {
    const std::size_t size = valueTypeFact(a.elementType).bytes;
    if (size * a.length != a.bytes.size() || a.bytes.size() != b.bytes.size()) {
        return false;
    }
    for (std::size_t at = 0; at < a.bytes.size(); at += size) {
        const Bytes left = a.bytes.subspan(at, size);
        const Bytes right = b.bytes.subspan(at, size);
        if (!std::equal(left.begin(), left.end(), right.rbegin())) {
            return false;
        }
    }
    return true;
}

bool sameArray(const ArrayView& a, const ArrayView& b) {
    if (a.elementType != b.elementType || a.length != b.length) {
        return false;
    }
    const std::uint32_t fixed = valueTypeFact(a.elementType).bytes;
    if (a.layout == b.layout || fixed == 1 || (fixed != 0 && a.layout.order == b.layout.order)) {
        return a.bytes.size() == b.bytes.size() && (a.bytes.empty() || a.bytes.data() == b.bytes.data() ||
                                                    std::memcmp(a.bytes.data(), b.bytes.data(), a.bytes.size()) == 0);
    }
    if (fixed != 0) {
        return sameNumbers(a, b);
    }
    Bytes left = a.bytes;
    Bytes right = b.bytes;
    for (std::uint64_t i = 0; i < a.length; ++i) {
        const auto x = valueAt(a.elementType, left, a.layout);
        const auto y = valueAt(b.elementType, right, b.layout);
        if (!x || !y || !OwnedValue::sameValue(x->value, y->value)) {
            return false;
        }
        left = left.subspan(static_cast<std::size_t>(x->bytes));
        right = right.subspan(static_cast<std::size_t>(y->bytes));
    }
    return true;
}

} // namespace

OwnedValue::OwnedValue(const Value& value)
    : m_value(value) {
    if (const auto* text = std::get_if<std::string_view>(&value)) {
        auto copy = std::make_shared<const std::string>(*text);
        m_value = std::string_view(*copy);
        m_bytes = std::move(copy);
    } else if (const ArrayView* array = asArray(value)) {
        auto copy = std::make_shared<const std::vector<std::byte>>(array->bytes.begin(), array->bytes.end());
        std::get<ArrayView>(m_value).bytes = *copy;
        m_bytes = std::move(copy);
    }
}

OwnedValue OwnedValue::string(std::string text) {
    OwnedValue owned;
    auto bytes = std::make_shared<const std::string>(std::move(text));
    owned.m_value = std::string_view(*bytes);
    owned.m_bytes = std::move(bytes);
    return owned;
}

OwnedValue OwnedValue::array(ValueType elementType, std::uint64_t length, std::vector<std::byte> elements,
                             ValueLayout layout) {
    OwnedValue owned;
    auto bytes = std::make_shared<const std::vector<std::byte>>(std::move(elements));
    owned.m_value = ArrayView{.elementType = elementType, .length = length, .bytes = *bytes, .layout = layout};
    owned.m_bytes = std::move(bytes);
    return owned;
}

OwnedValue OwnedValue::strings(std::span<const std::string> texts) {
    std::vector<std::byte> elements;
    for (const std::string& text : texts) {
        // Encoding a string cannot fail.
        static_cast<void>(appendValue(elements, std::string_view(text), {}));
    }
    return array(ValueType::String, texts.size(), std::move(elements));
}

bool OwnedValue::sameValue(const Value& a, const Value& b) {
    if (a.index() != b.index()) {
        return false;
    }
    return std::visit(
        [&]<typename T>(const T& left) {
            const T& right = std::get<T>(b);
            if constexpr (std::is_same_v<T, ArrayView>) {
                return sameArray(left, right);
            } else if constexpr (std::is_same_v<T, float>) {
                return std::bit_cast<std::uint32_t>(left) == std::bit_cast<std::uint32_t>(right);
            } else if constexpr (std::is_same_v<T, double>) {
                return std::bit_cast<std::uint64_t>(left) == std::bit_cast<std::uint64_t>(right);
            } else {
                return left == right;
            }
        },
        a);
}

} // namespace gufo
