// Encodes values as the bytes of a file, in any ValueLayout. valueAt() decodes them.
#pragma once

#include "model/value.h"

#include <vector>

namespace gufo {

template<Scalar T>
void appendNumber(std::vector<std::byte>& out, T value, ByteOrder order) {
    out.resize(out.size() + sizeof value);
    store(out.data() + out.size() - sizeof value, value, order);
}
void appendBytes(std::vector<std::byte>& out, std::string_view text);
// Appends a count, length or dimension, which must fit the layout.
void appendLength(std::vector<std::byte>& out, std::uint64_t length, ValueLayout layout);
void appendString(std::vector<std::byte>& out, std::string_view text, ValueLayout layout);

// Appends a value as it follows its type in a file: a string with its length, an array with its head. If the bytes of
// an array end before its elements do, it returns false and leaves `out` unchanged.
[[nodiscard]] bool appendValue(std::vector<std::byte>& out, const Value& value, ValueLayout layout);
// Appends the elements of an array without its head.
[[nodiscard]] bool appendElements(std::vector<std::byte>& out, const ArrayView& array, ValueLayout layout);

// The number of bytes that appendValue() appends, or nothing if the bytes of an array end before its elements do. If
// the layout has lengths of another width, it has to walk over all of them.
[[nodiscard]] std::optional<std::uint64_t> encodedSize(const Value& value, ValueLayout layout);

// Whether the elements fill the bytes of an array exactly, have known element types and are nested at most `depth`
// levels deep. An array of numbers or strings has depth 1.
[[nodiscard]] bool isWellFormed(const ArrayView& array, unsigned depth);

// Builds an array value element by element. It owns the encoded elements; view() refers to them and becomes invalid
// with the next add().
class ArrayBuilder {
public:
    explicit ArrayBuilder(ValueType elementType, ValueLayout layout = {})
        : m_elementType(elementType)
        , m_layout(layout) {}

    // `element` must have the array's element type.
    void add(const Value& element);
    [[nodiscard]] ArrayView view() const {
        return {.elementType = m_elementType, .length = m_length, .bytes = m_bytes, .layout = m_layout};
    }

private:
    ValueType m_elementType;
    ValueLayout m_layout;
    std::uint64_t m_length = 0;
    std::vector<std::byte> m_bytes;
};

} // namespace gufo
