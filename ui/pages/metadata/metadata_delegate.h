// Paints the Value column of the metadata: the value, and beside a token id the token as a chip.
#pragma once

#include <QStyledItemDelegate>

namespace gufo::ui {

class MetadataDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace gufo::ui
