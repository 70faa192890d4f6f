// What differs between two texts (text/line_diff.h) as it is shown: what was removed, what was added, and a few
// unchanged lines around them; longer unchanged stretches are folded.
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
    std::uint64_t skipped = 0; // unchanged lines
    std::string text{};        // without the line break; empty for Skipped
};

struct FoldedDiff {
    static constexpr std::size_t kMaxLines = 5'000; // more are not shown
    std::vector<FoldedLine> lines;
    std::uint64_t removed = 0; // in all, also where the lines are cut
    std::uint64_t added = 0;
    bool cut = false;

    void add(FoldedLine::Kind kind, std::string_view text);
    void skip(std::uint64_t count);
};

// `context`: unchanged lines kept around each change. Errors: Cancelled. Not for the UI thread where texts are long.
[[nodiscard]] Result<FoldedDiff> foldedDiff(std::string_view before, std::string_view after, std::size_t context = 3,
                                            const JobContext& job = {});

} // namespace gufo::ui
