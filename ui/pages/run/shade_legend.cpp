#include "ui/pages/run/shade_legend.h"

#include "ui/pages/run/answer_view.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <cmath>

namespace gufo::ui {
namespace {

constexpr int kBar = 110;

QString first() { return ShadeLegend::tr("likely 1"); }
QString last() { return ShadeLegend::tr("0.01 unlikely"); }

} // namespace

ShadeLegend::ShadeLegend(QWidget* parent)
    : QWidget(parent) {
    setAccessibleName(tr("Shades: from none for likely tokens to the strongest for a probability of 0.01 or less"));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize ShadeLegend::sizeHint() const {
    const QFontMetrics metrics(themeFont(TextStyle::Axis));
    return {metrics.horizontalAdvance(first()) + metrics.horizontalAdvance(last()) + kBar + 16, 20};
}

void ShadeLegend::paintEvent(QPaintEvent*) {
    if (width() < sizeHint().width()) {
        return; // no room
    }
    QPainter painter(this);
    painter.setFont(themeFont(TextStyle::Axis));
    painter.setPen(themeColor(Token::Muted));
    const int left = painter.fontMetrics().horizontalAdvance(first()) + 8;
    painter.drawText(rect(), Qt::AlignVCenter | Qt::AlignLeft, first());
    painter.drawText(QRect(left + kBar + 8, 0, width(), height()), Qt::AlignVCenter | Qt::AlignLeft, last());
    for (int x = 0; x < kBar; ++x) { // the logarithm of the probability, from 1 to 0.01
        const double logProbability = -std::log(100.0) * x / (kBar - 1);
        painter.fillRect(left + x, 4, 1, height() - 8, shadeOf(logProbability));
    }
    painter.setPen(themeColor(Token::Line));
    painter.drawRect(left, 4, kBar - 1, height() - 9);
}

} // namespace gufo::ui

#include "moc_shade_legend.cpp"
