#include "text/tokenizer/pre_tokenizer/scanners.h"

#include <algorithm>
#include <array>

namespace gufo::text::scan {
namespace {

// Finds the first `start` after which `rest(position)` matches; `rest` returns the end of the match or null.
template<typename Rest>
Match tokenBehind(std::string_view start, const char* from, const char* end, const Rest& rest) {
    for (const char* at = from; at < end; ++at) {
        at = std::search(at, end, start.begin(), start.end());
        if (at == end) {
            break;
        }
        if (const char* match = rest(at + start.size())) {
            return {at, match};
        }
    }
    return {end, end};
}

} // namespace

Match sentinelToken(const char* from, const char* end) {
    return tokenBehind("<sentinel:", from, end, [&](const char* digits) -> const char* {
        const char* at = std::find_if(digits, end, [](char c) { return c < '0' || c > '9'; });
        return at > digits && at < end && *at == '>' ? at + 1 : nullptr;
    });
}

Match imageToken(const char* from, const char* end) {
    constexpr std::ptrdiff_t kMaxLetters = 4;
    return tokenBehind("IMGIMG", from, end, [&](const char* letters) -> const char* {
        const char* maximum = letters + std::min(kMaxLetters, end - letters);
        const char* at = std::find_if(letters, maximum, [](char c) { return c < 'A' || c > 'I'; });
        return at > letters && at < end && *at == 'Z' ? at + 1 : nullptr;
    });
}

Match tabsAndIndents(const char* from, const char* end) {
    const auto spacesAt = [&](const char* at, std::ptrdiff_t count) {
        return end - at >= count && std::all_of(at, at + count, [](char c) { return c == ' '; });
    };
    for (const char* at = from; at < end; ++at) {
        if (*at == '\t' || *at == '\n') {
            return {at, at + 1};
        }
        if (*at == ' ') {
            for (const std::ptrdiff_t count : {4, 2}) {
                if (spacesAt(at, count)) {
                    return {at, at + count};
                }
            }
        }
    }
    return {end, end};
}

} // namespace gufo::text::scan
