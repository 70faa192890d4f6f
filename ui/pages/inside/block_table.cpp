#include "ui/pages/inside/block_table.h"

#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/table_text.h"

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr float kFullGround = 0.6F; // the opacity of the ground of a full strength

} // namespace

void BlockTable::setRows(QStringList columns, int numbers, std::vector<Row> rows) {
    beginResetModel();
    m_columns = std::move(columns);
    m_numbers = numbers;
    m_rows = std::move(rows);
    endResetModel();
}

std::optional<int> BlockTable::markedRow() const {
    const auto row = std::ranges::find_if(m_rows, &Row::marked);
    return row != m_rows.end() ? std::optional(static_cast<int>(row - m_rows.begin())) : std::nullopt;
}

int BlockTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int BlockTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant BlockTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const Row& row = rowAt(index.row());
    const Cell& cell = row.cells[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case kExactRole:
        return cell.exact;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((index.column() < m_numbers ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        return cell.toolTip.isEmpty() ? QVariant() : plainToolTip(cell.toolTip);
    case Qt::ForegroundRole:
        return themeColor(index.column() == 0 && !row.marked ? Token::Muted : Token::Text);
    case Qt::FontRole:
        if (row.marked) {
            QFont font = themeFont(TextStyle::Table);
            font.setBold(true);
            return font;
        }
        return {};
    case Qt::BackgroundRole: {
        if (row.marked && cell.strength == 0) {
            return themeColor(Token::ChangedRow);
        }
        if (!(cell.strength > 0)) { // also NaN
            return {};
        }
        QColor ground = themeColor(Token::Accent);
        ground.setAlphaF(kFullGround * std::min(cell.strength, 1.0F));
        return ground;
    }
    default:
        return {};
    }
}

QVariant BlockTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue((section < m_numbers ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    return role == Qt::DisplayRole ? QVariant(m_columns.value(section)) : QVariant();
}

} // namespace gufo::ui

#include "moc_block_table.cpp"
