// The output of a tokenizer's normaliser, in which every byte knows its source in the original text.
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
    // Appends bytes that replace `source`, a range of the original text.
    void append(std::string_view bytes, TextRange source) {
        m_bytes += bytes;
        m_sources.insert(m_sources.end(), bytes.size(), source);
    }
    void removeSuffix(std::size_t bytes) {
        m_bytes.resize(m_bytes.size() - bytes);
        m_sources.resize(m_bytes.size());
    }
    [[nodiscard]] std::string_view bytes() const { return m_bytes; }
    // Returns the range of the original text that the bytes [begin, end) replace; begin < end.
    [[nodiscard]] TextRange source(std::size_t begin, std::size_t end) const {
        return {m_sources[begin].begin, m_sources[end - 1].end};
    }

private:
    std::string m_bytes;
    std::vector<TextRange> m_sources;
};

} // namespace gufo::text
