#include "base/json_text.h"

#include "base/utf8.h"

#include <array>
#include <span>
#include <utility>

namespace gufo {
namespace {

constexpr std::size_t kFlushBytes = 64 * 1024;

void appendHex(std::string& out, unsigned char byte) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 0xFU];
}

} // namespace

void JsonText::raw(std::string_view text) {
    m_buffer.append(text);
    if (m_buffer.size() >= kFlushBytes) {
        flush();
    }
}

void JsonText::flush() {
    if (m_result && !m_buffer.empty()) {
        m_result = m_sink(std::as_bytes(std::span(m_buffer)));
    }
    m_buffer.clear();
}

void JsonText::quoted(std::string_view text) {
    m_buffer += '"';
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            m_buffer += '\\';
            m_buffer += c;
        } else if (c == '\n') {
            m_buffer += "\\n";
        } else if (static_cast<unsigned char>(c) < 0x20) {
            m_buffer += "\\u00";
            appendHex(m_buffer, static_cast<unsigned char>(c));
        } else {
            m_buffer += c;
        }
    }
    raw("\"");
}

void JsonText::text(std::string_view text) {
    if (isValidUtf8(text)) {
        quoted(text);
        return;
    }
    m_buffer += R"({"hex": ")";
    for (const char c : text) {
        appendHex(m_buffer, static_cast<unsigned char>(c));
    }
    raw("\"}");
}

void JsonText::name(std::string_view text) {
    quoted(text);
    raw(": ");
}

Result<> JsonText::finish() {
    flush();
    return std::exchange(m_result, {});
}

} // namespace gufo
