// Names and roles of controls for screen readers, where Qt has none.
#pragma once

#include <QAccessible>

class QWidget;

namespace gufo::ui {

// On Linux, Qt announces a combo box by its current text alone, the line of an editable one by nothing, and the button
// that clears a field by nothing. Gives them names; Style does so before a widget is first shown.
void completeSpokenNames(QWidget* widget);

// For a widget that paints itself, which Qt would announce as a mere container. Call it in the constructor, before
// the widget gets a name.
void setSpokenRole(QWidget* widget, QAccessible::Role role);

} // namespace gufo::ui
