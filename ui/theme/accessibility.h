// What the keyboard and screen readers need where Qt has nothing: names and roles of controls, and a ring around what
// has the focus.
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

// From now on, a ring is shown inside the widget's edges while it has the focus, if a key has given it. Style does so
// for tables, lists and labels that can have the focus; widgets that paint themselves call it in their constructor.
void addFocusRing(QWidget* widget);

} // namespace gufo::ui
