// Reads the fields of a protocol buffer message in order. It builds nothing: values are views of the bytes.
//
// Encoding: https://protobuf.dev/programming-guides/encoding. Groups, which have been deprecated since version 2, are
// not supported.
#pragma once

#include "base/byte_source.h"

#include <optional>
#include <string_view>

namespace gufo {

class ProtobufReader {
public:
    enum class Wire : std::uint8_t { Varint = 0, Fixed64 = 1, Delimited = 2, Fixed32 = 5 };
    struct Field {
        std::uint32_t number = 0;
        Wire wire = Wire::Varint;
        std::uint64_t value = 0; // of a number, whose sign and kind the message type defines
        ByteRange bytes;         // of a text, message or packed list; in `all`

        [[nodiscard]] bool is(std::uint32_t wantedNumber, Wire wantedWire) const {
            return number == wantedNumber && wire == wantedWire;
        }
    };

    // The message is a range of `all`, so that offsets are counted in the file.
    ProtobufReader(Bytes all, ByteRange message)
        : m_all(all)
        , m_position(message.offset)
        , m_end(message.offset + message.length) {}

    // The next field, or nothing at the end. Errors, with the offset: Malformed (Detail::ProtobufDamaged), Truncated (a
    // value is longer than the rest of the message).
    [[nodiscard]] Result<std::optional<Field>> next();
    // A number without a tag, for packed lists; nothing at the end. Errors: as for next().
    [[nodiscard]] Result<std::optional<std::uint64_t>> nextPacked();

private:
    [[nodiscard]] std::optional<std::uint64_t> varint();
    [[nodiscard]] std::unexpected<Error> damaged(std::uint64_t offset) const;

    Bytes m_all;
    std::uint64_t m_position;
    std::uint64_t m_end;
};

} // namespace gufo
