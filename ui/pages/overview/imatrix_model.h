// The entries of an importance matrix, and the matrices of a chosen model that it lacks: one row each, sorted by any
// column.
#pragma once

#include "quantize/imatrix_coverage.h"

#include <QAbstractTableModel>

#include <optional>

namespace gufo::ui {

class ImatrixModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column : int { Tensor, Used, Rows, Channels, Partner, ColumnCount };
    enum class Fit : std::uint8_t { NotCompared, Fits, NoEntry, NoTensor, OtherShape };

    using QAbstractTableModel::QAbstractTableModel;
    void setEntries(std::vector<ImatrixRow> entries);
    // Compares the entries with a model, or with none.
    void setPartners(std::optional<ImatrixPartners> partners);
    // Null for a matrix without an entry.
    [[nodiscard]] const ImatrixRow* entryAt(int row) const;
    [[nodiscard]] const std::vector<ImatrixRow>& entries() const { return m_entries; }
    [[nodiscard]] Fit fitAt(int row) const { return m_lines[static_cast<std::size_t>(row)].fit; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    struct Line {
        std::string tensor;
        std::uint32_t block = 0;
        std::optional<std::size_t> entry{}; // index into m_entries
        Fit fit = Fit::NotCompared;
    };
    void rebuild();
    void sortLines();
    [[nodiscard]] QString text(const Line& line, int column) const;
    [[nodiscard]] QString toolTip(const Line& line, int column) const;

    std::vector<ImatrixRow> m_entries; // by block and name
    std::optional<ImatrixPartners> m_partners;
    std::vector<Line> m_lines;
    int m_sortedBy = Tensor;
    Qt::SortOrder m_order = Qt::AscendingOrder;
};

} // namespace gufo::ui
