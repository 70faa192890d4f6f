#include "ui/widgets/table_text.h"

#include "ui/messages/catalogue.h"

#include <QAbstractItemView>
#include <QCoreApplication>
#include <QHeaderView>
#include <QLocale>
#include <QRegularExpression>
#include <QTableView>
#include <QTreeView>

#include <algorithm>
#include <array>
#include <charconv>

namespace gufo::ui {

namespace {

QString singleLine(QString cell) {
    for (QChar& c : cell) {
        if (c == u'\t' || c == u'\n' || c == u'\r') {
            c = u' ';
        }
    }
    return cell;
}

QString markdownCell(const QString& cell) {
    return singleLine(cell).replace(u'\\', QStringLiteral("\\\\")).replace(u'|', QStringLiteral("\\|"));
}

QString alignedText(const QList<QStringList>& lines) {
    QList<qsizetype> widths;
    for (const QStringList& line : lines) {
        widths.resize(std::max(widths.size(), line.size()));
        for (qsizetype i = 0; i < line.size(); ++i) {
            widths[i] = std::max(widths[i], line[i].size());
        }
    }
    QString text;
    for (const QStringList& line : lines) {
        QString row;
        for (qsizetype i = 0; i < line.size(); ++i) {
            row += i + 1 < line.size() ? line[i].leftJustified(widths[i] + 2) : line[i];
        }
        while (row.endsWith(u' ')) {
            row.chop(1);
        }
        text += row + u'\n';
    }
    return text;
}

// Calls `visit` for every row of the view in order, as long as it returns true. In a tree, children follow their parent
// if it is expanded. Up to kMaxCopiedRows rows are fetched from a model that loads them lazily.
template<typename Visit>
bool visitRows(QAbstractItemModel& model, const QModelIndex& parent, const QTreeView* tree, const Visit& visit) {
    for (int row = 0;; ++row) {
        while (row == model.rowCount(parent) && row < kMaxCopiedRows && model.canFetchMore(parent)) {
            model.fetchMore(parent);
        }
        if (row >= model.rowCount(parent)) {
            break;
        }
        const QModelIndex index = model.index(row, 0, parent);
        if (!visit(index)) {
            return false;
        }
        if (tree != nullptr && tree->isExpanded(index) && !visitRows(model, index, tree, visit)) {
            return false;
        }
    }
    return true;
}

QString cellText(const QModelIndex& cell, CopyFormat format) {
    if (format == CopyFormat::Text) {
        return cell.data().toString();
    }
    const QVariant exact = cell.data(kExactRole);
    switch (exact.typeId()) {
    case QMetaType::UnknownType:
        break;
    case QMetaType::Double:
        return exactText(exact.toDouble());
    case QMetaType::Float:
        return exactText(exact.toFloat());
    default:
        return exact.toString();
    }
    const QString text = cell.data().toString();
    const bool isFigure = (cell.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight) != 0;
    return isFigure ? plainFigure(text) : text;
}

QList<int> shownColumns(const QAbstractItemView& view) {
    const QHeaderView* header = nullptr;
    if (const auto* table = qobject_cast<const QTableView*>(&view)) {
        header = table->horizontalHeader();
    } else if (const auto* tree = qobject_cast<const QTreeView*>(&view)) {
        header = tree->header();
    }
    QList<int> columns;
    for (int i = 0; i < view.model()->columnCount(view.rootIndex()); ++i) {
        const int logical = header != nullptr ? header->logicalIndex(i) : i;
        if (header == nullptr || !header->isSectionHidden(logical)) {
            columns << logical;
        }
    }
    return columns;
}

} // namespace

QString tableText(CopyFormat format, const QStringList& header, const QList<QStringList>& rows) {
    if (format == CopyFormat::Markdown) {
        const auto line = [](const QStringList& cells) {
            QStringList escaped;
            std::ranges::transform(cells, std::back_inserter(escaped), markdownCell);
            return QStringLiteral("| ") + escaped.join(QStringLiteral(" | ")) + QStringLiteral(" |\n");
        };
        QString text = line(header) + line(QStringList(header.size(), QStringLiteral("---")));
        for (const QStringList& row : rows) {
            text += line(row);
        }
        return text;
    }
    QList<QStringList> lines{header};
    lines += rows;
    for (QStringList& cells : lines) {
        std::ranges::transform(cells, cells.begin(), singleLine);
    }
    if (format == CopyFormat::Text) {
        return alignedText(lines);
    }
    QString text;
    for (const QStringList& cells : lines) {
        text += cells.join(u'\t') + u'\n';
    }
    return text;
}

QString viewText(const QAbstractItemView& view, CopyFormat format) {
    QAbstractItemModel* model = view.model();
    if (model == nullptr) {
        return {};
    }
    const QList<int> columns = shownColumns(view);
    QStringList header;
    for (const int column : columns) {
        header << model->headerData(column, Qt::Horizontal).toString();
    }
    QList<QStringList> rows;
    quint64 left = 0;
    bool leftUncounted = false; // rows that were not fetched from the model
    const auto add = [&](const QModelIndex& index) {
        if (rows.size() == kMaxCopiedRows) {
            ++left;
            return true;
        }
        QStringList cells;
        for (const int column : columns) {
            cells << cellText(index.siblingAtColumn(column), format);
        }
        rows << cells;
        return true;
    };
    const QItemSelection selection =
        view.selectionModel() != nullptr ? view.selectionModel()->selection() : QItemSelection();
    const auto* tree = qobject_cast<const QTreeView*>(&view);
    if (selection.isEmpty()) {
        visitRows(*model, view.rootIndex(), tree, add);
        leftUncounted = model->canFetchMore(view.rootIndex());
    } else if (tree != nullptr) {
        visitRows(*model, view.rootIndex(), tree,
                  [&](const QModelIndex& index) { return !selection.contains(index) || add(index); });
    } else {
        QList<QPair<int, int>> ranges; // entire rows, whichever columns are selected
        for (const QItemSelectionRange& range : selection) {
            ranges << qMakePair(range.top(), range.bottom());
        }
        std::ranges::sort(ranges);
        int next = 0;
        for (const auto& [top, bottom] : ranges) {
            for (int row = std::max(top, next); row <= bottom; ++row) {
                if (rows.size() == kMaxCopiedRows) {
                    left += static_cast<quint64>(bottom - row + 1);
                    break;
                }
                add(model->index(row, 0, view.rootIndex()));
            }
            next = std::max(next, bottom + 1);
        }
    }
    QString text = tableText(format, header, rows);
    if (leftUncounted) {
        text += QCoreApplication::translate("gufo::ui", "… and more rows") + u'\n';
    } else if (left != 0) {
        text += QCoreApplication::translate("gufo::ui", "… and %n more rows", nullptr, numerus(left)) + u'\n';
    }
    return text;
}

namespace {

template<typename T>
QString shortest(T value) {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return QString::fromLatin1(buffer.data(), static_cast<qsizetype>(end - buffer.data()));
}

} // namespace

QString exactText(double value) { return shortest(value); }

QString exactText(float value) { return shortest(value); }

QString plainFigure(QString text) {
    static const QRegularExpression separator(QStringLiteral("(?<=[0-9]),(?=[0-9]{3}(?![0-9]))"));
    text.remove(separator);
    return text.replace(QChar(0x2212), QLatin1Char('-')).replace(QChar(0x221E), QStringLiteral("inf"));
}

} // namespace gufo::ui
