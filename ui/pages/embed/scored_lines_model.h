// Lines with one or more figures each, sorted by any column: the neighbours of a line, or the texts of a ranking.
#pragma once

#include "ui/pages/embed/text_lines.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <memory>

namespace gufo::ui {

class ScoredLinesModel : public QAbstractTableModel {
    Q_OBJECT

public:
    struct Row {
        std::size_t line = 0; // index into the lines
        std::vector<float> figures{};
    };

    using QAbstractTableModel::QAbstractTableModel;
    // The columns are the figures, the number of the line, and its text. Rows are sorted by the first figure, the
    // largest one first.
    void setRows(std::shared_ptr<const TextLines> lines, QStringList figures, std::vector<Row> rows);
    [[nodiscard]] const Row& rowAt(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    [[nodiscard]] int rowOfLine(std::size_t line) const; // −1 if there is none
    [[nodiscard]] int figureCount() const { return static_cast<int>(m_figures.size()); }
    [[nodiscard]] int textColumn() const { return figureCount() + 1; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    std::shared_ptr<const TextLines> m_lines;
    QStringList m_figures;
    std::vector<Row> m_rows;
};

} // namespace gufo::ui
