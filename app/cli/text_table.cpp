#include "cli/text_table.h"

#include "cli/terminal_text.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

namespace gufo::cli {
namespace {

constexpr int kNarrowest = 12; // of the flexible column

} // namespace

void TextTable::addRow(std::vector<QString> cells, Colour colour) {
    assert(cells.size() == m_columns.size());
    m_rows.push_back({std::move(cells), colour});
}

std::vector<int> TextTable::widths() const {
    std::vector<int> widths;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        int width = displayWidth(m_columns[i].title);
        for (const Row& row : m_rows) {
            width = std::max(width, displayWidth(row.cells[i]));
        }
        widths.push_back(width);
    }
    return widths;
}

std::vector<TextTable::Part> TextTable::partsFor(int room, std::vector<int>& widths) const {
    const auto widthOf = [&widths](const Part& part) {
        return std::accumulate(part.begin(), part.end(), -kGap,
                               [&](int sum, std::size_t column) { return sum + kGap + widths[column]; });
    };
    Part all(m_columns.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const auto flexible = std::ranges::find(m_columns, true, &Column::flexible);
    if (flexible != m_columns.end() && widthOf(all) > room) {
        int& width = widths[static_cast<std::size_t>(flexible - m_columns.begin())];
        width = std::clamp(room - (widthOf(all) - width), std::min(width, kNarrowest), width);
        const int names = room - (widthOf(all) - widths.front());
        if (flexible != m_columns.begin() && names >= kNarrowest && widths.front() <= room) {
            widths.front() = std::min(widths.front(), names);
        }
    }
    const bool titled = std::ranges::any_of(m_columns, [](const Column& column) { return !column.title.isEmpty(); });
    if (widthOf(all) <= room || all.size() < 2) {
        return {all};
    }
    if (!titled) { // parts without titles could not be told apart
        widths.back() = std::max(1, room - (widthOf(all) - widths.back()));
        return {all};
    }
    // Half of the room suffices for most names. One that is longer leaves what the widest other column needs.
    const int widest = *std::max_element(widths.begin() + 1, widths.end());
    widths.front() = std::min(widths.front(), std::max(room / 2, room - kGap - widest));
    std::vector<Part> parts;
    for (std::size_t column = 1; column < m_columns.size(); ++column) {
        widths[column] = std::min(widths[column], std::max(1, room - kGap - widths.front()));
        if (parts.empty() || widthOf(parts.back()) + kGap + widths[column] > room) {
            parts.push_back({0});
        }
        parts.back().push_back(column);
    }
    return parts;
}

void TextTable::printPart(Console& console, int indent, int room, const Part& part,
                          const std::vector<int>& widths) const {
    const bool flexible = std::ranges::any_of(m_columns, &Column::flexible);
    const auto printLine = [&](const auto& cellOf, Colour first, Colour others) {
        QString line(indent, QLatin1Char(' '));
        int owed = 0; // pending spaces before the next text
        for (const std::size_t i : part) {
            const int width = std::max(widths[i], 1);
            QString cell = i == 0 ? cellOf(i) : cutToWidth(cellOf(i), width);
            if (i == 0 && flexible && part.size() > 1 && displayWidth(cell) > width && displayWidth(cell) <= room) {
                console.out().writeLine(line + console.coloured(first, cell));
                cell.clear();
            }
            cell = i == 0 ? cutMiddleToWidth(cell, width) : cell;
            const int padding = widths[i] - displayWidth(cell);
            owed += m_columns[i].align == Align::Right ? padding : 0;
            if (!cell.isEmpty()) {
                line += QString(owed, QLatin1Char(' ')) + console.coloured(i == 0 ? first : others, cell);
                owed = 0;
            }
            owed += (m_columns[i].align == Align::Left ? padding : 0) + kGap;
        }
        console.out().writeLine(line);
    };
    if (std::ranges::any_of(m_columns, [](const Column& column) { return !column.title.isEmpty(); })) {
        printLine([&](std::size_t i) { return m_columns[i].title; }, Colour::Bold, Colour::Bold);
    }
    for (const Row& row : m_rows) {
        printLine([&](std::size_t i) { return row.cells[i]; }, row.colour, Colour::Plain);
    }
}

void TextTable::print(Console& console, int indent) const {
    std::vector<int> width = widths();
    const int room = console.columns() ? std::max(1, *console.columns() - indent) : std::numeric_limits<int>::max();
    bool first = true;
    for (const Part& part : partsFor(room, width)) {
        if (!std::exchange(first, false)) {
            console.out().writeLine();
        }
        printPart(console, indent, room, part, width);
    }
}

} // namespace gufo::cli
