// The strip of controls above a table, its flat buttons, and lines between parts of a page.
#pragma once

#include "ui/theme/theme.h"

#include <QFrame>
#include <QToolButton>
#include <QWidget>

namespace gufo::ui {

class ToolStrip : public QWidget {
    Q_OBJECT

public:
    explicit ToolStrip(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

// Makes a line of one pixel between parts of a page, which runs in that orientation.
[[nodiscard]] QFrame* makeSeparator(Qt::Orientation orientation, QWidget* parent);

// Makes a flat button with an icon, whose name is its tooltip and what a screen reader announces.
[[nodiscard]] QToolButton* makeToolButton(const QString& icon, const QString& name, QWidget* parent,
                                          Token color = Token::Text);

} // namespace gufo::ui
