#include "formats/gguf/read/cursor.h"

#include "base/checked.h"

#include <utility>

namespace gufo::gguf {

bool Cursor::lacks(std::uint64_t bytes, Detail what) {
    if (!m_error) {
        m_needed = m_position + bytes; // a number of at most 8 bytes
    }
    fail(ErrorCode::Truncated, m_position, {what, bytes, left()});
    return false;
}

std::string_view Cursor::string(Detail what) {
    const std::uint64_t start = m_position;
    const std::uint64_t bytes = length(what);
    if (m_error) {
        return {};
    }
    if (bytes > left()) {
        m_needed = checkedAdd(m_position, bytes).value_or(UINT64_MAX);
        fail(ErrorCode::StringTooLong, start, {what, bytes, left()});
        return {};
    }
    const std::string_view text(reinterpret_cast<const char*>(m_bytes.data() + m_position),
                                static_cast<std::size_t>(bytes));
    m_position += bytes;
    return text;
}

void Cursor::fail(ErrorCode code, std::uint64_t offset, Arguments args, std::optional<std::uint64_t> element) {
    if (!m_error) {
        m_error = Error{
            .code = code,
            .file = {},
            .place = {.kind = m_kind, .name = std::string(m_name), .index = element, .offset = offset},
            .args = std::move(args),
        };
    }
}

} // namespace gufo::gguf
