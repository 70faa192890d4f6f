#include "ui/pages/tensors/index_field.h"

#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QRegularExpression>
#include <QRegularExpressionValidator>

#include <limits>

namespace gufo::ui {

IndexField::IndexField(const QString& accessibleName, QWidget* parent)
    : QLineEdit(parent) {
    setAccessibleName(accessibleName);
    setAlignment(Qt::AlignRight);
    setFont(themeFont(TextStyle::Table));
    setFixedHeight(22);
    setFixedWidth(fontMetrics().horizontalAdvance(QStringLiteral("8,888,888")) + 20);
    static const QRegularExpression digits(QStringLiteral("[0-9, ]*"));
    setValidator(new QRegularExpressionValidator(digits, this));
    connect(this, &QLineEdit::returnPressed, this, &IndexField::take);
    setValue(0);
}

void IndexField::setCount(std::uint64_t count) {
    m_count = std::max<std::uint64_t>(count, 1);
    setToolTip(tr("0 to %1").arg(formatCount(m_count - 1)));
    setValue(m_value);
}

void IndexField::setValue(std::uint64_t value) {
    m_value = std::min(value, m_count - 1);
    setText(formatCount(m_value));
}

void IndexField::set(std::uint64_t value) {
    const std::uint64_t before = m_value;
    setValue(value);
    if (m_value != before) {
        emit chosen(m_value);
    }
}

void IndexField::take() {
    QString digits = text();
    digits.remove(QLatin1Char(',')).remove(QLatin1Char(' '));
    bool fits = false;
    const std::uint64_t value = digits.toULongLong(&fits);
    set(fits || digits.isEmpty() ? value : std::numeric_limits<std::uint64_t>::max());
}

void IndexField::step(int by) {
    const std::uint64_t distance = static_cast<std::uint64_t>(std::abs(by));
    set(by < 0 ? m_value - std::min(m_value, distance) : m_value + std::min(distance, m_count - 1 - m_value));
}

void IndexField::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Up:
        step(1);
        break;
    case Qt::Key_Down:
        step(-1);
        break;
    case Qt::Key_PageUp:
        step(10);
        break;
    case Qt::Key_PageDown:
        step(-10);
        break;
    default:
        QLineEdit::keyPressEvent(event);
        return;
    }
    event->accept();
}

void IndexField::wheelEvent(QWheelEvent* event) {
    if (!hasFocus()) {
        event->ignore();
        return;
    }
    step(event->angleDelta().y() > 0 ? 1 : -1);
    event->accept();
}

void IndexField::focusOutEvent(QFocusEvent* event) {
    QLineEdit::focusOutEvent(event);
    take();
}

} // namespace gufo::ui

#include "moc_index_field.cpp"
