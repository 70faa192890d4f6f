#include "ui/theme/spoken_names.h"

#include <QAccessibleWidget>
#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QLineEdit>
#include <QToolButton>
#include <QVariant>

namespace gufo::ui {
namespace {

// Where no label says what a combo box is for, its description does; without one, that would be the tool tip.
void describe(QComboBox& box) {
    const QString name = box.accessibleName();
    const QString tip = box.toolTip();
    if (!name.isEmpty()) {
        box.setAccessibleDescription(tip.isEmpty() || tip == name ? name : name + QStringLiteral("; ") + tip);
    }
}

class ToolTipWatch : public QObject {
public:
    bool eventFilter(QObject* object, QEvent* event) override {
        if (auto* box = qobject_cast<QComboBox*>(object); box != nullptr && event->type() == QEvent::ToolTipChange) {
            describe(*box);
        }
        return false;
    }
};

constexpr const char* kRoleProperty = "spokenRole";

QAccessibleInterface* withSpokenRole(const QString& /*className*/, QObject* object) {
    const QVariant role = object->property(kRoleProperty);
    return role.isValid()
               ? new QAccessibleWidget(static_cast<QWidget*>(object), static_cast<QAccessible::Role>(role.toInt()))
               : nullptr;
}

} // namespace

void completeSpokenNames(QWidget* widget) {
    static ToolTipWatch watch;
    if (auto* box = qobject_cast<QComboBox*>(widget)) {
        describe(*box);
        box->installEventFilter(&watch);
        if (QLineEdit* line = box->lineEdit(); line != nullptr && line->accessibleName().isEmpty()) {
            line->setAccessibleName(box->accessibleName());
        }
    } else if (auto* line = qobject_cast<QLineEdit*>(widget)) {
        // A text of its action would show the button in an empty field too.
        auto* clear = line->findChild<QAction*>(QStringLiteral("_q_qlineeditclearaction"));
        for (QToolButton* button : line->findChildren<QToolButton*>()) {
            if (clear != nullptr && button->defaultAction() == clear) {
                button->setAccessibleName(QCoreApplication::translate("gufo::SpokenNames", "Clear"));
            }
        }
    }
}

void setSpokenRole(QWidget* widget, QAccessible::Role role) {
    static const bool isInstalled = [] {
        QAccessible::installFactory(withSpokenRole);
        return true;
    }();
    Q_UNUSED(isInstalled);
    widget->setProperty(kRoleProperty, static_cast<int>(role));
}

} // namespace gufo::ui
