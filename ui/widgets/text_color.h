// Texts in widgets: labels whose colours follow the theme, and windows that grow with their texts.
#pragma once

#include "ui/theme/theme.h"

#include <QLabel>

namespace gufo::ui {

void setTextColor(QWidget* widget, Token token);

// A label with a text style and a colour that follows the theme.
[[nodiscard]] QLabel* themedLabel(const QString& text, TextStyle style, Token token, QWidget* parent);

// Keeps wrapped texts of a window visible that become longer while it is open. From now on, the window becomes as high
// as its layout needs at its width; it never becomes lower. Qt itself only
// respects the minimum size of a layout, which counts one line of each wrapped label.
void growWithTexts(QWidget* window);

} // namespace gufo::ui
