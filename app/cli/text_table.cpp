#include "cli/text_table.h"

#include "cli/display_width.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace gufo::cli {
namespace {

constexpr int kGap = 2;
constexpr int kNarrowest = 12; // of the flexible column

} // namespace

void TextTable::addRow(std::vector<QString> cells, Colour colour) {
    assert(cells.size() == m_columns.size());
    m_rows.push_back({std::move(cells), colour});
}

void TextTable::print(Console& console, int indent) const {
    std::vector<int> widths;
    std::vector<QString> titles;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        int width = displayWidth(m_columns[i].title);
        for (const Row& row : m_rows) {
            width = std::max(width, displayWidth(row.cells[i]));
        }
        widths.push_back(width);
        titles.push_back(m_columns[i].title);
    }
    const auto flexible = std::ranges::find(m_columns, true, &Column::flexible);
    if (const auto columns = console.columns(); columns && flexible != m_columns.end()) {
        int& width = widths[static_cast<std::size_t>(flexible - m_columns.begin())];
        const int others = std::accumulate(widths.begin(), widths.end(), -width) +
                           kGap * static_cast<int>(m_columns.size() - 1) + indent;
        width = std::clamp(*columns - others, std::min(width, kNarrowest), width);
    }
    const auto printLine = [&](const std::vector<QString>& cells, Colour first, Colour others) {
        QString line(indent, QLatin1Char(' '));
        int owed = 0; // spaces that stand before the next text
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const QString cell = cutToWidth(cells[i], std::max(widths[i], 1));
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
    if (std::ranges::any_of(titles, [](const QString& title) { return !title.isEmpty(); })) {
        printLine(titles, Colour::Bold, Colour::Bold);
    }
    for (const Row& row : m_rows) {
        printLine(row.cells, row.colour, Colour::Plain);
    }
}

} // namespace gufo::cli
