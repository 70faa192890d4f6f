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

} // namespace gufo::text
