#include "ui/widgets/folded_diff.h"

#include "base/try.h"
#include "text/line_diff.h"

#include <algorithm>

namespace gufo::ui {

void FoldedDiff::add(FoldedLine::Kind kind, std::string_view text) {
    removed += kind == FoldedLine::Kind::Removed ? 1 : 0;
    added += kind == FoldedLine::Kind::Added ? 1 : 0;
    if (lines.size() < kMaxLines) {
        lines.push_back({.kind = kind, .text = std::string(text)});
    } else {
        cut = true;
    }
}

void FoldedDiff::skip(std::uint64_t count) {
    if (lines.size() < kMaxLines) {
        lines.push_back({.kind = FoldedLine::Kind::Skipped, .skipped = count});
    } else {
        cut = true;
    }
}

Result<FoldedDiff> foldedDiff(std::string_view before, std::string_view after, std::size_t context,
                              const JobContext& job) {
    const auto a = text::splitLines(before);
    const auto b = text::splitLines(after);
    const auto all = text::diffLines(a, b);
    FoldedDiff diff;
    for (std::size_t i = 0; i < all.size();) {
        GUFO_TRY(job.check());
        if (all[i].kind == text::DiffLine::Kind::Removed) {
            diff.add(FoldedLine::Kind::Removed, a[all[i].before]);
            ++i;
            continue;
        }
        if (all[i].kind == text::DiffLine::Kind::Added) {
            diff.add(FoldedLine::Kind::Added, b[all[i].after]);
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < all.size() && all[end].kind == text::DiffLine::Kind::Same) {
            ++end;
        }
        if (i == 0 && end == all.size()) {
            break; // no differences
        }
        const std::size_t head = i == 0 ? 0 : context;
        const std::size_t tail = end == all.size() ? 0 : context;
        const bool folds = end - i > head + tail;
        for (std::size_t k = i; k < end; ++k) {
            if (folds && k == i + head) {
                diff.skip(end - i - head - tail);
                k = end - tail;
                if (k == end) {
                    break;
                }
            }
            diff.add(FoldedLine::Kind::Same, a[all[k].before]);
        }
        i = end;
    }
    return diff;
}

} // namespace gufo::ui
