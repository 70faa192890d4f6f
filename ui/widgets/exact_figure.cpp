#include "ui/widgets/exact_figure.h"

#include <QRegularExpression>

#include <array>
#include <charconv>

namespace gufo::ui {
namespace {

template<typename T>
QString shortest(T value) {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return QString::fromLatin1(buffer.data(), static_cast<qsizetype>(end - buffer.data()));
}

} // namespace

QString exactText(double value) { return shortest(value); }

QString exactText(float value) { return shortest(value); }

QString plainFigure(QString text) {
    static const QRegularExpression separator(QStringLiteral("(?<=[0-9]),(?=[0-9]{3}(?![0-9]))"));
    text.remove(separator);
    return text.replace(QChar(0x2212), QLatin1Char('-')).replace(QChar(0x221E), QStringLiteral("inf"));
}

} // namespace gufo::ui
