#include "ui/theme/focus_ring.h"

#include "ui/theme/theme.h"

#include <QEvent>
#include <QFocusEvent>
#include <QPainter>
#include <QWidget>

#include <algorithm>

namespace gufo::ui {
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
            const bool isByKey = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason ||
                                 reason == Qt::ShortcutFocusReason;
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
