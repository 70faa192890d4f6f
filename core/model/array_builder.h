// Builds an array value element by element.
//
// Threads: one at a time.
#pragma once

#include "model/value.h"

#include <vector>

namespace gufo {

// Owns the encoded elements; view() refers to them and becomes invalid with the next add().
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
