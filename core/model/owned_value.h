// A metadata value that owns its bytes, as edits create it. Copies are cheap and share the bytes.
//
// Threads: immutable.
#pragma once

#include "model/value.h"

#include <memory>
#include <string>
#include <vector>

namespace gufo {

class OwnedValue {
public:
    OwnedValue() = default; // u8 0
    // Copies the bytes that `value` views. An array keeps its layout.
    explicit OwnedValue(const Value& value);
    [[nodiscard]] static OwnedValue string(std::string text);
    // `elements` holds the encoded elements, as ArrayView::bytes does.
    [[nodiscard]] static OwnedValue array(ValueType elementType, std::uint64_t length, std::vector<std::byte> elements,
                                          ValueLayout layout = {});
    // Makes an array of strings.
    [[nodiscard]] static OwnedValue strings(std::span<const std::string> texts);

    [[nodiscard]] const Value& value() const { return m_value; }
    [[nodiscard]] ValueType type() const { return typeOf(m_value); }
    // The owner of the bytes that value() views; null for numbers.
    [[nodiscard]] const std::shared_ptr<const void>& bytes() const { return m_bytes; }

    // Equal values have the same type, element type and elements; layouts do not matter, and floats are compared bit by
    // bit.
    [[nodiscard]] friend bool operator==(const OwnedValue& a, const OwnedValue& b) {
        return sameValue(a.m_value, b.m_value);
    }
    [[nodiscard]] static bool sameValue(const Value& a, const Value& b);

private:
    Value m_value = std::uint8_t{0};
    std::shared_ptr<const void> m_bytes;
};

} // namespace gufo
