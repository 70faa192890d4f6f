#include "ui/models/line_diff.h"

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_map>

namespace gufo::ui {
namespace {

constexpr int kMaxEdits = 1'500; // the trace of D steps holds D² numbers

std::vector<std::string_view> splitLines(std::string_view text) {
    std::vector<std::string_view> lines;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        lines.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return lines;
}

using Ids = std::vector<int>; // equal lines have equal numbers

struct Edit {
    bool removed = false; // else added
    std::size_t line = 0; // in its own text
};

// The removed and added lines between two runs, in order; nothing where there would be more than kMaxEdits.
std::optional<std::vector<Edit>> shortestEdits(std::span<const int> a, std::span<const int> b, const JobContext& job) {
    const int n = static_cast<int>(a.size());
    const int m = static_cast<int>(b.size());
    const int most = std::min(n + m, kMaxEdits);
    const auto at = [most](std::vector<int>& v, int k) -> int& { return v[static_cast<std::size_t>(k + most + 1)]; };
    std::vector<int> furthest(static_cast<std::size_t>(2 * most + 3), 0);
    std::vector<std::vector<int>> trace; // of each number of edits, the furthest x on the diagonals −d … d
    int edits = -1;
    for (int d = 0; d <= most && edits < 0; ++d) {
        if (job.stopRequested()) {
            return {};
        }
        for (int k = -d; k <= d; k += 2) {
            const bool down = k == -d || (k != d && at(furthest, k - 1) < at(furthest, k + 1));
            int x = down ? at(furthest, k + 1) : at(furthest, k - 1) + 1;
            while (x < n && x - k < m && a[static_cast<std::size_t>(x)] == b[static_cast<std::size_t>(x - k)]) {
                ++x;
            }
            at(furthest, k) = x;
            if (x >= n && x - k >= m) {
                edits = d;
            }
        }
        trace.emplace_back(furthest.begin() + (most + 1 - d), furthest.begin() + (most + 2 + d));
    }
    if (edits < 0) {
        return {};
    }
    std::vector<Edit> script;
    int x = n;
    int y = m;
    for (int d = edits; d > 0; --d) {
        const std::vector<int>& before = trace[static_cast<std::size_t>(d - 1)];
        const auto reached = [&](int k) {
            return k < -(d - 1) || k > d - 1 ? -1 : before[static_cast<std::size_t>(k + d - 1)];
        };
        const int k = x - y;
        const bool down = k == -d || (k != d && reached(k - 1) < reached(k + 1));
        const int from = down ? reached(k + 1) : reached(k - 1);
        const int fromK = down ? k + 1 : k - 1;
        script.push_back(down ? Edit{.removed = false, .line = static_cast<std::size_t>(from - fromK)}
                              : Edit{.removed = true, .line = static_cast<std::size_t>(from)});
        x = from;
        y = from - fromK;
    }
    std::ranges::reverse(script);
    return script;
}

class Output {
public:
    Output(LineDiff& diff, std::size_t context)
        : m_diff(diff)
        , m_context(context) {}

    void same(std::size_t before, std::size_t after, std::size_t count, std::span<const std::string_view> lines,
              bool first, bool last) {
        const std::size_t head = first ? 0 : m_context;
        const std::size_t tail = last ? 0 : m_context;
        const bool skip = count > head + tail;
        for (std::size_t i = 0; i < count; ++i) {
            if (skip && i == head) {
                add({.kind = DiffLine::Kind::Skipped, .before = count - head - tail, .after = 0, .text = {}});
                i = count - tail;
                if (i == count) {
                    break;
                }
            }
            add({.kind = DiffLine::Kind::Same,
                 .before = before + i + 1,
                 .after = after + i + 1,
                 .text = std::string(lines[before + i])});
        }
    }

    void removed(std::size_t line, std::string_view text) {
        ++m_diff.removed;
        add({.kind = DiffLine::Kind::Removed, .before = line + 1, .after = 0, .text = std::string(text)});
    }

    void added(std::size_t line, std::string_view text) {
        ++m_diff.added;
        add({.kind = DiffLine::Kind::Added, .before = 0, .after = line + 1, .text = std::string(text)});
    }

private:
    void add(DiffLine line) {
        if (m_diff.lines.size() < LineDiff::kMaxLines) {
            m_diff.lines.push_back(std::move(line));
        } else {
            m_diff.cut = true;
        }
    }

    LineDiff& m_diff;
    std::size_t m_context;
};

} // namespace

Result<LineDiff> diffLines(std::string_view before, std::string_view after, std::size_t context,
                           const JobContext& job) {
    const std::vector<std::string_view> a = splitLines(before);
    const std::vector<std::string_view> b = splitLines(after);
    std::unordered_map<std::string_view, int> numbers;
    const auto numbered = [&numbers](const std::vector<std::string_view>& lines) {
        Ids ids;
        ids.reserve(lines.size());
        for (const std::string_view line : lines) {
            ids.push_back(numbers.try_emplace(line, static_cast<int>(numbers.size())).first->second);
        }
        return ids;
    };
    const Ids idsA = numbered(a);
    const Ids idsB = numbered(b);

    std::size_t head = 0;
    while (head < a.size() && head < b.size() && idsA[head] == idsB[head]) {
        ++head;
    }
    std::size_t tail = 0;
    while (tail < a.size() - head && tail < b.size() - head && idsA[a.size() - 1 - tail] == idsB[b.size() - 1 - tail]) {
        ++tail;
    }
    const auto middle = [&](const Ids& ids) { return std::span(ids).subspan(head, ids.size() - head - tail); };
    std::optional<std::vector<Edit>> edits = shortestEdits(middle(idsA), middle(idsB), job);
    if (job.stopRequested()) {
        return fail(ErrorCode::Cancelled);
    }
    if (!edits) {
        edits.emplace();
        for (std::size_t i = 0; i < a.size() - head - tail; ++i) {
            edits->push_back({.removed = true, .line = i});
        }
        for (std::size_t i = 0; i < b.size() - head - tail; ++i) {
            edits->push_back({.removed = false, .line = i});
        }
    }

    LineDiff diff;
    Output output(diff, context);
    std::size_t doneA = 0;
    std::size_t doneB = 0;
    for (const Edit& edit : *edits) {
        const std::size_t line = head + edit.line;
        const std::size_t same = line - (edit.removed ? doneA : doneB);
        if (same > 0) {
            output.same(doneA, doneB, same, a, doneA == 0 && doneB == 0, false);
            doneA += same;
            doneB += same;
        }
        if (edit.removed) {
            output.removed(doneA, a[doneA]);
            ++doneA;
        } else {
            output.added(doneB, b[doneB]);
            ++doneB;
        }
    }
    if (!edits->empty() && doneA < a.size()) {
        output.same(doneA, doneB, a.size() - doneA, a, false, true);
    }
    return diff;
}

} // namespace gufo::ui
