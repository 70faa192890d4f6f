#include "inference/grammar/code_set.h"

#include <algorithm>

namespace gufo::inference {

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
