#include "base/utf8.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gufo {
namespace {

struct Sequence {
    std::size_t length;    // bytes; 0: no sequence starts with this byte
    unsigned char lowest;  // of the second byte
    unsigned char highest; // of the second byte
};

constexpr Sequence sequenceOf(unsigned char lead) {
    if (lead < 0x80) {
        return {1, 0, 0};
    }
    if (lead >= 0xC2 && lead <= 0xDF) {
        return {2, 0x80, 0xBF};
    }
    if (lead >= 0xE0 && lead <= 0xEF) {
        const unsigned char lowest = lead == 0xE0 ? 0xA0 : 0x80;
        const unsigned char highest = lead == 0xED ? 0x9F : 0xBF;
        return {3, lowest, highest};
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const unsigned char lowest = lead == 0xF0 ? 0x90 : 0x80;
        const unsigned char highest = lead == 0xF4 ? 0x8F : 0xBF;
        return {4, lowest, highest};
    }
    return {0, 0, 0};
}

bool allAscii(const char* eight) {
    std::uint64_t word = 0;
    std::memcpy(&word, eight, sizeof word);
    return (word & 0x8080808080808080U) == 0;
}

} // namespace

bool isValidUtf8(std::string_view text) {
    std::size_t i = 0;
    while (i < text.size()) {
        if (text.size() - i >= 8 && allAscii(text.data() + i)) {
            i += 8;
            continue;
        }
        const Sequence sequence = sequenceOf(static_cast<unsigned char>(text[i]));
        if (sequence.length == 0 || sequence.length > text.size() - i) {
            return false;
        }
        for (std::size_t k = 1; k < sequence.length; ++k) {
            const auto byte = static_cast<unsigned char>(text[i + k]);
            const unsigned char lowest = k == 1 ? sequence.lowest : 0x80;
            const unsigned char highest = k == 1 ? sequence.highest : 0xBF;
            if (byte < lowest || byte > highest) {
                return false;
            }
        }
        i += sequence.length;
    }
    return true;
}

} // namespace gufo
