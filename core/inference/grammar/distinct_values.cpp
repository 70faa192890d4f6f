#include "inference/grammar/distinct_values.h"

namespace gufo::inference {

bool DistinctValues::isFree() const {
    if (m_recorder == kNobody) {
        return true;
    }
    const Parts& parts = *m_frames[m_recorder].parts;
    const auto next = parts.lower_bound(m_part);
    return next == parts.end() || !next->starts_with(m_part);
}

bool DistinctValues::endPart() {
    if (m_part.empty()) {
        return true; // an array or object without parts
    }
    std::shared_ptr<Parts>& parts = m_frames[m_recorder].parts;
    if (parts->contains(m_part)) {
        return false;
    }
    if (parts.use_count() > 1) {
        parts = std::make_shared<Parts>(*parts);
    }
    parts->insert(std::move(m_part));
    m_part.clear();
    ++m_ended;
    return true;
}

bool DistinctValues::add(unsigned char byte, bool opens) {
    if (!isActive() && !opens) {
        return true;
    }
    const bool records = m_recorder != kNobody;
    const auto record = [&] {
        if (records) {
            m_part += static_cast<char>(byte);
        }
    };
    if (m_inString) {
        record();
        const bool closes = !m_escaped && byte == static_cast<unsigned char>(m_quote);
        m_escaped = !m_escaped && byte == '\\';
        m_inString = !closes;
        return true;
    }
    const bool topRecords = records && m_recorder + 1 == m_frames.size();
    switch (byte) {
    case ' ':
    case '\t':
    case '\n':
    case '\r':
        return true;
    case '[':
    case '{':
        record();
        m_frames.push_back({.isArray = byte == '[', .distinct = opens});
        if (opens) {
            m_recorder = m_frames.size() - 1;
            m_part.clear();
            top().parts = std::make_shared<Parts>();
        }
        return true;
    case ']':
    case '}':
        if (topRecords) {
            if (!endPart()) {
                return false;
            }
            m_recorder = kNobody;
        } else {
            record();
        }
        m_frames.pop_back();
        return true;
    case ',':
        if (topRecords) {
            return endPart();
        }
        if (!records && top().distinct && !top().isArray) {
            m_recorder = m_frames.size() - 1; // the next name begins
            return true;
        }
        record();
        return true;
    case ':':
        if (topRecords && !top().isArray) {
            const bool differs = endPart();
            m_recorder = kNobody;
            return differs;
        }
        record();
        return true;
    default:
        m_inString = byte == static_cast<unsigned char>(m_quote);
        record();
        return true;
    }
}

} // namespace gufo::inference
