#include "inference/remote/sse_parser.h"

#include "base/detail.h"

#include <algorithm>
#include <utility>

namespace gufo::inference {

Result<std::vector<SseEvent>> SseParser::push(std::string_view bytes) {
    std::vector<SseEvent> events;
    while (!bytes.empty()) {
        if (std::exchange(m_afterCr, false) && bytes.front() == '\n') {
            bytes.remove_prefix(1);
            continue;
        }
        const std::size_t end = bytes.find_first_of("\r\n");
        const std::string_view part = bytes.substr(0, end);
        if (m_line.size() + m_data.size() + part.size() > kMaxEventBytes) {
            return fail(ErrorCode::ReplyUnusable, {}, {Argument(Detail::ReplyTooLong, {kMaxEventBytes})});
        }
        if (end == std::string_view::npos) {
            m_line += part;
            break;
        }
        m_afterCr = bytes[end] == '\r';
        bytes.remove_prefix(end + 1);
        if (m_line.empty()) { // the usual case, without a copy
            takeLine(part, events);
        } else {
            m_line += part;
            takeLine(m_line, events);
            m_line.clear();
        }
    }
    return events;
}

std::vector<SseEvent> SseParser::finish() {
    std::vector<SseEvent> events;
    if (!m_line.empty()) {
        takeLine(std::exchange(m_line, {}), events);
    }
    takeLine({}, events);
    return events;
}

void SseParser::takeLine(std::string_view line, std::vector<SseEvent>& events) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (std::exchange(m_atStart, false) && line.starts_with(kByteOrderMark)) {
        line.remove_prefix(kByteOrderMark.size());
    }
    if (line.empty()) {
        if (!m_data.empty()) {
            m_data.pop_back(); // the last line's "\n"
            events.push_back({.name = m_name, .data = std::exchange(m_data, {})});
        }
        m_name.clear();
        return;
    }
    const std::string_view field = line.substr(0, line.find(':'));
    line.remove_prefix(std::min(line.size(), field.size() + 1));
    if (line.starts_with(' ')) {
        line.remove_prefix(1);
    }
    if (field == "event") {
        m_name = line;
    } else if (field == "data") {
        m_data += line;
        m_data += '\n';
    }
}

} // namespace gufo::inference
