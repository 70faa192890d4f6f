// A table of blocks: what each of them puts first, which experts it chooses, or how much it adds. The page fills in the
// cells; a block can be marked.
#pragma once

#include <QAbstractTableModel>
#include <QStringList>

#include <optional>
#include <vector>

namespace gufo::ui {

class BlockTable : public QAbstractTableModel {
    Q_OBJECT

public:
    struct Cell {
        QString text{};
        QVariant exact{};   // a number in full; invalid: the text is the value
        float strength = 0; // of the ground, from 0 to 1
        QString toolTip{};
    };
    struct Row {
        std::vector<Cell> cells{}; // one for each column
        bool marked = false;
    };

    using QAbstractTableModel::QAbstractTableModel;
    // `numbers` says how many columns from the first on are numbers.
    void setRows(QStringList columns, int numbers, std::vector<Row> rows);
    [[nodiscard]] const Row& rowAt(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    [[nodiscard]] std::optional<int> markedRow() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    QStringList m_columns;
    int m_numbers = 0;
    std::vector<Row> m_rows;
};

} // namespace gufo::ui
