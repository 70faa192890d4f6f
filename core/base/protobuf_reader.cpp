#include "base/protobuf_reader.h"

#include "base/byte_order.h"
#include "base/detail.h"

namespace gufo {

std::unexpected<Error> ProtobufReader::damaged(std::uint64_t offset) const {
    return fail(ErrorCode::Malformed, Place::atOffset(offset), {Detail::ProtobufDamaged});
}

// At most ten bytes of seven bits each, the lowest first.
std::optional<std::uint64_t> ProtobufReader::varint() {
    constexpr unsigned kBits = 7;
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && m_position < m_end; shift += kBits) {
        const auto byte = std::to_integer<std::uint64_t>(m_all[m_position++]);
        value |= (byte & 0x7FU) << shift;
        if ((byte & 0x80U) == 0) {
            const bool overflows = shift == 63 && byte > 1;
            return overflows ? std::nullopt : std::optional(value);
        }
    }
    return std::nullopt;
}

Result<std::optional<ProtobufReader::Field>> ProtobufReader::next() {
    if (m_position == m_end) {
        return std::nullopt;
    }
    const std::uint64_t offset = m_position;
    const auto tag = varint();
    constexpr std::uint64_t kMaxNumber = (1U << 29U) - 1;
    if (!tag || *tag >> 3U == 0 || *tag >> 3U > kMaxNumber) {
        return damaged(offset);
    }
    Field field{.number = static_cast<std::uint32_t>(*tag >> 3U), .wire = static_cast<Wire>(*tag & 7U)};
    std::uint64_t length = 0;
    switch (field.wire) {
    case Wire::Varint: {
        const auto value = varint();
        if (!value) {
            return damaged(offset);
        }
        field.value = *value;
        return field;
    }
    case Wire::Fixed64:
        length = sizeof(std::uint64_t);
        break;
    case Wire::Fixed32:
        length = sizeof(std::uint32_t);
        break;
    case Wire::Delimited: {
        const auto bytes = varint();
        if (!bytes) {
            return damaged(offset);
        }
        length = *bytes;
        break;
    }
    default:
        return damaged(offset);
    }
    if (length > m_end - m_position) {
        return fail(ErrorCode::Truncated, Place::atOffset(offset), {Detail::Value, length, m_end - m_position});
    }
    field.bytes = {m_position, length};
    if (field.wire == Wire::Fixed64) {
        field.value = load<std::uint64_t>(m_all.data() + m_position);
    } else if (field.wire == Wire::Fixed32) {
        field.value = load<std::uint32_t>(m_all.data() + m_position);
    }
    m_position += length;
    return field;
}

Result<std::optional<std::uint64_t>> ProtobufReader::nextPacked() {
    if (m_position == m_end) {
        return std::nullopt;
    }
    const std::uint64_t offset = m_position;
    const auto value = varint();
    return value ? Result<std::optional<std::uint64_t>>(value) : damaged(offset);
}

} // namespace gufo
