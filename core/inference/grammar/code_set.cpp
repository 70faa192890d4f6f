#include "inference/grammar/code_set.h"

#include <algorithm>

namespace gufo::inference {

void appendUtf8(std::string& out, char32_t code) {
    const auto put = [&](char32_t byte) { out += static_cast<char>(byte); };
    if (code < 0x80) {
        put(code);
        return;
    }
    if (code < 0x800) {
        put(0xC0U | code >> 6U);
    } else {
        if (code < 0x10000) {
            put(0xE0U | code >> 12U);
        } else {
            put(0xF0U | code >> 18U);
            put(0x80U | (code >> 12U & 0x3FU));
        }
        put(0x80U | (code >> 6U & 0x3FU));
    }
    put(0x80U | (code & 0x3FU));
}

CodeSet united(CodeSet set) {
    std::ranges::sort(set);
    CodeSet out;
    for (const CodeRange& range : set) {
        if (!out.empty() && range.lowest <= out.back().highest + 1) {
            out.back().highest = std::max(out.back().highest, range.highest);
        } else {
            out.push_back(range);
        }
    }
    return out;
}

CodeSet inverted(const CodeSet& set) {
    CodeSet out;
    char32_t next = 0;
    for (const CodeRange& range : set) {
        if (range.lowest > next) {
            out.push_back({next, range.lowest - 1});
        }
        next = range.highest + 1;
    }
    if (next <= kLastCode) {
        out.push_back({next, kLastCode});
    }
    return out;
}

CodeSet withoutSurrogates(const CodeSet& set) {
    CodeSet out;
    for (const CodeRange& range : set) {
        if (range.lowest < kFirstSurrogate) {
            out.push_back({range.lowest, std::min<char32_t>(range.highest, kFirstSurrogate - 1)});
        }
        if (range.highest > kLastSurrogate) {
            out.push_back({std::max<char32_t>(range.lowest, kLastSurrogate + 1), range.highest});
        }
    }
    return out;
}

} // namespace gufo::inference
