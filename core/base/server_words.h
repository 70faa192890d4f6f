// What a server says in place of a file: the words of an error in JSON, HTML or XML, made fit for one line. The texts
// come from strangers, so nothing is assumed about them. All functions are pure and thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gufo {

[[nodiscard]] std::string asciiLowerText(std::string_view text);

// One line of at most 200 bytes; empty if the text is not UTF-8.
[[nodiscard]] std::string oneLine(std::string_view text);

// The content of the first element of that name (in lower case); empty if there is none.
[[nodiscard]] std::string_view elementText(std::string_view document, std::string_view name);

// The text outside of the tags.
[[nodiscard]] std::string withoutTags(std::string_view document);

// The message of a JSON object that is an error. A member may be a text, or an object or list with one.
[[nodiscard]] std::optional<std::string> jsonErrorMessage(std::string_view text);

// The words of an error in any of these forms, as one line: the message of JSON, the title of a page, or the text.
[[nodiscard]] std::string errorWords(std::string_view body);

} // namespace gufo
