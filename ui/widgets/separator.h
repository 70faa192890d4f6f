// Makes a line of one pixel between parts of a page.
#pragma once

#include <QFrame>

namespace gufo::ui {

// `orientation` is that of the line.
[[nodiscard]] QFrame* makeSeparator(Qt::Orientation orientation, QWidget* parent);

} // namespace gufo::ui
