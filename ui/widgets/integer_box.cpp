#include "ui/widgets/integer_box.h"

#include <QFontMetrics>
#include <QLineEdit>

#include <algorithm>

namespace gufo::ui {

IntegerBox::IntegerBox(ValueType integerType, QWidget* parent)
    : QAbstractSpinBox(parent)
    , m_type(integerType) {
    setAccelerated(true);
    connect(lineEdit(), &QLineEdit::textChanged, this, &IntegerBox::changed);
}

void IntegerBox::setValue(const Value& value) { lineEdit()->setText(QString::fromStdString(writeValue(value))); }

std::expected<Value, ValueProblem> IntegerBox::value() const {
    return parseValue(m_type, lineEdit()->text().toStdString());
}

void IntegerBox::stepBy(int steps) {
    const auto now = value();
    if (!now) {
        return;
    }
    const IntegerRange range = integerRange(m_type);
    const auto distance = static_cast<std::uint64_t>(std::abs(static_cast<std::int64_t>(steps)));
    std::string next;
    if (const auto number = asUInt(*now); number && (steps > 0 || range.lowest == 0)) {
        next = std::to_string(steps > 0 ? *number + std::min(distance, range.highest - *number)
                                        : *number - std::min(distance, *number));
    } else {
        // From here on the value is below 2^63. The distance to the minimum is computed without a sign, so that it
        // cannot overflow.
        const std::int64_t signedNumber = *asInt(*now);
        const std::uint64_t room = static_cast<std::uint64_t>(signedNumber) - static_cast<std::uint64_t>(range.lowest);
        next = std::to_string(steps > 0 ? std::min(signedNumber + static_cast<std::int64_t>(distance),
                                                   static_cast<std::int64_t>(range.highest))
                                        : signedNumber - static_cast<std::int64_t>(std::min(distance, room)));
    }
    lineEdit()->setText(QString::fromStdString(next));
    lineEdit()->selectAll();
}

QValidator::State IntegerBox::validate(QString& input, int&) const {
    // Nothing that is typed is dropped: without its point, 1.5 would become 15. What is no integer is refused as a
    // whole, with the reason.
    return parseValue(m_type, input.toStdString()) ? QValidator::Acceptable : QValidator::Intermediate;
}

QAbstractSpinBox::StepEnabled IntegerBox::stepEnabled() const {
    const auto now = value();
    if (!now || isReadOnly()) {
        return StepNone;
    }
    const IntegerRange range = integerRange(m_type);
    StepEnabled enabled = StepNone;
    if (asInt(*now) != range.lowest) {
        enabled |= StepDownEnabled;
    }
    if (asUInt(*now) != range.highest) {
        enabled |= StepUpEnabled;
    }
    return enabled;
}

QSize IntegerBox::sizeHint() const {
    const QFontMetrics metrics(font());
    const QString widest = QString::number(integerRange(m_type).highest) + u'-';
    return {metrics.horizontalAdvance(widest) + 40, QAbstractSpinBox::sizeHint().height()};
}

} // namespace gufo::ui

#include "moc_integer_box.cpp"
