// The tensors as a flat table: filtered, sorted by a column or in file order. Rows are indices; nothing is copied.
#pragma once

#include "ui/models/tensor_filter.h"
#include "ui/pages/tensors/models/tensor_rows.h"

#include <QAbstractTableModel>
#include <QList>

namespace gufo::ui {

class TensorTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit TensorTableModel(const TensorSummaries* summaries, QObject* parent = nullptr);
    void setRows(std::shared_ptr<const TensorRows> rows);
    // Another snapshot: rows of tensors that are still there keep what views know of them.
    void follow(std::shared_ptr<const TensorRows> rows, const std::vector<TensorMove>& moves);
    void setFilter(TensorFilter filter);
    // Names are edited in place and rows are dragged; both come out as signals.
    void setEditable(bool editable) { m_editable = editable; }
    // All tensors in the order of the file: rows can be moved.
    [[nodiscard]] bool isInFileOrder() const;

    // The tensors shown, in their order.
    [[nodiscard]] const std::vector<TensorIndex>& tensors() const { return m_shown; }
    [[nodiscard]] int rowOf(TensorIndex tensor) const; // −1: filtered away

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override; // −1: file order
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] QStringList mimeTypes() const override;
    [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;
    bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                         const QModelIndex& parent) const override;
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                      const QModelIndex& parent) override;
    [[nodiscard]] Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }

signals:
    void renameWanted(gufo::TensorIndex tensor, const QString& name);
    void moveWanted(const QList<uint>& tensors, int before); // TensorIndex::value; before this row

private:
    void refill();
    void reorder();
    void summaryReady(TensorIndex tensor);

    std::shared_ptr<const TensorRows> m_rows;
    TensorFilter m_filter;
    std::vector<TensorIndex> m_shown;
    std::vector<int> m_rowOf; // by tensor; −1
    bool m_editable = false;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

} // namespace gufo::ui
