// Markers that a chat template writes around the parts of an answer, such as "<tool_call>\n<function=", and how they
// are found in a text. White space in a marker stands for any amount of white space, also none, because models do not
// reproduce it exactly.
//
// Thread contract: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::text {

[[nodiscard]] std::string_view withoutSpace(std::string_view text);       // at either end
[[nodiscard]] std::size_t spaceAt(std::string_view text, std::size_t at); // the number of white space characters

struct MarkerMatch {
    enum class State : std::uint8_t { No, Partial, Whole };
    State state = State::No;
    std::size_t bytes = 0; // of a whole match
};
// Compares the beginning of `text` with a marker. A text that ends within the marker matches partially.
[[nodiscard]] MarkerMatch matchMarker(std::string_view text, std::string_view marker);

// Returns the length of the longest suffix of `text` that is a proper prefix of `marker`.
[[nodiscard]] std::size_t begunAtEnd(std::string_view text, std::string_view marker);

// Divides a marker into its tags and the words between them: "<tool_call>", "<function=".
[[nodiscard]] std::vector<std::string> tagsOf(std::string_view marker);
// Whether a tag can be told from ordinary text: it begins with a bracket and is not just punctuation.
[[nodiscard]] bool isTag(std::string_view tag);

} // namespace gufo::text
