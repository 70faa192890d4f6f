// Cells of the tensor list that show more than text: the type's colour, a small histogram or curve, and a line above
// each block.
#pragma once

#include "ui/widgets/cell_delegate.h"

#include <functional>

namespace gufo::ui {

// The data that a tensor model provides for a row besides text.
enum TensorDataRole {
    kTensorIndexRole = Qt::UserRole, // uint: TensorIndex::value; invalid on group rows
    kTypeIdRole,                     // uint: gives the colour of the square
    kBarsRole,                       // QByteArray: bar heights 0 … 255
    kCurveRole,                      // QByteArray: the lowest and the highest value of each part, 0 … 255
    kGroupStartRole,                 // bool: the row belongs to another block than the row above
};

inline constexpr int kTensorRowHeight = 24;

class TensorCellDelegate : public CellDelegate {
    Q_OBJECT

public:
    // Why a tensor cannot have a name, a sentence; empty if it can.
    using NameCheck = std::function<QString(const QModelIndex& index, const QString& name)>;

    using CellDelegate::CellDelegate;
    void setNameCheck(NameCheck check) { m_nameCheck = std::move(check); }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                        const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;

protected:
    [[nodiscard]] bool isChanged(const QWidget& editor) const override;
    [[nodiscard]] QString problem(const QWidget& editor, const QModelIndex& index) const override;
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    NameCheck m_nameCheck;
};

} // namespace gufo::ui
