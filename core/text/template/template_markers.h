// What the source of a chat template says without being rendered: the markers of special tokens that it prints, and
// slips of whoever stored it.
//
// Thread contract: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::text {

// Whether a text is markup that ordinary text would hardly contain: "<|im_end|>", "<｜end▁of▁sentence｜>", "<|turn>",
// "<end_of_turn>".
[[nodiscard]] bool isMarker(std::string_view text);

// A part of a source, in bytes.
struct SourceRange {
    std::size_t offset = 0;
    std::size_t length = 0;
    bool operator==(const SourceRange&) const = default;
};
// Counts from 1.
[[nodiscard]] std::size_t lineAt(std::string_view source, std::size_t offset);

// The first occurrence of each marker that the template may print: in text outside of tags or in a string inside of
// one, unless the string is only compared or searched for. Markers that a template joins from parts are not among them;
// markersIn() finds these in a rendered text.
[[nodiscard]] std::vector<SourceRange> printedMarkers(std::string_view source);

// The markers in a text that a template has rendered, each once.
[[nodiscard]] std::vector<std::string_view> markersIn(std::string_view text);
// Where a template may begin a marker that it joins from parts, such as '<|' + role + '|>': the string or text that
// ends with "<|"; the beginning of the source if there is none.
[[nodiscard]] SourceRange joinedMarkerStart(std::string_view source);

// The places outside of tags where the source has "\n" as a backslash and a letter, which is printed like that.
[[nodiscard]] std::vector<SourceRange> literalNewlines(std::string_view source);
[[nodiscard]] std::string withLineBreaks(std::string_view source);

// The source without the quotation marks around it, with the escapes of JSON resolved if it is a JSON string. Nothing
// if it is not in quotation marks.
[[nodiscard]] std::optional<std::string> withoutQuotes(std::string_view source);

} // namespace gufo::text
