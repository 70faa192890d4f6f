// Edits cells with a ValueEditor. The model gives the ValueSubject and the Value, and takes an OwnedValue:
//
//     data(index, kValueSubjectRole)  QVariant of ValueSubject
//     data(index, Qt::EditRole)       QVariant of OwnedValue
//     setData(index, QVariant of OwnedValue, Qt::EditRole)
//
// Return and Tab commit, Escape gives up; text that is no value stays in the field, with the reason beside it.
#pragma once

#include "ui/widgets/value_editor.h"

#include <QStyledItemDelegate>

namespace gufo::ui {

inline constexpr int kValueSubjectRole = Qt::UserRole + 100;
// QString: what the value was in the file, where it is another now.
inline constexpr int kBeforeTextRole = Qt::UserRole + 101;
// bool: the row has an unsaved change; kAddedRole: it is not in the file.
inline constexpr int kChangedRole = Qt::UserRole + 102;
inline constexpr int kAddedRole = Qt::UserRole + 103;

class ValueDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                        const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const override;

signals:
    void pickRequested(const QModelIndex& index) const; // another token for this cell

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    // What else stands in the cell, from `left` on; returns where that ends.
    virtual int paintBeside(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                            int left) const;

private:
    void commit(ValueEditor* editor, EndEditHint hint);
    void close(ValueEditor* editor, EndEditHint hint);
};

// The bar at the left edge of a changed row.
void paintChangeBar(QPainter& painter, const QRect& row, bool added);

} // namespace gufo::ui
