// The message that a server sends in place of a file, extracted from JSON, HTML or XML and shortened to one line. The
// texts are untrusted: they may be malformed, of any length and in any encoding. All functions are pure and
// thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gufo {

// The beginning of the text, as one line of at most 200 bytes; empty if it is not UTF-8.
[[nodiscard]] std::string oneLine(std::string_view text);

// The content of the first element called `name`, which is in lower case; empty if there is none.
[[nodiscard]] std::string_view elementText(std::string_view document, std::string_view name);

// The text outside of the tags.
[[nodiscard]] std::string withoutTags(std::string_view document);

// The message of a JSON document with a member such as "error" or "message", whose value is a text, or an object or
// array that contains one. Empty if no text follows the member; nothing if there is no such member, or the text is not
// JSON.
[[nodiscard]] std::optional<std::string> jsonErrorMessage(std::string_view text);

// The message of a reply in one line: the message in its JSON; or else the title of the page; or else its text without
// tags.
[[nodiscard]] std::string errorWords(std::string_view body);

} // namespace gufo
