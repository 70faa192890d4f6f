// Paints the lines of two texts side by side: long ones are wrapped, and the words that changed are marked.
#pragma once

#include <QStyledItemDelegate>

namespace gufo::ui {

class SideBySideModel;

class WrappedLineDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    WrappedLineDelegate(const SideBySideModel& model, QObject* parent);
    // The height that a row needs if both texts have this width.
    [[nodiscard]] int heightOf(int row, int width) const;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const SideBySideModel& m_model;
};

} // namespace gufo::ui
