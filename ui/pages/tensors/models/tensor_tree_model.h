// The tensors as a tree by block and role, or by role and block. Experts with separate tensors have a level of their
// own. The columns are the table's; group rows show sums.
#pragma once

#include "base/job_context.h"
#include "text/tensor_filter.h"
#include "ui/jobs/latest_job.h"
#include "ui/pages/tensors/models/tensor_rows.h"

#include <QAbstractItemModel>

#include <memory>
#include <vector>

namespace gufo::ui {

// The tree of tensors, without a model around it, so that a job can build it: groups by block and role, or by role and
// block, with sums.
class TensorTree {
public:
    enum class Grouping { Blocks, Roles };
    struct Node {
        std::size_t parent = 0;
        int row = 0;
        QString label;
        std::optional<TensorIndex> tensor{}; // leaves
        std::vector<std::size_t> children{};
        std::size_t tensors = 0;
        std::uint64_t weights = 0;
        std::uint64_t bytes = 0;
        std::optional<std::uint32_t> typeId{}; // if all tensors below have the same type
        std::string_view ownType{};            // the file's own name of that type, if it has one
    };
    std::vector<Node> nodes{1};      // 0: the root
    std::vector<std::size_t> leafOf; // by tensor; 0: none

    // Errors: Cancelled.
    [[nodiscard]] static Result<TensorTree> build(const TensorRows& rows, const text::TensorFilter& filter,
                                                  Grouping grouping, const JobContext& job = {});

private:
    std::size_t addNode(std::size_t parent, QString label, std::optional<TensorIndex> tensor);
    void addUp(const TensorInfo& info, std::size_t leaf);
};

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
