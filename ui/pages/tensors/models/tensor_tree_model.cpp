#include "ui/pages/tensors/models/tensor_tree_model.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/widgets/table_text.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace gufo::ui {
namespace {

constexpr std::size_t kTensorsPerLook = 4'096;

// The groups that contain a tensor, outermost first.
QStringList pathOf(const TensorName& name, TensorTree::Grouping grouping) {
    const QString role = displayText(name.prefix) + displayText(name.role);
    const QString block = name.block ? displayText(name.prefix) + QStringLiteral("blk.%1").arg(*name.block) : QString();
    QStringList path;
    if (grouping == TensorTree::Grouping::Blocks) {
        if (name.block) {
            path << block;
        }
        if (name.expert) {
            path << role;
        }
    } else {
        path << role;
        if (name.expert && name.block) {
            path << block;
        }
    }
    return path;
}

auto keyOf(const TensorName& name, TensorIndex tensor, TensorTree::Grouping grouping) {
    const int order = name.fact != nullptr ? name.fact->order : std::numeric_limits<int>::max();
    const std::int64_t block = name.block ? std::int64_t(*name.block) : -1; // tensors without a block come first
    const std::int64_t group = grouping == TensorTree::Grouping::Blocks ? block : std::int64_t(block >= 0);
    return std::tuple(name.prefix, group, order, name.role, block, name.expert.value_or(0), tensor);
}

} // namespace

Result<TensorTree> TensorTree::build(const TensorRows& rows, const text::TensorFilter& filter, Grouping grouping,
                                     const JobContext& job) {
    TensorTree tree;
    tree.leafOf.assign(rows.count(), 0);
    std::vector<TensorName> names(rows.count());
    std::vector<TensorIndex> shown;
    for (std::size_t i = 0; i < rows.count(); ++i) {
        const TensorIndex tensor(i);
        if (i % kTensorsPerLook == 0 && job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        if (filter.matchesAll() || filter.matches(rows.info(tensor), rows.name(tensor))) {
            shown.push_back(tensor);
            names[i] = rows.parsed(tensor);
        }
    }
    std::ranges::sort(shown, {}, [&](TensorIndex tensor) { return keyOf(names[tensor.value], tensor, grouping); });
    std::map<std::pair<std::size_t, QString>, std::size_t> groups;
    std::size_t done = 0;
    for (const TensorIndex tensor : shown) {
        if (done++ % kTensorsPerLook == 0 && job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        std::size_t parent = 0;
        for (const QString& label : pathOf(names[tensor.value], grouping)) {
            const auto [found, isNew] = groups.try_emplace({parent, label}, 0);
            if (isNew) {
                found->second = tree.addNode(parent, label, {});
            }
            parent = found->second;
        }
        tree.leafOf[tensor.value] = tree.addNode(parent, rows.name(tensor), tensor);
        tree.addUp(rows.info(tensor), tree.leafOf[tensor.value]);
    }
    return tree;
}

std::size_t TensorTree::addNode(std::size_t parent, QString label, std::optional<TensorIndex> tensor) {
    const std::size_t id = nodes.size();
    nodes.push_back({.parent = parent,
                     .row = static_cast<int>(nodes[parent].children.size()),
                     .label = std::move(label),
                     .tensor = tensor});
    nodes[parent].children.push_back(id);
    return id;
}

void TensorTree::addUp(const TensorInfo& info, std::size_t leaf) {
    for (std::size_t id = leaf; id != 0; id = nodes[id].parent) {
        Node& node = nodes[id];
        const bool same = node.typeId == info.typeId && node.ownType == info.ownType;
        node.typeId = node.tensors == 0 || same ? std::optional(info.typeId) : std::nullopt;
        node.ownType = info.ownType;
        ++node.tensors;
        node.weights += info.weights();
        node.bytes += info.bytes.value_or(0);
    }
}

TensorTreeModel::TensorTreeModel(const TensorSummaries* summaries, QObject* parent)
    : QAbstractItemModel(parent) {
    connect(summaries, &TensorSummaries::ready, this, &TensorTreeModel::summaryReady);
}

void TensorTreeModel::setRows(std::shared_ptr<const TensorRows> rows) {
    m_rows = std::move(rows);
    rebuild();
}

// The labels from the outermost group to this one.
QString TensorTreeModel::groupPath(std::size_t node) const {
    QString path;
    for (; node != 0; node = m_tree.nodes[node].parent) {
        path = m_tree.nodes[node].label + QChar(u'\n') + path;
    }
    return path;
}

void TensorTreeModel::follow(std::shared_ptr<const TensorRows> rows, const std::vector<TensorMove>& moves) {
    if (rows->areMany()) {
        setRows(std::move(rows));
        return;
    }
    emit layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    struct Held {
        std::optional<TensorIndex> tensor;
        QString group;
    };
    std::vector<Held> held;
    for (const QModelIndex& index : before) {
        const Node& node = nodeOf(index);
        held.push_back(node.tensor ? Held{moves[node.tensor->value].to, {}}
                                   : Held{{}, groupPath(static_cast<std::size_t>(index.internalId()))});
    }
    m_rows = std::move(rows);
    m_tree = *TensorTree::build(*m_rows, m_filter, m_grouping);
    std::map<QString, std::size_t> groups;
    for (std::size_t node = 1; node < m_tree.nodes.size(); ++node) {
        if (!m_tree.nodes[node].tensor) {
            groups.emplace(groupPath(node), node);
        }
    }
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        const Held& was = held[static_cast<std::size_t>(i)];
        const auto group = groups.find(was.group);
        const QModelIndex now = was.tensor              ? indexOf(*was.tensor)
                                : group != groups.end() ? createIndex(m_tree.nodes[group->second].row, 0, group->second)
                                                        : QModelIndex();
        after << (now.isValid() ? now.siblingAtColumn(before[i].column()) : QModelIndex());
    }
    changePersistentIndexList(before, after);
    emit layoutChanged();
}

void TensorTreeModel::setGrouping(Grouping grouping) {
    m_grouping = grouping;
    rebuild();
}

void TensorTreeModel::setFilter(text::TensorFilter filter) {
    m_filter = std::move(filter);
    rebuild();
}

void TensorTreeModel::setShown(bool shown) {
    m_shown = shown;
    if (shown && m_stale) {
        rebuild();
    }
}

void TensorTreeModel::rebuild() {
    m_job.cancel();
    const bool inJob = m_rows != nullptr && m_rows->areMany();
    beginResetModel();
    m_tree = m_rows == nullptr || inJob ? TensorTree() : *TensorTree::build(*m_rows, m_filter, m_grouping);
    endResetModel();
    m_stale = inJob;
    if (inJob && m_shown) {
        startBuilding();
    }
}

void TensorTreeModel::startBuilding() {
    m_stale = false;
    m_job.start<TensorTree>([rows = m_rows, filter = m_filter, grouping = m_grouping](
                                const JobContext& job) { return TensorTree::build(*rows, filter, grouping, job); },
                            [this](Result<TensorTree> tree) {
                                if (tree) {
                                    beginResetModel();
                                    m_tree = std::move(*tree);
                                    endResetModel();
                                    emit built();
                                }
                            });
}

const TensorTreeModel::Node& TensorTreeModel::nodeOf(const QModelIndex& index) const {
    return m_tree.nodes[index.isValid() ? index.internalId() : 0];
}

QModelIndex TensorTreeModel::indexOf(TensorIndex tensor) const {
    const std::size_t leaf = tensor.value < m_tree.leafOf.size() ? m_tree.leafOf[tensor.value] : 0;
    return leaf != 0 ? createIndex(m_tree.nodes[leaf].row, 0, leaf) : QModelIndex();
}

std::vector<TensorIndex> TensorTreeModel::tensorsBelow(const QModelIndex& index) const {
    std::vector<TensorIndex> tensors;
    std::vector<std::size_t> open{index.isValid() ? static_cast<std::size_t>(index.internalId()) : 0};
    while (!open.empty()) {
        const Node& node = m_tree.nodes[open.back()];
        open.pop_back();
        if (node.tensor) {
            tensors.push_back(*node.tensor);
        }
        open.insert(open.end(), node.children.rbegin(), node.children.rend());
    }
    return tensors;
}

QModelIndex TensorTreeModel::index(int row, int column, const QModelIndex& parent) const {
    return hasIndex(row, column, parent)
               ? createIndex(row, column, nodeOf(parent).children[static_cast<std::size_t>(row)])
               : QModelIndex();
}

QModelIndex TensorTreeModel::parent(const QModelIndex& index) const {
    const std::size_t parent = nodeOf(index).parent;
    return index.isValid() && parent != 0 ? createIndex(m_tree.nodes[parent].row, 0, parent) : QModelIndex();
}

int TensorTreeModel::rowCount(const QModelIndex& parent) const {
    return parent.column() > 0 ? 0 : static_cast<int>(nodeOf(parent).children.size());
}

int TensorTreeModel::columnCount(const QModelIndex&) const { return kTensorColumns; }

QVariant TensorTreeModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Node& node = nodeOf(index);
    const auto column = static_cast<TensorColumn>(index.column());
    return node.tensor ? m_rows->data(*node.tensor, column, role) : groupData(node, column, role);
}

