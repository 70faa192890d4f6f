// Edits cells with a ValueEditor. The model provides the ValueSubject and the value, and receives an OwnedValue:
//
//    data(index, kValueSubjectRole)  QVariant of ValueSubject
//    data(index, Qt::EditRole)       QVariant of OwnedValue
//    setData(index, QVariant of OwnedValue, Qt::EditRole)
//
// setData() returns false if the value was refused.
#pragma once

#include "ui/widgets/cell_delegate.h"
#include "ui/widgets/value_editor.h"

namespace gufo::ui {

inline constexpr int kValueSubjectRole = Qt::UserRole + 100;
// QString: the value in the file, if it was changed.
inline constexpr int kBeforeTextRole = Qt::UserRole + 101;
// bool: the row has an unsaved change; kAddedRole: the row is not in the file.
inline constexpr int kChangedRole = Qt::UserRole + 102;
inline constexpr int kAddedRole = Qt::UserRole + 103;

class ValueDelegate : public CellDelegate {
    Q_OBJECT

public:
    using CellDelegate::CellDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                        const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const override;

signals:
    void pickRequested(const QModelIndex& index) const; // the user wants to pick another token for this cell

protected:
    [[nodiscard]] bool isChanged(const QWidget& editor) const override;
    [[nodiscard]] QString problem(const QWidget& editor, const QModelIndex& index) const override;
    [[nodiscard]] QAbstractItemView* completions(const QWidget& editor) const override;
    void hidePopups(QWidget& editor) const override;
    bool handleKey(QWidget& editor, int key) override;
    // Paints additional content of the cell from `left` on. Returns its right end.
    virtual int paintBeside(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                            int left) const;
};

// Paints the bar at the left edge of a changed row.
void paintChangeBar(QPainter& painter, const QRect& row, bool added);

} // namespace gufo::ui
