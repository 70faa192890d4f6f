// Keeps wrapped texts of a window visible that become longer while it is open.
#pragma once

class QWidget;

namespace gufo::ui {

// From now on, the window becomes as high as its layout needs at its width; it never becomes lower. Qt itself only
// respects the minimum size of a layout, which counts one line of each wrapped label.
void growWithTexts(QWidget* window);

} // namespace gufo::ui
