// The alphabet in which byte-level BPE vocabularies write bytes: printable Latin-1 characters stand for themselves, the
// other 68 bytes for U+0100 onwards, in order (GPT-2's published encoder).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gufo::text {

// The one or two bytes of UTF-8 that write a byte.
[[nodiscard]] std::string_view writtenByte(unsigned char byte);
// The byte that a character writes; nothing for characters outside the alphabet.
[[nodiscard]] std::optional<unsigned char> byteWrittenAs(char32_t code);
// The bytes that a token writes; characters outside the alphabet stay as they are.
void appendUnwritten(std::string& out, std::string_view token);

} // namespace gufo::text
