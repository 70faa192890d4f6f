// Cells of the tensor list that are more than text: the type's colour, the small distribution, a line above each block.
#pragma once

#include <QStyledItemDelegate>

namespace gufo::ui {

// What a model of tensors says of a row beside its text.
enum TensorDataRole {
    kTensorIndexRole = Qt::UserRole, // uint: TensorIndex::value; invalid on group rows
    kTypeIdRole,                     // uint: of the colour square
    kBarsRole,                       // QByteArray: heights 0 … 255
    kGroupStartRole,                 // bool: the first row of another block than the row above
};

inline constexpr int kTensorRowHeight = 24;

class TensorCellDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

} // namespace gufo::ui
