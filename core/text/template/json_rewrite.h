// Re-creates pieces of JSON from a reader. Numbers keep their spelling.
#pragma once

#include "base/json_reader.h"

#include <string>
#include <string_view>

namespace gufo::text {

// Returns the text in quotes; bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string jsonString(std::string_view text);

// Returns the value that begins with `first`, the token just read, without white space. Errors: the errors of the
// reader.
[[nodiscard]] Result<std::string> compactJson(JsonReader& reader, JsonReader::Token first);

// Reads the members of an object whose beginning was just read. take(name, first token of the value) reads each value.
// Errors: the errors of the reader and of take.
template<typename Take>
[[nodiscard]] Result<> readMembers(JsonReader& reader, const Take& take) {
    for (;;) {
        const auto key = GUFO_TRY(reader.next());
        if (key == JsonReader::Token::ObjectEnd) {
            return {};
        }
        const std::string name = reader.text();
        const auto value = GUFO_TRY(reader.next());
        GUFO_TRY(take(name, value));
    }
}

// Reads the objects of a list whose beginning was just read. take() reads each object, whose beginning has been read.
// Any other element is an error: `what` was expected (a message). Errors: the errors of the reader and of take.
template<typename Take>
[[nodiscard]] Result<> readObjects(JsonReader& reader, Detail what, const Take& take) {
    for (;;) {
        const auto token = GUFO_TRY(reader.next());
        if (token == JsonReader::Token::ArrayEnd) {
            return {};
        }
        if (token != JsonReader::Token::ObjectStart) {
            return reader.expected(what);
        }
        GUFO_TRY(take());
    }
}

} // namespace gufo::text
