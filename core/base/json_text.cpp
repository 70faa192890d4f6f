#include "base/json_text.h"

#include "base/json_value.h"
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

void JsonText::text(std::string_view text) {
    if (isValidUtf8(text)) {
        raw(quotedJson(text));
        return;
    }
    m_buffer += R"({"hex": ")";
    for (const char c : text) {
        appendHex(m_buffer, static_cast<unsigned char>(c));
    }
    raw("\"}");
}

void JsonText::name(std::string_view text) {
    raw(quotedJson(text));
    raw(": ");
}

Result<> JsonText::finish() {
    flush();
    return std::exchange(m_result, {});
}

} // namespace gufo
