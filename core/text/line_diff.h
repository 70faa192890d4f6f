// What differs between two texts, line by line: the shortest way from one to the other (E. Myers, "An O(ND) Difference
// Algorithm and Its Variations", 1986, with its refinement to linear space).
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace gufo::text {

struct DiffLine {
    enum class Kind : unsigned char { Same, Removed, Added };
    Kind kind;
    std::size_t before; // index of the line in the old text; of an added line: of the one it stands in front of
    std::size_t after;  // likewise in the new text
    bool operator==(const DiffLine&) const = default;
};

// The lines without their ends; "a\n" has two, "a" and "". Ends are \n and \r\n.
[[nodiscard]] std::vector<std::string_view> splitLines(std::string_view text);

// In the order of the texts, what is removed before what is added at the same place. Texts that have very little in
// common (more than some thousand changes) are compared in parts only, so that the time stays within a second.
[[nodiscard]] std::vector<DiffLine> diffLines(std::span<const std::string_view> before,
                                              std::span<const std::string_view> after);

// How many lines of the new text are new or changed, and how many of the old one are gone.
struct DiffCounts {
    std::size_t added = 0;
    std::size_t removed = 0;
};
[[nodiscard]] DiffCounts countChanges(std::span<const DiffLine> lines);

} // namespace gufo::text
