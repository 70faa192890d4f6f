#include "ui/widgets/context_scale.h"

#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr std::uint64_t kUnstatedContext = 32768; // end of the scale if the file does not state a length

} // namespace

ContextScale::ContextScale(std::uint64_t trained)
    : m_maximum(std::clamp<std::uint64_t>(trained != 0 ? trained : kUnstatedContext, 2, std::uint64_t{1} << 30U))
    , m_minimum(m_maximum >= 4096 ? 512 : 1) {}

std::uint64_t ContextScale::contextAt(int position) const {
    if (position == kSteps) {
        return m_maximum;
    }
    const double ratio = static_cast<double>(m_maximum) / static_cast<double>(m_minimum);
    const double exact = static_cast<double>(m_minimum) * std::pow(ratio, static_cast<double>(position) / kSteps);
    const double grain = std::max(1.0, std::exp2(std::floor(std::log2(exact)) - 5));
    return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::lround(exact / grain) * static_cast<long>(grain)),
                                     m_minimum, m_maximum);
}

int ContextScale::positionOf(std::uint64_t context) const {
    const double range = std::log(static_cast<double>(m_maximum) / static_cast<double>(m_minimum));
    const double at = std::log(static_cast<double>(std::max(context, m_minimum)) / static_cast<double>(m_minimum));
    return range > 0 ? static_cast<int>(std::lround(at / range * kSteps)) : 0;
}

ContextTicks::ContextTicks(QWidget* parent)
    : QWidget(parent) {
    setFixedHeight(18);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void ContextTicks::setScale(const ContextScale& scale) {
    m_scale = scale;
    update();
}

void ContextTicks::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(themeFont(TextStyle::Axis));
    const auto minimum = static_cast<double>(m_scale.minimum());
    const auto maximum = static_cast<double>(m_scale.maximum());
    const double range = std::log2(maximum / minimum);
    constexpr int kHandle = 14;
    const double step = range > 12 ? 3 : range > 5 ? 2 : 1;
    for (double power = std::ceil(std::log2(minimum)); power <= std::log2(maximum) + 1e-9; power += step) {
        const double value = std::exp2(power);
        const double share = std::log2(value / minimum) / range;
        const int x = static_cast<int>(kHandle / 2 + share * (width() - kHandle));
        painter.fillRect(x, 0, 1, 4, themeColor(Token::StrongLine));
        const QString text = value >= 1024 ? QStringLiteral("%1k").arg(value / 1024) : QString::number(value);
        const int textWidth = painter.fontMetrics().horizontalAdvance(text);
        painter.setPen(themeColor(Token::Muted));
        painter.drawText(std::clamp(x - textWidth / 2, 0, std::max(0, width() - textWidth)),
                         4 + painter.fontMetrics().ascent(), text);
    }
}

} // namespace gufo::ui

#include "moc_context_scale.cpp"
