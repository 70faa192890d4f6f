#include "text/line_diff.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace gufo::text {
namespace {

using Lines = std::span<const std::size_t>; // equal lines have equal numbers

constexpr std::ptrdiff_t kMaxEdits = 4'000; // limit of one search for the middle

// The middle of an optimal path: old[fromX, toX) equals new[fromY, toY).
struct Middle {
    std::ptrdiff_t fromX;
    std::ptrdiff_t fromY;
    std::ptrdiff_t toX;
    std::ptrdiff_t toY;
};

// The furthest-reaching paths of one direction, by diagonal x − y.
class Reach {
public:
    explicit Reach(std::ptrdiff_t maximum)
        : m_zero(maximum + 1)
        , m_x(static_cast<std::size_t>(2 * maximum + 3), 0) {}
    std::ptrdiff_t& operator[](std::ptrdiff_t diagonal) { return m_x[static_cast<std::size_t>(diagonal + m_zero)]; }

private:
    std::ptrdiff_t m_zero;
    std::vector<std::ptrdiff_t> m_x;
};

// Searches from both ends at once; returns nothing if the middle is more than kMaxEdits away.
std::optional<Middle> findMiddle(Lines before, Lines after) {
    const auto n = std::ssize(before);
    const auto m = std::ssize(after);
    const std::ptrdiff_t maximum = std::min((n + m + 1) / 2, kMaxEdits);
    const std::ptrdiff_t delta = n - m;
    const bool odd = delta % 2 != 0;
    Reach forward(maximum);
    Reach backward(maximum);
    const auto at = [](Lines lines, std::ptrdiff_t i) { return lines[static_cast<std::size_t>(i)]; };
    for (std::ptrdiff_t d = 0; d <= maximum; ++d) {
        for (std::ptrdiff_t k = -d; k <= d; k += 2) {
            std::ptrdiff_t x =
                k == -d || (k != d && forward[k - 1] < forward[k + 1]) ? forward[k + 1] : forward[k - 1] + 1;
            x = std::min(x, n);
            std::ptrdiff_t y = x - k;
            const Middle start{x, y, x, y};
            while (x < n && y >= 0 && y < m && at(before, x) == at(after, y)) {
                ++x;
                ++y;
            }
            forward[k] = x;
            const std::ptrdiff_t other = delta - k;
            if (odd && other >= -(d - 1) && other <= d - 1 && x + backward[other] >= n) {
                return Middle{start.fromX, start.fromY, x, y};
            }
        }
        for (std::ptrdiff_t k = -d; k <= d; k += 2) {
            std::ptrdiff_t x =
                k == -d || (k != d && backward[k - 1] < backward[k + 1]) ? backward[k + 1] : backward[k - 1] + 1;
            x = std::min(x, n);
            std::ptrdiff_t y = x - k;
            const Middle start{x, y, x, y};
            while (x < n && y >= 0 && y < m && at(before, n - 1 - x) == at(after, m - 1 - y)) {
                ++x;
                ++y;
            }
            backward[k] = x;
            const std::ptrdiff_t other = delta - k;
            if (!odd && other >= -d && other <= d && x + forward[other] >= n) {
                return Middle{n - x, m - y, n - start.fromX, m - start.fromY};
            }
        }
    }
    return std::nullopt;
}

class Differ {
public:
    explicit Differ(std::vector<DiffLine>& out)
        : m_out(out) {}

    void compare(Lines before, Lines after) {
        const auto head = static_cast<std::size_t>(std::ranges::mismatch(before, after).in1 - before.begin());
        same(head);
        before = before.subspan(head);
        after = after.subspan(head);
        std::size_t tail = 0;
        while (tail < std::min(before.size(), after.size()) &&
               before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) {
            ++tail;
        }
        between(before.first(before.size() - tail), after.first(after.size() - tail));
        same(tail);
    }

private:
    // Compares texts that differ at both ends.
    void between(Lines before, Lines after) {
        const auto middle = before.empty() || after.empty() ? std::nullopt : findMiddle(before, after);
        const auto inside = [&](std::ptrdiff_t x, std::ptrdiff_t y) {
            return x >= 0 && y >= 0 && x <= std::ssize(before) && y <= std::ssize(after) && (x > 0 || y > 0) &&
                   (x < std::ssize(before) || y < std::ssize(after));
        };
        if (!middle || (!inside(middle->fromX, middle->fromY) && !inside(middle->toX, middle->toY))) {
            remove(before.size());
            add(after.size());
            return;
        }
        const bool useStart = inside(middle->fromX, middle->fromY);
        const auto x = static_cast<std::size_t>(useStart ? middle->fromX : middle->toX);
        const auto y = static_cast<std::size_t>(useStart ? middle->fromY : middle->toY);
        compare(before.first(x), after.first(y));
        compare(before.subspan(x), after.subspan(y));
    }

    void same(std::size_t count) {
        for (; count > 0; --count) {
            m_out.push_back({DiffLine::Kind::Same, m_before++, m_after++});
        }
    }
    void remove(std::size_t count) {
        for (; count > 0; --count) {
            m_out.push_back({DiffLine::Kind::Removed, m_before++, m_after});
        }
    }
    void add(std::size_t count) {
        for (; count > 0; --count) {
            m_out.push_back({DiffLine::Kind::Added, m_before, m_after++});
        }
    }

    std::vector<DiffLine>& m_out;
    std::size_t m_before = 0;
    std::size_t m_after = 0;
};

// Moves removed lines before adjacent added ones and recomputes their positions.
void order(std::vector<DiffLine>& lines) {
    for (auto begin = lines.begin(); begin != lines.end();) {
        const auto isSame = [](const DiffLine& line) { return line.kind == DiffLine::Kind::Same; };
        begin = std::find_if_not(begin, lines.end(), isSame);
        const auto end = std::find_if(begin, lines.end(), isSame);
        if (begin == end) {
            break;
        }
        std::size_t before = begin->before;
        std::size_t after = begin->after;
        std::partition(begin, end, [](const DiffLine& line) { return line.kind == DiffLine::Kind::Removed; });
        for (; begin != end; ++begin) {
            begin->before = before;
            begin->after = after;
            ++(begin->kind == DiffLine::Kind::Removed ? before : after);
        }
    }
}

} // namespace

std::vector<std::string_view> splitLines(std::string_view text) {
    std::vector<std::string_view> lines;
    for (;;) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (end == std::string_view::npos) {
            lines.push_back(line);
            return lines;
        }
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        lines.push_back(line);
        text.remove_prefix(end + 1);
    }
}

std::vector<DiffLine> diffLines(std::span<const std::string_view> before, std::span<const std::string_view> after) {
    std::unordered_map<std::string_view, std::size_t> numbers;
    const auto numbered = [&](std::span<const std::string_view> lines) {
        std::vector<std::size_t> result;
        result.reserve(lines.size());
        for (const std::string_view line : lines) {
            result.push_back(numbers.try_emplace(line, numbers.size()).first->second);
        }
        return result;
    };
    const std::vector<std::size_t> old = numbered(before);
    const std::vector<std::size_t> now = numbered(after);
    std::vector<DiffLine> result;
    result.reserve(std::max(old.size(), now.size()));
    Differ(result).compare(old, now);
    order(result);
    return result;
}

DiffCounts countChanges(std::span<const DiffLine> lines) {
    DiffCounts counts;
    for (const DiffLine& line : lines) {
        counts.added += line.kind == DiffLine::Kind::Added ? 1 : 0;
        counts.removed += line.kind == DiffLine::Kind::Removed ? 1 : 0;
    }
    return counts;
}

} // namespace gufo::text
