#include "ui/pages/overview/matrix_table.h"

#include "ui/theme/theme.h"
#include "ui/widgets/rows_table.h"

#include <QHeaderView>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace gufo::ui {
namespace {

constexpr int kRowHeight = 24;
constexpr int kTableHeight = 320;

QVariant alignment(bool right) {
    return QVariant::fromValue((right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

} // namespace

int MatrixTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int MatrixTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_columns; }

QVariant MatrixTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const std::size_t line = lineAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(line, index.column());
    case Qt::ToolTipRole:
        return toolTip(line, index.column());
    case Qt::TextAlignmentRole:
        return alignment(isFigure(index.column()));
    case Qt::ForegroundRole:
        return isWarning(line, index.column()) ? QVariant(themeColor(Token::WarningText)) : QVariant();
    default:
        return {};
    }
}

QVariant MatrixTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
        return title(section);
    case Qt::ToolTipRole:
        return titleToolTip(section);
    case Qt::TextAlignmentRole:
        return alignment(isFigure(section));
    default:
        return {};
    }
}

void MatrixTableModel::arrange(std::size_t lines) {
    m_rows.resize(lines);
    std::iota(m_rows.begin(), m_rows.end(), std::size_t{0});
    sortRows();
}

void MatrixTableModel::sortRows() {
    const auto key = [this](std::size_t line) { return std::tuple(figure(line, m_sortedBy), placeOf(line)); };
    if (m_order == Qt::AscendingOrder) {
        std::ranges::sort(m_rows, std::less{}, key);
    } else {
        std::ranges::sort(m_rows, std::greater{}, key);
    }
}

void MatrixTableModel::sort(int column, Qt::SortOrder order) {
    if (column < 0 || column >= m_columns) {
        return;
    }
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<std::size_t> lines;
    for (const QModelIndex& index : before) {
        lines.push_back(lineAt(index.row()));
    }
    m_sortedBy = column;
    m_order = order;
    sortRows();
    std::vector<int> rowOf(m_rows.size());
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        rowOf[m_rows[row]] = static_cast<int>(row);
    }
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        after << index(rowOf[lines[static_cast<std::size_t>(i)]], before[i].column());
    }
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

QTableView* makeMatrixTable(const QString& accessibleName, MatrixTableModel* model, std::span<const int> widths,
                            QWidget* parent) {
    QTableView* view = makeRowsTable(accessibleName, model, kRowHeight, parent);
    view->setFrameShape(QFrame::StyledPanel);
    view->setFont(themeFont(TextStyle::Table));
    view->setSortingEnabled(true);
    view->sortByColumn(0, Qt::AscendingOrder);
    view->setMinimumHeight(kTableHeight);
    view->horizontalHeader()->setStretchLastSection(true);
    for (std::size_t column = 0; column < widths.size(); ++column) {
        view->setColumnWidth(static_cast<int>(column), widths[column]);
    }
    return view;
}

} // namespace gufo::ui

#include "moc_matrix_table.cpp"
