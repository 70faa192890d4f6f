// Rows of cells in aligned columns.
#pragma once

#include "cli/console.h"

#include <vector>

namespace gufo::cli {

enum class Align : std::uint8_t { Left, Right };

struct Column {
    QString title; // all empty: no line of titles
    Align align = Align::Left;
    bool flexible = false; // gives way where the terminal is too narrow
};

class TextTable {
public:
    explicit TextTable(std::vector<Column> columns)
        : m_columns(std::move(columns)) {}

    // As many cells as columns. `colour` is for the first cell.
    void addRow(std::vector<QString> cells, Colour colour = Colour::Plain);

    // Two spaces between columns, `indent` spaces before each line, no space at the end of a line.
    void print(Console& console, int indent = 0) const;

private:
    struct Row {
        std::vector<QString> cells;
        Colour colour;
    };
    std::vector<Column> m_columns;
    std::vector<Row> m_rows;
};

} // namespace gufo::cli
