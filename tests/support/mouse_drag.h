// Drags with the left mouse button. QTest::mouseMove() holds no button down.
#pragma once

#include <QCoreApplication>
#include <QMouseEvent>
#include <QTest>
#include <QWidget>

namespace gufo::test {

// From the middle of the widget; `by` is in its own coordinates.
inline void drag(QWidget* widget, QPoint by) {
    const QPoint to = widget->rect().center() + by;
    QTest::mousePress(widget, Qt::LeftButton, {}, widget->rect().center());
    QMouseEvent move(QEvent::MouseMove, to, widget->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(widget, &move);
    QTest::mouseRelease(widget, Qt::LeftButton, {}, widget->rect().center());
}

} // namespace gufo::test
