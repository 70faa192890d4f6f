// The tensors as a tree: by block, then role; or by role, then block. Experts that a file names one by one have a level
// of their own. Columns are those of the table; group rows sum up what is below them.
#pragma once

#include "ui/models/tensor_filter.h"
#include "ui/pages/tensors/models/tensor_rows.h"

#include <QAbstractItemModel>

namespace gufo::ui {

class TensorTreeModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum class Grouping { Blocks, Roles };

    explicit TensorTreeModel(const TensorSummaries* summaries, QObject* parent = nullptr);
    void setRows(std::shared_ptr<const TensorRows> rows);
    // Another snapshot: groups and tensors that are still there stay open, selected and in place.
    void follow(std::shared_ptr<const TensorRows> rows, const std::vector<TensorMove>& moves);
    void setGrouping(Grouping grouping);
    void setFilter(TensorFilter filter);

    [[nodiscard]] QModelIndex indexOf(TensorIndex tensor) const; // invalid: filtered away
    // The tensors at or below an index (invalid: all), in the order of the tree.
    [[nodiscard]] std::vector<TensorIndex> tensorsBelow(const QModelIndex& index) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Node {
        std::size_t parent = 0;
        int row = 0;
        QString label;
        std::optional<TensorIndex> tensor{}; // leaves
        std::vector<std::size_t> children{};
        std::size_t tensors = 0;
        std::uint64_t weights = 0;
        std::uint64_t bytes = 0;
        std::optional<std::uint32_t> typeId{}; // if all below have the same
    };
    void rebuild();
    [[nodiscard]] QString groupPath(std::size_t node) const;
    void build();
    std::size_t addNode(std::size_t parent, QString label, std::optional<TensorIndex> tensor);
    void addUp(TensorIndex tensor, std::size_t leaf);
    [[nodiscard]] QStringList pathOf(TensorIndex tensor) const;
    [[nodiscard]] bool before(TensorIndex a, TensorIndex b) const;
    [[nodiscard]] QVariant groupData(const Node& node, TensorColumn column, int role) const;
    [[nodiscard]] const Node& nodeOf(const QModelIndex& index) const;
    void summaryReady(TensorIndex tensor);

    std::shared_ptr<const TensorRows> m_rows;
    TensorFilter m_filter;
    Grouping m_grouping = Grouping::Blocks;
    std::vector<Node> m_nodes;         // 0: the root
    std::vector<std::size_t> m_leafOf; // by tensor; 0: none
};

} // namespace gufo::ui
