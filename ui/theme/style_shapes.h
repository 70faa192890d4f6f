// Drawing that the parts of the style share.
#pragma once

#include "ui/theme/theme.h"

#include <QPainter>
#include <QRectF>
#include <QStyleOption>

namespace gufo::ui {

// A filled rounded box with a 1 px outline inside `rect`; a transparent outline leaves it out.
void drawBox(QPainter* painter, const QRect& rect, const QColor& fill, const QColor& outline, double radius);

// The keyboard focus: a 1.6 px ring in the accent colour inside `rect`.
void drawFocusRing(QPainter* painter, const QRect& rect, double radius);

// An icon of the set, centred in `rect`.
void drawIcon(QPainter* painter, const QRect& rect, const QString& name, Token token, int size);

// Focus that came by keyboard, or of a field that takes typing.
[[nodiscard]] bool showsFocus(const QStyleOption* option);

} // namespace gufo::ui
