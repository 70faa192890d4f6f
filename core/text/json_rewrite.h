// Pieces of JSON made anew from what a reader gives: numbers stay as they were written.
#pragma once

#include "base/json_reader.h"

#include <string>
#include <string_view>

namespace gufo::text {

// In quotes; bytes that are no UTF-8 as U+FFFD.
[[nodiscard]] std::string jsonString(std::string_view text);

// The value whose first token next() has just given, without white space. Errors: the reader's.
[[nodiscard]] Result<std::string> compactJson(JsonReader& reader, JsonReader::Token first);

// The members of an object whose beginning next() has just given, to its end: take(name, the value's first token) reads
// the value. Errors: the reader's and take's.
template<typename Take>
[[nodiscard]] Result<> readMembers(JsonReader& reader, const Take& take) {
    for (;;) {
        const auto key = reader.next();
        if (!key) {
            return std::unexpected(key.error());
        }
        if (*key == JsonReader::Token::ObjectEnd) {
            return {};
        }
        const std::string name = reader.text();
        const auto value = reader.next();
        if (!value) {
            return std::unexpected(value.error());
        }
        if (Result<> taken = take(name, *value); !taken) {
            return taken;
        }
    }
}

} // namespace gufo::text
