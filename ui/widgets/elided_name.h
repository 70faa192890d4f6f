// Elides names of files in the middle. The end of a name, usually the quantisation, tells it from its neighbours and is
// kept: "Qwen3-4B-Ins…Q4_K_M".
#pragma once

#include <QFontMetrics>
#include <QString>
#include <QStyledItemDelegate>

namespace gufo::ui {

// Returns the name, shortened to `width` pixels if necessary.
[[nodiscard]] QString elidedName(const QFontMetrics& metrics, const QString& name, int width);
// The width from which on elidedName() keeps the end and a few characters of the beginning.
[[nodiscard]] int leastNameWidth(const QFontMetrics& metrics, const QString& name);

// Elides the texts of a column of names in this way.
class NameDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

} // namespace gufo::ui
