// Keeps the focus where the user is when a button that starts something long is disabled.
#pragma once

#include <QWidget>

namespace gufo::ui {

// Enables or disables a control. Qt passes the focus of a control that is disabled to the next one in the window, which
// may be on another panel. Instead, `standIn` has it until the control is enabled again.
inline void setEnabledKeepingFocus(QWidget& control, bool enabled, QWidget& standIn) {
    constexpr const char* kReturns = "returnsFocus";
    if (!enabled && control.hasFocus()) {
        standIn.setFocus(Qt::OtherFocusReason);
        control.setProperty(kReturns, true);
    }
    control.setEnabled(enabled);
    if (enabled && control.property(kReturns).toBool()) {
        control.setProperty(kReturns, {});
        if (standIn.hasFocus()) {
            control.setFocus(Qt::OtherFocusReason);
        }
    }
}

} // namespace gufo::ui
