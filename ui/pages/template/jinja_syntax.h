// Classifies the parts of a template for colours and folding. This is not a parser: it accepts any text and never
// fails; the renderer reports errors.
#pragma once

#include <string_view>
#include <vector>

namespace gufo::ui {

// In the order of the lexer's styles.
enum class JinjaPart : unsigned char { Text, Delimiter, Keyword, Name, String, Number, Operator, Comment, Word };
inline constexpr int kJinjaParts = 9;

struct JinjaRun {
    std::size_t begin; // byte offset; the run ends where the next one begins
    JinjaPart part;
};

// Returns consecutive non-empty runs from byte 0, or none for an empty text. The text is UTF-8.
[[nodiscard]] std::vector<JinjaRun> jinjaRuns(std::string_view text);

// For each line: the number of open blocks ({% if %} … {% endif %}) at its start, and whether it opens one that ends on
// another line.
struct JinjaFold {
    int level = 0;
    bool isHead = false;
    bool operator==(const JinjaFold&) const = default;
};
[[nodiscard]] std::vector<JinjaFold> jinjaFolds(std::string_view text);

} // namespace gufo::ui
