// Paints rows of name and figure with a line below each over the full width.
#pragma once

#include <QStyledItemDelegate>

namespace gufo::ui {

class StatisticsDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace gufo::ui