QVariant TensorTreeModel::groupData(const Node& node, TensorColumn column, int role) const {
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue((isFigure(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role == kTypeIdRole && column == TensorColumn::Type && node.typeId) {
        return *node.typeId;
    }
    if (role == kExactRole && column == TensorColumn::Size) {
        return QVariant::fromValue(quint64{node.bytes});
    }
    if (role == kExactRole && column == TensorColumn::BitsPerWeight && node.weights != 0 && node.bytes != 0) {
        return 8.0 * static_cast<double>(node.bytes) / static_cast<double>(node.weights);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (column) {
    case TensorColumn::Name:
        return node.label;
    case TensorColumn::Type: {
        const TensorInfo sample{.typeId = node.typeId.value_or(0), .ownType = node.ownType};
        return node.typeId ? QString::fromStdString(sample.typeName()) : tr("several");
    }
    case TensorColumn::Shape:
        return tr("%n tensors", nullptr, numerus(node.tensors));
    case TensorColumn::Size:
        return formatBytes(node.bytes);
    case TensorColumn::BitsPerWeight:
        return node.weights != 0 && node.bytes != 0
                   ? formatBitsPerWeight(8.0 * static_cast<double>(node.bytes) / static_cast<double>(node.weights))
                   : QString();
    case TensorColumn::Weights:
        return formatCount(node.weights);
    default:
        return {};
    }
}

QVariant TensorTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    return tensorColumnHeader(section, orientation, role);
}

void TensorTreeModel::summaryReady(TensorIndex tensor) {
    if (const QModelIndex name = indexOf(tensor); name.isValid()) {
        // Views repaint themselves whole for several cells, but nothing for a cell out of sight.
        for (const TensorColumn column : {TensorColumn::Sigma, TensorColumn::Distribution}) {
            const QModelIndex cell = name.siblingAtColumn(static_cast<int>(column));
            emit dataChanged(cell, cell);
        }
    }
}

} // namespace gufo::ui

#include "moc_tensor_tree_model.cpp"
