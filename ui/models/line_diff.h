// Two texts compared line by line: what was removed, what was added, and a few unchanged lines around them.
//
// Shortest edit scripts by E. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986, with a limit on D: texts
// that have little in common show as one removed and one added piece.
#pragma once

#include "base/error.h"
#include "base/job.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::ui {

struct DiffLine {
    enum class Kind : std::uint8_t { Same, Removed, Added, Skipped };
    Kind kind = Kind::Same;
    std::uint64_t before = 0; // line number from 1; 0: not in that text. Of Skipped: how many unchanged lines
    std::uint64_t after = 0;
    std::string text; // without the line break; empty for Skipped
};

struct LineDiff {
    static constexpr std::size_t kMaxLines = 20'000; // shown; a diff of more is cut there
    std::vector<DiffLine> lines;
    std::uint64_t removed = 0; // in all, also where the lines are cut
    std::uint64_t added = 0;
    bool cut = false;
};

// `context`: unchanged lines kept around each change. Errors: Cancelled. Not for the UI thread where texts are long.
[[nodiscard]] Result<LineDiff> diffLines(std::string_view before, std::string_view after, std::size_t context = 3,
                                         const JobContext& job = {});

} // namespace gufo::ui
