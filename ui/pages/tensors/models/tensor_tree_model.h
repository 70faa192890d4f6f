// The tensors as a tree by block and role, or by role and block. Experts with separate tensors have a level of their
// own. The columns are the table's; group rows show sums.
#pragma once

#include "ui/jobs/latest_job.h"
#include "ui/pages/tensors/models/tensor_tree.h"

#include <QAbstractItemModel>

namespace gufo::ui {

class TensorTreeModel : public QAbstractItemModel {
    Q_OBJECT

public:
    using Grouping = TensorTree::Grouping;

    explicit TensorTreeModel(const TensorSummaries* summaries, QObject* parent = nullptr);
    void setRows(std::shared_ptr<const TensorRows> rows);
    // Switches to another snapshot. Groups and tensors that still exist keep their expansion, selection and position.
    void follow(std::shared_ptr<const TensorRows> rows, const std::vector<TensorMove>& moves);
    void setGrouping(Grouping grouping);
    void setFilter(text::TensorFilter filter);
    // The tree of many tensors is built by a job, and only while it is shown.
    void setShown(bool shown);

    [[nodiscard]] QModelIndex indexOf(TensorIndex tensor) const; // invalid if the filter hides it
    // The tensors at or below an index (invalid: all), in tree order.
    [[nodiscard]] std::vector<TensorIndex> tensorsBelow(const QModelIndex& index) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void built(); // by a job

private:
    using Node = TensorTree::Node;
    void rebuild();
    void startBuilding();
    [[nodiscard]] QString groupPath(std::size_t node) const;
    [[nodiscard]] QVariant groupData(const Node& node, TensorColumn column, int role) const;
    [[nodiscard]] const Node& nodeOf(const QModelIndex& index) const;
    void summaryReady(TensorIndex tensor);

    std::shared_ptr<const TensorRows> m_rows;
    text::TensorFilter m_filter;
    Grouping m_grouping = Grouping::Blocks;
    TensorTree m_tree;
    LatestJob m_job{this};
    bool m_shown = true;
    bool m_stale = false; // many tensors, for which the tree was not built, because it is not shown
};

} // namespace gufo::ui
