// Walks the fields of one protobuf message in memory. Nothing is copied, and lengths are checked against the bytes that
// are left, so the reader is safe with any input.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace gufo::convert {

struct ProtobufField {
    std::uint64_t number = 0;
    enum class Wire : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };
    Wire wire = Wire::Varint;
    std::uint64_t value = 0; // of a varint or a fixed number
    std::string_view bytes;  // of a string or an inner message

    [[nodiscard]] bool is(std::uint64_t other, Wire kind) const { return number == other && wire == kind; }
    [[nodiscard]] float asFloat() const; // of Fixed32
};

class ProtobufReader {
public:
    explicit ProtobufReader(std::string_view message)
        : m_message(message) {}

    [[nodiscard]] bool atEnd() const { return m_at == m_message.size(); }
    // Must not be called at the end. Errors: Malformed (Detail::ProtobufDamaged).
    [[nodiscard]] Result<ProtobufField> next();

private:
    [[nodiscard]] std::optional<std::uint64_t> varint();
    [[nodiscard]] std::optional<std::uint64_t> fixed(std::size_t bytes);
    [[nodiscard]] bool readValue(ProtobufField& field);

    std::string_view m_message;
    std::size_t m_at = 0;
};

} // namespace gufo::convert
