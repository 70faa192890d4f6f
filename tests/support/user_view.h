// Finds controls as a user does: by their text or by the name that a screen reader announces. If a widget has only one
// child of a class, findChild() is enough.
#pragma once

#include <QAbstractButton>
#include <QWidget>

#include <type_traits>

namespace gufo::test {

// Returns the control with this name, or null.
template<typename Control>
Control* named(const QWidget* in, const char* name) {
    for (Control* control : in->findChildren<Control*>()) {
        QString words;
        if constexpr (std::is_base_of_v<QAbstractButton, Control>) {
            words = control->text().remove(QLatin1Char('&'));
        }
        if (words == QLatin1String(name) || control->accessibleName() == QLatin1String(name)) {
            return control;
        }
    }
    return nullptr;
}

} // namespace gufo::test
