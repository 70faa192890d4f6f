// Widgets whose text has one of the theme's colours.
#pragma once

#include "ui/theme/theme.h"

#include <QLabel>

namespace gufo::ui {

void setTextColor(QWidget* widget, Token token);

// A label with a text style and a colour that follows the theme.
[[nodiscard]] QLabel* themedLabel(const QString& text, TextStyle style, Token token, QWidget* parent);

} // namespace gufo::ui
