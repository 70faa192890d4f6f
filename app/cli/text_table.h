// Rows of cells in aligned columns. On a terminal, no line is wider than it: first the flexible column is narrowed; if
// that is not enough, the first column is narrowed, and if a row's name is wider than that column, the row's other
// cells follow on the next line. A table that has no flexible column, or that is still too wide, is printed in several
// parts, and each part begins with the first column. A name is cut, in its middle, only if it is wider than half of the
// terminal.
#pragma once

#include "cli/console.h"

#include <vector>

namespace gufo::cli {

enum class Align : std::uint8_t { Left, Right };

struct Column {
    QString title; // if all titles are empty, no title line is printed
    Align align = Align::Left;
    bool flexible = false; // its texts may be cut: other verbs show them in full
};

class TextTable {
public:
    static constexpr int kGap = 2; // columns of the terminal between two of the table

    explicit TextTable(std::vector<Column> columns)
        : m_columns(std::move(columns)) {}

    // `cells` has one element per column. `colour` applies to the first cell.
    void addRow(std::vector<QString> cells, Colour colour = Colour::Plain);

    // Lines are indented by `indent` spaces and have no trailing spaces.
    void print(Console& console, int indent = 0) const;

private:
    struct Row {
        std::vector<QString> cells;
        Colour colour;
    };
    using Part = std::vector<std::size_t>; // numbers of columns

    [[nodiscard]] std::vector<int> widths() const;
    // Divides the columns into parts that are at most `room` wide, and narrows columns that are wider than `room`
    // alone.
    [[nodiscard]] std::vector<Part> partsFor(int room, std::vector<int>& widths) const;
    // Cells of the first column that are wider than it, but not than `room`, have a line of their own.
    void printPart(Console& console, int indent, int room, const Part& part, const std::vector<int>& widths) const;

    std::vector<Column> m_columns;
    std::vector<Row> m_rows;
};

} // namespace gufo::cli
