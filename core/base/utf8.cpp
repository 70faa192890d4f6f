#include "base/utf8.h"

#include <algorithm>
#include <cstring>

namespace gufo {
namespace {

bool allAscii(const char* eight) {
    std::uint64_t word = 0;
    std::memcpy(&word, eight, sizeof word);
    return (word & 0x8080808080808080U) == 0;
}

bool isSecond(const LeadByte& lead, char byte) {
    const auto second = static_cast<unsigned char>(byte);
    return second >= lead.lowestSecond && second <= lead.highestSecond;
}

} // namespace

Char decodeMultiByte(const char* from, const char* end) {
    const auto first = static_cast<unsigned char>(*from);
    const Char invalid{kInvalidBase + first, 1};
    const LeadByte lead = leadByte(first);
    if (lead.bytes < 2 || end - from < static_cast<std::ptrdiff_t>(lead.bytes) || !isSecond(lead, from[1])) {
        return invalid;
    }
    char32_t code = first & (0x7FU >> lead.bytes);
    for (std::uint32_t i = 1; i < lead.bytes; ++i) {
        if (!isContinuationByte(from[i])) {
            return invalid;
        }
        code = (code << 6U) | (static_cast<unsigned char>(from[i]) & 0x3FU);
    }
    return {code, lead.bytes};
}

std::u32string decodeUtf8(std::string_view text) {
    std::u32string codes;
    codes.reserve(text.size());
    while (!text.empty()) {
        const Char c = decodeChar(text);
        codes += c.code;
        text.remove_prefix(c.bytes);
    }
    return codes;
}

void appendUtf8(std::string& out, char32_t code) {
    const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80U | ((code >> shift) & 0x3FU)); };
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xC0U | (code >> 6U));
        tail(0);
    } else if (code < 0x10000) {
        out += static_cast<char>(0xE0U | (code >> 12U));
        tail(6);
        tail(0);
    } else {
        out += static_cast<char>(0xF0U | (code >> 18U));
        tail(12);
        tail(6);
        tail(0);
    }
}

bool isValidUtf8(std::string_view text) {
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at < end) {
        if (end - at >= 8 && allAscii(at)) {
            at += 8;
            continue;
        }
        const Char c = decodeChar(at, end);
        if (!c.isValid()) {
            return false;
        }
        at += c.bytes;
    }
    return true;
}

std::size_t incompleteTail(std::string_view bytes) {
    for (std::size_t back = 1; back <= std::min<std::size_t>(3, bytes.size()); ++back) {
        const char byte = bytes[bytes.size() - back];
        if (isContinuationByte(byte)) {
            continue;
        }
        const LeadByte lead = leadByte(static_cast<unsigned char>(byte));
        const bool continues = lead.bytes > back && (back == 1 || isSecond(lead, bytes[bytes.size() - back + 1]));
        return continues ? back : 0;
    }
    return 0;
}

std::size_t cutBetweenCharacters(std::string_view text, std::size_t limit) {
    limit = std::min(limit, text.size());
    for (std::size_t back = 0; back < 4 && back <= limit; ++back) {
        if (limit - back == text.size() || !isContinuationByte(text[limit - back])) {
            return limit - back;
        }
    }
    return limit;
}

} // namespace gufo
