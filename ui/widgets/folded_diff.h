// The difference between two texts (text/line_diff.h) for display: removed and added lines with a few unchanged lines
// around them. Longer unchanged ranges are folded.
#pragma once

#include "base/error.h"
#include "base/job_context.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::ui {

struct FoldedLine {
    enum class Kind : std::uint8_t { Same, Removed, Added, Skipped };
    Kind kind = Kind::Same;
    std::uint64_t skipped = 0; // number of unchanged lines
    std::string text{};        // without the line break; empty for Skipped
};

struct FoldedDiff {
    static constexpr std::size_t kMaxLines = 5'000; // further lines are not shown
    std::vector<FoldedLine> lines;
    std::uint64_t removed = 0; // in total, including lines that are not shown
    std::uint64_t added = 0;
    bool cut = false;

    void add(FoldedLine::Kind kind, std::string_view text);
    void skip(std::uint64_t count);
};

// `context` is the number of unchanged lines kept around each change. Errors: Cancelled. Not for the UI thread if texts
// are long.
[[nodiscard]] Result<FoldedDiff> foldedDiff(std::string_view before, std::string_view after, std::size_t context = 3,
                                            const JobContext& job = {});

} // namespace gufo::ui
