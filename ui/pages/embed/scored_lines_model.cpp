#include "ui/pages/embed/scored_lines_model.h"

#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/table_text.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace gufo::ui {
namespace {

constexpr int kDigits = 4;
constexpr std::size_t kToolTipBytes = 2'000;

} // namespace

void ScoredLinesModel::setRows(std::shared_ptr<const TextLines> lines, QStringList figures, std::vector<Row> rows) {
    beginResetModel();
    m_lines = std::move(lines);
    m_figures = std::move(figures);
    m_rows = std::move(rows);
    endResetModel();
    if (!m_figures.isEmpty()) {
        sort(0, Qt::DescendingOrder);
    }
}

int ScoredLinesModel::rowOfLine(std::size_t line) const {
    const auto row = std::ranges::find(m_rows, line, &Row::line);
    return row != m_rows.end() ? static_cast<int>(row - m_rows.begin()) : -1;
}

int ScoredLinesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ScoredLinesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : figureCount() + 2; }

QVariant ScoredLinesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const Row& row = rowAt(index.row());
    if (index.column() < figureCount()) {
        const float figure = row.figures[static_cast<std::size_t>(index.column())];
        switch (role) {
        case Qt::DisplayRole:
            return std::isnan(figure)
                       ? QString(QChar(0x2013))
                       : QString::number(static_cast<double>(figure), 'f', kDigits).replace(u'-', QChar(0x2212));
        case kExactRole:
            return std::isnan(figure) ? QString() : exactText(figure);
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
        case Qt::ToolTipRole:
            return std::isnan(figure) ? tr("There is no figure: the vector of the text is zero or has elements that "
                                           "are no numbers.")
                                      : exactText(figure);
        default:
            return {};
        }
    }
    if (index.column() == figureCount()) {
        switch (role) {
        case Qt::DisplayRole:
            return formatCount(m_lines->numbers[row.line]);
        case kExactRole:
            return static_cast<qulonglong>(m_lines->numbers[row.line]);
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
        case Qt::ForegroundRole:
            return themeColor(Token::Muted);
        default:
            return {};
        }
    }
    switch (role) {
    case Qt::DisplayRole:
        return excerpt(m_lines->texts[row.line]);
    case Qt::ToolTipRole:
        return plainToolTip(excerpt(m_lines->texts[row.line], kToolTipBytes));
    default:
        return {};
    }
}

QVariant ScoredLinesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue((section <= figureCount() ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    return section < figureCount() ? m_figures[section] : section == figureCount() ? tr("Line") : tr("Text");
}

void ScoredLinesModel::sort(int column, Qt::SortOrder order) {
    if (column < 0 || column >= columnCount() || m_rows.empty()) {
        return;
    }
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<std::size_t> lines;
    for (const QModelIndex& index : before) {
        lines.push_back(rowAt(index.row()).line);
    }
    const bool down = order == Qt::DescendingOrder;
    if (column < figureCount()) {
        const auto figure = static_cast<std::size_t>(column);
        std::ranges::sort(m_rows, {}, [&](const Row& row) { // NaN comes last in both directions
            const float value = row.figures[figure];
            const bool none = std::isnan(value);
            return std::tuple(none, none ? 0.0F : down ? -value : value, row.line);
        });
    } else {
        const auto precedes = [&](const Row& a, const Row& b) {
            if (column == figureCount()) {
                return a.line < b.line;
            }
            return std::tie(m_lines->texts[a.line], a.line) < std::tie(m_lines->texts[b.line], b.line);
        };
        std::ranges::sort(m_rows, [&](const Row& a, const Row& b) { return down ? precedes(b, a) : precedes(a, b); });
    }
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        after << index(rowOfLine(lines[static_cast<std::size_t>(i)]), before[i].column());
    }
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

} // namespace gufo::ui

#include "moc_scored_lines_model.cpp"
