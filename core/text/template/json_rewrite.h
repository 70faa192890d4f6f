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

// The objects of a list whose beginning next() has just given, to its end: take() reads an object whose beginning has
// been given. Anything else is refused, for it is not `what` ("a message"). Errors: the reader's and take's.
template<typename Take>
[[nodiscard]] Result<> readObjects(JsonReader& reader, std::string_view what, const Take& take) {
    for (;;) {
        const auto token = reader.next();
        if (!token) {
            return std::unexpected(token.error());
        }
        if (*token == JsonReader::Token::ArrayEnd) {
            return {};
        }
        if (*token != JsonReader::Token::ObjectStart) {
            return reader.expected(what);
        }
        if (Result<> taken = take(); !taken) {
            return taken;
        }
    }
}

} // namespace gufo::text
