#include "ui/theme/accessibility.h"

#include "ui/theme/theme.h"

#include <QAccessibleWidget>
#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QEvent>
#include <QFocusEvent>
#include <QLineEdit>
#include <QPainter>
#include <QToolButton>
#include <QVariant>
#include <QWidget>

#include <algorithm>

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

// ---- the ring around what has the focus

namespace {

constexpr int kThickness = 2;

// A child that covers the widget; the mouse does not see it.
class Ring : public QWidget {
public:
    explicit Ring(QWidget* around)
        : QWidget(around) {
        setObjectName(QStringLiteral("qt_focus_ring")); // a part of the control, not a control
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
        cover();
        show();
        raise();
    }
    void cover() { setGeometry(parentWidget()->rect()); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setPen(QPen(themeColor(Token::Accent), kThickness, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(rect().adjusted(kThickness / 2, kThickness / 2, -kThickness / 2, -kThickness / 2));
    }
};

Ring* ringOf(const QObject* widget) {
    const auto& children = widget->children();
    const auto found = std::ranges::find_if(
        children, [](const QObject* child) { return dynamic_cast<const Ring*>(child) != nullptr; });
    return found != children.end() ? static_cast<Ring*>(*found) : nullptr;
}

class FocusWatch : public QObject {
public:
    bool eventFilter(QObject* object, QEvent* event) override {
        if (event->type() == QEvent::FocusIn) {
            const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
            const bool isByKey =
                reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
            if (isByKey && ringOf(object) == nullptr) {
                new Ring(static_cast<QWidget*>(object));
            }
        } else if (event->type() == QEvent::FocusOut) {
            delete ringOf(object);
        } else if (event->type() == QEvent::Resize) {
            if (Ring* ring = ringOf(object)) {
                ring->cover();
            }
        }
        return false;
    }
};

} // namespace

void addFocusRing(QWidget* widget) {
    static FocusWatch watch;
    widget->installEventFilter(&watch);
}

} // namespace gufo::ui
