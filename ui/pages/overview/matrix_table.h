// The table of the matrices of a file: rows are sorted by any column, and rows with equal figures by block and name.
// Sorting keeps selections on their matrices. AdapterModel and ImatrixModel derive from it.
#pragma once

#include <QAbstractTableModel>
#include <QTableView>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace gufo::ui {

class MatrixTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

protected:
    // The order of the block, and the name of the matrix.
    using Place = std::pair<std::uint64_t, std::string_view>;
    // Blocks have the order of their numbers, and tensors outside of blocks follow.
    [[nodiscard]] static std::uint64_t orderOf(std::optional<std::uint32_t> block) {
        return block ? *block : std::uint64_t{1} << 32U;
    }

    MatrixTableModel(int columns, QObject* parent)
        : QAbstractTableModel(parent)
        , m_columns(columns) {}
    // Makes one row for each of `lines` lines, which the functions below describe. The caller resets the model around
    // the call.
    void arrange(std::size_t lines);
    [[nodiscard]] std::size_t lineAt(int row) const { return m_rows[static_cast<std::size_t>(row)]; }

    [[nodiscard]] virtual Place placeOf(std::size_t line) const = 0;
    [[nodiscard]] virtual double figure(std::size_t line, int column) const = 0; // by which the column is sorted
    [[nodiscard]] virtual QString text(std::size_t line, int column) const = 0;
    [[nodiscard]] virtual QString toolTip(std::size_t line, int column) const = 0;
    [[nodiscard]] virtual bool isWarning(std::size_t line, int column) const = 0;
    [[nodiscard]] virtual bool isFigure(int column) const = 0; // aligned to the right
    [[nodiscard]] virtual QString title(int column) const = 0;
    [[nodiscard]] virtual QString titleToolTip(int column) const = 0;

private:
    void sortRows();

    int m_columns;
    std::vector<std::size_t> m_rows; // lines
    int m_sortedBy = 0;
    Qt::SortOrder m_order = Qt::AscendingOrder;
};

// The view of such a model, sorted by the first column. `widths` applies to the first columns.
[[nodiscard]] QTableView* makeMatrixTable(const QString& accessibleName, MatrixTableModel* model,
                                          std::span<const int> widths, QWidget* parent);

} // namespace gufo::ui
