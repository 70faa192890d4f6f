// Keeps the children of a widget from calling it while they are being deleted.
#pragma once

#include <QObject>

namespace gufo::ui {

// Disconnects the signals of all descendants from `parent`. QWidget deletes children in its own destructor, when the
// parent no longer is an object of its derived class, and they emit signals even then: a header whose section is
// resized, an editor that loses the focus. The destructor of a class that such signals reach calls this first.
inline void disconnectChildren(const QObject& parent) {
    for (const QObject* child : parent.findChildren<QObject*>()) {
        child->disconnect(&parent);
    }
}

} // namespace gufo::ui
