// Text as a tokenizer's normaliser leaves it, in which every byte knows where it came from.
#pragma once

#include "text/tokenizer/encoding.h"

#include <string>
#include <string_view>
#include <vector>

namespace gufo::text {

class RewrittenText {
public:
    void clear() {
        m_bytes.clear();
        m_sources.clear();
    }
    // Bytes that stand for `source`, a range of the whole text.
    void append(std::string_view bytes, TextRange source) {
        m_bytes += bytes;
        m_sources.insert(m_sources.end(), bytes.size(), source);
    }
    void removeSuffix(std::size_t bytes) {
        m_bytes.resize(m_bytes.size() - bytes);
        m_sources.resize(m_bytes.size());
    }
    [[nodiscard]] std::string_view bytes() const { return m_bytes; }
    // What of the whole text the bytes [begin, end) stand for; begin < end.
    [[nodiscard]] TextRange source(std::size_t begin, std::size_t end) const {
        return {m_sources[begin].begin, m_sources[end - 1].end};
    }

private:
    std::string m_bytes;
    std::vector<TextRange> m_sources;
};

} // namespace gufo::text
