#include "inference/remote/sse_parser.h"

#include "base/detail.h"

#include <algorithm>
#include <utility>

namespace gufo::inference {

Result<std::vector<std::string>> SseParser::push(std::string_view bytes) {
    std::vector<std::string> events;
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

void SseParser::takeLine(std::string_view line, std::vector<std::string>& events) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    constexpr std::string_view kField = "data";
    if (std::exchange(m_atStart, false) && line.starts_with(kByteOrderMark)) {
        line.remove_prefix(kByteOrderMark.size());
    }
    if (line.empty()) {
        if (!m_data.empty()) {
            m_data.pop_back(); // the last line's "\n"
            events.push_back(std::exchange(m_data, {}));
        }
        return;
    }
    const std::string_view name = line.substr(0, line.find(':'));
    if (name != kField) {
        return;
    }
    line.remove_prefix(std::min(line.size(), name.size() + 1));
    if (line.starts_with(' ')) {
        line.remove_prefix(1);
    }
    m_data += line;
    m_data += '\n';
}

} // namespace gufo::inference
