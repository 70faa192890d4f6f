// What the parts of a template are, for colours and folding. Not a parser: it takes any text and never fails; errors
// are the renderer's.
#pragma once

#include <string_view>
#include <vector>

namespace gufo::ui {

// In the order of the lexer's styles.
enum class JinjaPart : unsigned char { Text, Delimiter, Keyword, Name, String, Number, Operator, Comment, Word };
inline constexpr int kJinjaParts = 9;

struct JinjaRun {
    std::size_t begin; // byte; it ends where the next one begins
    JinjaPart part;
};

// In order, from byte 0, without empty runs; none for an empty text. UTF-8.
[[nodiscard]] std::vector<JinjaRun> jinjaRuns(std::string_view text);

// For each line how many blocks ({% if %} … {% endif %}) are open at its start, and whether it opens one that ends on
// another line.
struct JinjaFold {
    int level = 0;
    bool isHead = false;
    bool operator==(const JinjaFold&) const = default;
};
[[nodiscard]] std::vector<JinjaFold> jinjaFolds(std::string_view text);

} // namespace gufo::ui
