// Drawing functions that the parts of the style share.
#pragma once

#include "ui/theme/theme.h"

#include <QPainter>
#include <QRectF>
#include <QStyle>
#include <QStyleOption>

namespace gufo::ui {

// Draws a filled rounded box with a 1 px outline inside `rect`. Use a transparent outline for none.
void drawBox(QPainter* painter, const QRect& rect, const QColor& fill, const QColor& outline, double radius);

// Draws the keyboard focus as a 1.6 px ring in the accent colour inside `rect`.
void drawFocusRing(QPainter* painter, const QRect& rect, double radius);

// Draws an icon of the set, centred in `rect`.
void drawIcon(QPainter* painter, const QRect& rect, const QString& name, Token token, int size);

// Whether to show the focus: it came by keyboard, or the widget is a text field.
[[nodiscard]] bool showsFocus(const QStyleOption* option);

[[nodiscard]] inline bool has(const QStyleOption* option, QStyle::StateFlag state) {
    return (option->state & state) != 0;
}

} // namespace gufo::ui
