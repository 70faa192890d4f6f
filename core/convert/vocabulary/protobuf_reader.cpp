#include "convert/vocabulary/protobuf_reader.h"

#include "base/detail.h"

#include <bit>

namespace gufo::convert {

float ProtobufField::asFloat() const { return std::bit_cast<float>(static_cast<std::uint32_t>(value)); }

std::optional<std::uint64_t> ProtobufReader::varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (m_at == m_message.size()) {
            return std::nullopt;
        }
        const auto byte = static_cast<unsigned char>(m_message[m_at++]);
        value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
        if (byte < 0x80) {
            return value;
        }
    }
    return std::nullopt;
}

std::optional<std::uint64_t> ProtobufReader::fixed(std::size_t bytes) {
    if (m_message.size() - m_at < bytes) {
        return std::nullopt;
    }
    std::uint64_t value = 0;
    for (std::size_t i = bytes; i > 0; --i) {
        value = value << 8U | static_cast<unsigned char>(m_message[m_at + i - 1]);
    }
    m_at += bytes;
    return value;
}

bool ProtobufReader::readValue(ProtobufField& field) {
    using Wire = ProtobufField::Wire;
    std::optional<std::uint64_t> value;
    switch (field.wire) {
    case Wire::Varint:
        value = varint();
        break;
    case Wire::Fixed64:
        value = fixed(8);
        break;
    case Wire::Fixed32:
        value = fixed(4);
        break;
    case Wire::Bytes: {
        const auto length = varint();
        if (!length || *length > m_message.size() - m_at) {
            return false;
        }
        field.bytes = m_message.substr(m_at, static_cast<std::size_t>(*length));
        m_at += static_cast<std::size_t>(*length);
        return true;
    }
    default: // the deprecated groups, and numbers that mean nothing
        return false;
    }
    field.value = value.value_or(0);
    return value.has_value();
}

Result<ProtobufField> ProtobufReader::next() {
    const std::size_t begin = m_at;
    const auto tag = varint();
    ProtobufField field{.number = tag.value_or(0) >> 3U,
                        .wire = static_cast<ProtobufField::Wire>(tag.value_or(0) & 7U),
                        .value = 0,
                        .bytes = {}};
    if (!tag || field.number == 0 || !readValue(field)) {
        return fail(ErrorCode::Malformed, Place::atOffset(begin), {Detail::ProtobufDamaged});
    }
    return field;
}

} // namespace gufo::convert
