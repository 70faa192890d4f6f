// Makes a flat button with an icon, whose name is its tooltip and what a screen reader announces.
#pragma once

#include "ui/theme/theme.h"

#include <QToolButton>

namespace gufo::ui {

[[nodiscard]] QToolButton* makeToolButton(const QString& icon, const QString& name, QWidget* parent,
                                          Token color = Token::Text);

} // namespace gufo::ui
