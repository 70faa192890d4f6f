// The tensors as a flat table: filtered, and sorted by a column or in file order. Rows are indices; nothing is copied.
// Many tensors are filtered and sorted by a job, and until it ends the rows stay as they are.
#pragma once

#include "ui/jobs/latest_job.h"
#include "ui/pages/tensors/models/tensor_order.h"

#include <QAbstractTableModel>
#include <QList>

namespace gufo::ui {

class TensorTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit TensorTableModel(const TensorSummaries* summaries, QObject* parent = nullptr);
    void setRows(std::shared_ptr<const TensorRows> rows);
    // Switches to another snapshot. Rows of tensors that still exist keep their state in views.
    void follow(std::shared_ptr<const TensorRows> rows, const std::vector<TensorMove>& moves);
    void setFilter(text::TensorFilter filter);
    // Editable names can be changed in place, and rows can be dragged; both are reported by signals.
    void setEditable(bool editable) { m_editable = editable; }
    // Whether all tensors are shown in file order, so that rows can be moved.
    [[nodiscard]] bool isInFileOrder() const;

    // The tensors shown, in display order.
    [[nodiscard]] const std::vector<TensorIndex>& tensors() const { return m_shown; }
    [[nodiscard]] int rowOf(TensorIndex tensor) const; // −1: hidden by the filter

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
    void arranged(); // a job has filtered and sorted
    void renameWanted(gufo::TensorIndex tensor, const QString& name);
    void moveWanted(const QList<uint>& tensors, int before); // TensorIndex::value; to before this row

private:
    [[nodiscard]] TensorOrder order() const;
    void arrange();
    void setShown(std::vector<TensorIndex> shown);
    void startArranging();
    // Replaces the rows and keeps the state of the rows that `now` still shows.
    template<typename To>
    void replaceRows(const To& to, std::vector<TensorIndex> now);
    void summaryReady(TensorIndex tensor);

    const TensorSummaries* m_summaries;
    LatestJob m_job{this};
    std::shared_ptr<const TensorRows> m_rows;
    text::TensorFilter m_filter;
    std::vector<TensorIndex> m_shown;
    std::vector<int> m_rowOf; // by tensor; −1: hidden
    bool m_editable = false;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

} // namespace gufo::ui
