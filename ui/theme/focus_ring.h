// Shows the keyboard focus of widgets that do not paint it themselves.
#pragma once

class QWidget;

namespace gufo::ui {

// From now on, a ring is shown inside the widget's edges while it has the focus, if a key has given it. Style does so for
// tables, lists and labels that can have the focus; widgets that paint themselves call it in their constructor.
void addFocusRing(QWidget* widget);

} // namespace gufo::ui
