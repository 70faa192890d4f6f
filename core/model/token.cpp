#include "model/token.h"

#include "base/utf8.h"

#include <array>

namespace gufo {
namespace {

constexpr bool standsForItself(unsigned byte) {
    return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

struct Alphabet {
    std::array<std::array<char, 2>, 256> written{};
    std::array<std::uint8_t, 256> length{};
    std::array<std::int16_t, 0x144> byteOf{}; // −1: not in the alphabet
};

constexpr Alphabet kAlphabet = [] {
    Alphabet alphabet;
    alphabet.byteOf.fill(-1);
    unsigned next = 0x100;
    for (unsigned byte = 0; byte < 256; ++byte) {
        const unsigned code = standsForItself(byte) ? byte : next++;
        alphabet.byteOf[code] = static_cast<std::int16_t>(byte);
        if (code < 0x80) {
            alphabet.written[byte] = {static_cast<char>(code), 0};
            alphabet.length[byte] = 1;
        } else {
            alphabet.written[byte] = {static_cast<char>(0xC0U | (code >> 6U)),
                                      static_cast<char>(0x80U | (code & 0x3FU))};
            alphabet.length[byte] = 2;
        }
    }
    return alphabet;
}();

} // namespace

std::string_view writtenByte(unsigned char byte) { return {kAlphabet.written[byte].data(), kAlphabet.length[byte]}; }

std::optional<unsigned char> byteWrittenAs(char32_t code) {
    if (code >= kAlphabet.byteOf.size() || kAlphabet.byteOf[code] < 0) {
        return std::nullopt;
    }
    return static_cast<unsigned char>(kAlphabet.byteOf[code]);
}

void appendUnwritten(std::string& out, std::string_view token) {
    const char* end = token.data() + token.size();
    for (const char* at = token.data(); at < end;) {
        const Char c = decodeChar(at, end);
        if (const auto byte = byteWrittenAs(c.code)) {
            out += static_cast<char>(*byte);
        } else {
            out.append(at, c.bytes);
        }
        at += c.bytes;
    }
}

} // namespace gufo
