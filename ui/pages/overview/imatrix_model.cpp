#include "ui/pages/overview/imatrix_model.h"

#include "model/tensor_role.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/key_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QStringList>

#include <algorithm>
#include <tuple>

namespace gufo::ui {
namespace {

constexpr std::size_t kNameBytes = 200;
constexpr std::size_t kShownChannels = 3;

QString channelText(const ImportantColumn& channel) {
    return QStringLiteral("%1 (%2 %)").arg(formatCount(channel.column), formatReal(100 * channel.share, 3));
}

QString channelsText(const ImatrixRow& entry, std::size_t maximum) {
    QStringList texts;
    for (std::size_t i = 0; i < std::min(maximum, entry.top.size()); ++i) {
        texts << channelText(entry.top[i]);
    }
    return texts.join(QStringLiteral(", "));
}

std::uint32_t blockOf(const std::string& name) { return parseTensorName(name).block.value_or(0); }

bool contains(const std::vector<std::string>& sorted, const std::string& name) {
    return std::ranges::binary_search(sorted, name);
}

} // namespace

void ImatrixModel::setEntries(std::vector<ImatrixRow> entries) {
    beginResetModel();
    m_entries = std::move(entries);
    std::ranges::sort(m_entries, {},
                      [](const ImatrixRow& entry) { return std::pair(blockOf(entry.tensor), entry.tensor); });
    rebuild();
    endResetModel();
}

void ImatrixModel::setPartners(std::optional<ImatrixPartners> partners) {
    beginResetModel();
    m_partners = std::move(partners);
    rebuild();
    endResetModel();
}

void ImatrixModel::rebuild() {
    m_lines.clear();
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const std::string& name = m_entries[i].tensor;
        const Fit fit = !m_partners                                 ? Fit::NotCompared
                        : contains(m_partners->withoutTensor, name) ? Fit::NoTensor
                        : contains(m_partners->otherShape, name)    ? Fit::OtherShape
                                                                    : Fit::Fits;
        m_lines.push_back({.tensor = name, .block = blockOf(name), .entry = i, .fit = fit});
    }
    if (m_partners) {
        for (const std::string& name : m_partners->withoutEntry) {
            m_lines.push_back({.tensor = name, .block = blockOf(name), .fit = Fit::NoEntry});
        }
    }
    sortLines();
}

const ImatrixRow* ImatrixModel::entryAt(int row) const {
    const auto& entry = m_lines[static_cast<std::size_t>(row)].entry;
    return entry ? &m_entries[*entry] : nullptr;
}

int ImatrixModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int ImatrixModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int{ColumnCount}; }

QString ImatrixModel::text(const Line& line, int column) const {
    const ImatrixRow* entry = line.entry ? &m_entries[*line.entry] : nullptr;
    switch (column) {
    case Tensor:
        return headText(line.tensor, kNameBytes);
    case Used:
        return entry == nullptr ? QStringLiteral("—")
                                : tr("%1 of %2").arg(formatCount(entry->used()), formatCount(entry->counts.size()));
    case Rows:
        return entry == nullptr ? QStringLiteral("—") : formatReal(entry->rows(), 12);
    case Channels:
        return entry == nullptr ? QStringLiteral("—") : channelsText(*entry, kShownChannels);
    default:
        break;
    }
    switch (line.fit) {
    case Fit::NotCompared:
        return {};
    case Fit::Fits:
        return tr("fits");
    case Fit::NoEntry:
        return tr("no entry");
    case Fit::NoTensor:
        return tr("no such tensor");
    case Fit::OtherShape:
        return tr("other shape");
    }
    return {};
}

QString ImatrixModel::toolTip(const Line& line, int column) const {
    const ImatrixRow* entry = line.entry ? &m_entries[*line.entry] : nullptr;
    if (column == Channels && entry != nullptr) {
        return tr("Columns with the largest sums of squared inputs, as shares of the tensor's sum: %1")
            .arg(channelsText(*entry, ImatrixRow::kTop));
    }
    if (column == Used && entry != nullptr && entry->used() < entry->counts.size()) {
        return tr("No token was routed to %n matrices. They are quantised without importance.", nullptr,
                  numerus(entry->counts.size() - entry->used()));
    }
    if (column == Partner && line.fit == Fit::NoEntry) {
        return tr("The model has this matrix, but the file says nothing about it. It is quantised without importance.");
    }
    return column == Tensor ? plainToolTip(text(line, Tensor)) : QString();
}

QVariant ImatrixModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const Line& line = m_lines[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return text(line, column);
    case Qt::ToolTipRole:
        return toolTip(line, column);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((column == Used || column == Rows ? Qt::AlignRight : Qt::AlignLeft) |
                                   Qt::AlignVCenter);
    case Qt::ForegroundRole:
        if (column == Partner && line.fit != Fit::Fits) {
            return themeColor(Token::WarningText);
        }
        if (column == Used && line.entry && m_entries[*line.entry].used() < m_entries[*line.entry].counts.size()) {
            return themeColor(Token::WarningText);
        }
        return {};
    default:
        return {};
    }
}

QVariant ImatrixModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue((section == Used || section == Rows ? Qt::AlignRight : Qt::AlignLeft) |
                                   Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Tensor:
        return tr("Tensor");
    case Used:
        return tr("Matrices used");
    case Rows:
        return tr("Rows");
    case Channels:
        return tr("Top channels");
    case Partner:
        return tr("In the model");
    default:
        return {};
    }
}

void ImatrixModel::sortLines() {
    const auto figure = [&](const Line& line) {
        const ImatrixRow* entry = line.entry ? &m_entries[*line.entry] : nullptr;
        switch (m_sortedBy) {
        case Used:
            return entry == nullptr ? -1.0
                                    : static_cast<double>(entry->used()) / static_cast<double>(entry->counts.size());
        case Rows:
            return entry == nullptr ? -1.0 : entry->rows();
        case Channels:
            return entry == nullptr || entry->top.empty() ? -1.0 : entry->top.front().share;
        case Partner:
            return static_cast<double>(line.fit);
        default:
            return 0.0;
        }
    };
    const auto precedes = [&](const Line& a, const Line& b) {
        const double first = figure(a);
        const double second = figure(b);
        return first != second ? first < second : std::tie(a.block, a.tensor) < std::tie(b.block, b.tensor);
    };
    const bool down = m_order == Qt::DescendingOrder;
    std::ranges::sort(m_lines, [&](const Line& a, const Line& b) { return down ? precedes(b, a) : precedes(a, b); });
}

void ImatrixModel::sort(int column, Qt::SortOrder order) {
    if (column < 0 || column >= ColumnCount) {
        return;
    }
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<std::string> names;
    for (const QModelIndex& index : before) {
        names.push_back(m_lines[static_cast<std::size_t>(index.row())].tensor);
    }
    m_sortedBy = column;
    m_order = order;
    sortLines();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        const auto line = std::ranges::find(m_lines, names[static_cast<std::size_t>(i)], &Line::tensor);
        after << index(static_cast<int>(line - m_lines.begin()), before[i].column());
    }
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

} // namespace gufo::ui
