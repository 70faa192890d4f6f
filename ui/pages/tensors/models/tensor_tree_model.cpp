#include "ui/pages/tensors/models/tensor_tree_model.h"

#include "ui/messages/format.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace gufo::ui {

TensorTreeModel::TensorTreeModel(const TensorSummaries* summaries, QObject* parent)
    : QAbstractItemModel(parent)
    , m_nodes(1) {
    connect(summaries, &TensorSummaries::ready, this, &TensorTreeModel::summaryReady);
}

void TensorTreeModel::setRows(std::shared_ptr<const TensorRows> rows) {
    beginResetModel();
    m_rows = std::move(rows);
    build();
    endResetModel();
}

// The labels from the outermost group to this one.
QString TensorTreeModel::groupPath(std::size_t node) const {
    QString path;
    for (; node != 0; node = m_nodes[node].parent) {
        path = m_nodes[node].label + QChar(u'\n') + path;
    }
    return path;
}

void TensorTreeModel::follow(std::shared_ptr<const TensorRows> rows, const std::vector<TensorMove>& moves) {
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
    build();
    std::map<QString, std::size_t> groups;
    for (std::size_t node = 1; node < m_nodes.size(); ++node) {
        if (!m_nodes[node].tensor) {
            groups.emplace(groupPath(node), node);
        }
    }
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        const Held& was = held[static_cast<std::size_t>(i)];
        const auto group = groups.find(was.group);
        const QModelIndex now = was.tensor              ? indexOf(*was.tensor)
                                : group != groups.end() ? createIndex(m_nodes[group->second].row, 0, group->second)
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

void TensorTreeModel::setFilter(TensorFilter filter) {
    m_filter = std::move(filter);
    rebuild();
}

void TensorTreeModel::rebuild() {
    beginResetModel();
    build();
    endResetModel();
}

// The groups that a tensor stands in, outermost first.
QStringList TensorTreeModel::pathOf(TensorIndex tensor) const {
    const TensorName& name = m_rows->parsed(tensor);
    const QString role = displayText(name.prefix) + displayText(name.role);
    const QString block = name.block ? displayText(name.prefix) + QStringLiteral("blk.%1").arg(*name.block) : QString();
    QStringList path;
    if (m_grouping == Grouping::Blocks) {
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

bool TensorTreeModel::before(TensorIndex a, TensorIndex b) const {
    const auto key = [this](TensorIndex tensor) {
        const TensorName& name = m_rows->parsed(tensor);
        const int order = name.fact != nullptr ? name.fact->order : std::numeric_limits<int>::max();
        const std::int64_t block = name.block ? std::int64_t(*name.block) : -1; // without a block: first
        const std::int64_t group = m_grouping == Grouping::Blocks ? block : std::int64_t(block >= 0);
        return std::tuple(name.prefix, group, order, name.role, block, name.expert.value_or(0), tensor);
    };
    return key(a) < key(b);
}

void TensorTreeModel::build() {
    m_nodes.assign(1, {});
    if (m_rows == nullptr) {
        return;
    }
    m_leafOf.assign(m_rows->count(), 0);
    std::vector<TensorIndex> shown;
    for (std::size_t i = 0; i < m_rows->count(); ++i) {
        const TensorIndex tensor(i);
        if (m_filter.matches(m_rows->info(tensor), m_rows->name(tensor))) {
            shown.push_back(tensor);
        }
    }
    std::ranges::sort(shown, [this](TensorIndex a, TensorIndex b) { return before(a, b); });
    std::map<std::pair<std::size_t, QString>, std::size_t> groups;
    for (const TensorIndex tensor : shown) {
        std::size_t parent = 0;
        for (const QString& label : pathOf(tensor)) {
            const auto [found, isNew] = groups.try_emplace({parent, label}, 0);
            if (isNew) {
                found->second = addNode(parent, label, {});
            }
            parent = found->second;
        }
        m_leafOf[tensor.value] = addNode(parent, m_rows->name(tensor), tensor);
        addUp(tensor, m_leafOf[tensor.value]);
    }
}

std::size_t TensorTreeModel::addNode(std::size_t parent, QString label, std::optional<TensorIndex> tensor) {
    const std::size_t id = m_nodes.size();
    m_nodes.push_back({.parent = parent,
                       .row = static_cast<int>(m_nodes[parent].children.size()),
                       .label = std::move(label),
                       .tensor = tensor});
    m_nodes[parent].children.push_back(id);
    return id;
}

void TensorTreeModel::addUp(TensorIndex tensor, std::size_t leaf) {
    const TensorInfo& info = m_rows->info(tensor);
    for (std::size_t id = leaf; id != 0; id = m_nodes[id].parent) {
        Node& node = m_nodes[id];
        node.typeId = node.tensors == 0 || node.typeId == info.typeId ? std::optional(info.typeId) : std::nullopt;
        ++node.tensors;
        node.weights += info.weights();
        node.bytes += info.bytes.value_or(0);
    }
}

const TensorTreeModel::Node& TensorTreeModel::nodeOf(const QModelIndex& index) const {
    return m_nodes[index.isValid() ? index.internalId() : 0];
}

QModelIndex TensorTreeModel::indexOf(TensorIndex tensor) const {
    const std::size_t leaf = tensor.value < m_leafOf.size() ? m_leafOf[tensor.value] : 0;
    return leaf != 0 ? createIndex(m_nodes[leaf].row, 0, leaf) : QModelIndex();
}

std::vector<TensorIndex> TensorTreeModel::tensorsBelow(const QModelIndex& index) const {
    std::vector<TensorIndex> tensors;
    std::vector<std::size_t> open{index.isValid() ? static_cast<std::size_t>(index.internalId()) : 0};
    while (!open.empty()) {
        const Node& node = m_nodes[open.back()];
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
    return index.isValid() && parent != 0 ? createIndex(m_nodes[parent].row, 0, parent) : QModelIndex();
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
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (column) {
    case TensorColumn::Name:
        return node.label;
    case TensorColumn::Type: {
        const TensorInfo sample{.name = {}, .typeId = node.typeId.value_or(0)};
        return node.typeId ? QString::fromStdString(sample.typeName()) : tr("several");
    }
    case TensorColumn::Shape:
        return node.tensors == 1 ? tr("1 tensor") : tr("%1 tensors").arg(formatCount(node.tensors));
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
    if (orientation != Qt::Horizontal || section < 0 || section >= kTensorColumns) {
        return {};
    }
    const auto column = static_cast<TensorColumn>(section);
    switch (role) {
    case Qt::DisplayRole:
        return tensorColumnTitle(column);
    case Qt::ToolTipRole:
        return tensorColumnToolTip(column);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((isFigure(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default:
        return {};
    }
}

void TensorTreeModel::summaryReady(TensorIndex tensor) {
    if (const QModelIndex name = indexOf(tensor); name.isValid()) {
        emit dataChanged(name.siblingAtColumn(static_cast<int>(TensorColumn::Sigma)),
                         name.siblingAtColumn(static_cast<int>(TensorColumn::Distribution)));
    }
}

} // namespace gufo::ui
