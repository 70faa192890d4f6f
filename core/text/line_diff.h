// Compares two texts line by line: the shortest edit script (E. Myers, "An O(ND) Difference Algorithm and Its
// Variations", 1986, in its linear-space form).
//
// Threads: all functions are pure and thread-safe.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace gufo::text {

struct DiffLine {
    enum class Kind : unsigned char { Same, Removed, Added };
    Kind kind;
    std::size_t before; // index of the line in the old text; for an added line: of the old line it precedes
    std::size_t after;  // the same for the new text
    bool operator==(const DiffLine&) const = default;
};

// Returns the lines without their ends (\n or \r\n); "a\n" has two lines, "a" and "".
[[nodiscard]] std::vector<std::string_view> splitLines(std::string_view text);

// Returns the lines in text order; at the same place, removed lines come before added ones. If the texts have very
// little in common (some thousand changes or more), only parts of them are compared, which limits the time to about a
// second.
[[nodiscard]] std::vector<DiffLine> diffLines(std::span<const std::string_view> before,
                                              std::span<const std::string_view> after);

// Numbers of added and removed lines; a changed line counts as both.
struct DiffCounts {
    std::size_t added = 0;
    std::size_t removed = 0;
};
[[nodiscard]] DiffCounts countChanges(std::span<const DiffLine> lines);

} // namespace gufo::text
