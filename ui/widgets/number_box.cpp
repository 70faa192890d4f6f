#include "ui/widgets/number_box.h"

#include <QToolTip>

#include <optional>

namespace gufo::ui {
namespace {

// QLocale accepts separators only between groups of three digits.
template<typename Box>
std::optional<double> numberOf(const Box& box, const QString& text) {
    if (!box.specialValueText().isEmpty() && text == box.specialValueText()) {
        return box.minimum();
    }
    bool ok = false;
    const double number = box.locale().toDouble(text.trimmed(), &ok);
    return ok && number >= box.minimum() && number <= box.maximum() ? std::optional(number) : std::nullopt;
}

std::optional<int> countOf(const QSpinBox& box, const QString& text) {
    bool ok = false;
    box.locale().toInt(text.trimmed(), &ok);
    const auto number = numberOf(box, text);
    return number && (ok || text == box.specialValueText()) ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

void explain(const QAbstractSpinBox& box, const QString& text) {
    if (box.isVisible()) {
        QToolTip::showText(box.mapToGlobal(QPoint(0, box.height())), text.toHtmlEscaped());
    }
}

} // namespace

CountBox::CountBox(QWidget* parent)
    : QSpinBox(parent) {
    setKeyboardTracking(false); // the value from before must be known when the field is left
}

QValidator::State CountBox::validate(QString& input, int& position) const {
    Q_UNUSED(position);
    return countOf(*this, input) ? QValidator::Acceptable : QValidator::Intermediate;
}

int CountBox::valueFromText(const QString& text) const { return countOf(*this, text).value_or(value()); }

void CountBox::fixup(QString& input) const {
    explain(*this, tr("%1 is not a whole number from %2 to %3.")
                       .arg(input, locale().toString(minimum()), locale().toString(maximum())));
}

RealBox::RealBox(QWidget* parent)
    : QDoubleSpinBox(parent) {
    setKeyboardTracking(false);
}

QValidator::State RealBox::validate(QString& input, int& position) const {
    Q_UNUSED(position);
    return numberOf(*this, input) ? QValidator::Acceptable : QValidator::Intermediate;
}

double RealBox::valueFromText(const QString& text) const { return numberOf(*this, text).value_or(value()); }

void RealBox::fixup(QString& input) const {
    explain(
        *this,
        tr("%1 is not a number from %2 to %3.").arg(input, locale().toString(minimum()), locale().toString(maximum())));
}

} // namespace gufo::ui

#include "moc_number_box.cpp"
