// A metadata value that owns its bytes: what an edit brings. Cheap to copy; copies share the bytes.
//
// Threads: immutable once made.
#pragma once

#include "model/value.h"

#include <memory>
#include <string>
#include <vector>

namespace gufo {

class OwnedValue {
public:
    OwnedValue() = default; // u8 0
    // Copies what the value views. An array keeps its own layout.
    explicit OwnedValue(const Value& value);
    [[nodiscard]] static OwnedValue string(std::string text);
    // `elements` are the encoded elements, as ArrayView::bytes.
    [[nodiscard]] static OwnedValue array(ValueType elementType, std::uint64_t length, std::vector<std::byte> elements,
                                          ValueLayout layout = {});
    // An array of strings.
    [[nodiscard]] static OwnedValue strings(std::span<const std::string> texts);

    [[nodiscard]] const Value& value() const { return m_value; }
    [[nodiscard]] ValueType type() const { return typeOf(m_value); }
    // Keeps alive what value() views; null for numbers.
    [[nodiscard]] const std::shared_ptr<const void>& bytes() const { return m_bytes; }

    // The same type, element type and elements, whatever the layouts; floats by their bits.
    [[nodiscard]] friend bool operator==(const OwnedValue& a, const OwnedValue& b) {
        return sameValue(a.m_value, b.m_value);
    }
    [[nodiscard]] static bool sameValue(const Value& a, const Value& b);

private:
    Value m_value = std::uint8_t{0};
    std::shared_ptr<const void> m_bytes;
};

} // namespace gufo
