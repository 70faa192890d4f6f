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

std::string jsonOfText(std::string_view text) {
    if (!isValidUtf8(text)) {
        std::string out = R"({"hex": ")";
        for (const char c : text) {
            appendHex(out, static_cast<unsigned char>(c));
        }
        return out + "\"}";
    }
    std::string out = quotedJson(text);
    for (std::size_t at = 0; (at = out.find('\x7F', at)) != std::string::npos;) {
        out.replace(at, 1, "\\u007f"); // a terminal may obey the character
    }
    return out;
}

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

Result<> JsonText::finish() {
    flush();
    return std::exchange(m_result, {});
}

} // namespace gufo
