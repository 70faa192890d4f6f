#include "ui/plots/metric_legend.h"

#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr int kLeft = 14; // room for the half of a label
constexpr int kWidth = 200;
constexpr int kLeastWidth = 100; // in narrow windows
constexpr int kTop = 2;
constexpr int kHeight = 9;
constexpr int kGap = 12;
constexpr int kSwatch = 11;

// Whether the figures say how far two files are apart.
bool isOfPair(Metric metric) { return metricFact(metric).ofPair() || metric == Metric::Divergence; }

QString tickText(Metric metric, double value) {
    if (!metricFact(metric).logarithmic) {
        return formatReal(value, 3);
    }
    return formatReal(value, 1);
}

} // namespace

MetricLegend::MetricLegend(QWidget* parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void MetricLegend::setScale(const MetricScale& scale, ColorMap map, bool common) {
    m_scale = scale;
    m_map = map;
    m_common = common;
    setAccessibleName(tr("Colour scale: %1 from %2 to %3 %4")
                          .arg(metricTitle(metricFact(scale.metric)), tickText(scale.metric, scale.low),
                               tickText(scale.metric, scale.high), caption()));
    updateGeometry();
    update();
}

void MetricLegend::setLeavesOut(bool leavesOut) {
    if (leavesOut != m_leavesOut) {
        m_leavesOut = leavesOut;
        setAccessibleDescription(leavesOut ? tr("A corner marks figures that leave weights out") : QString());
        updateGeometry();
        update();
    }
}

QString MetricLegend::caption() const {
    const QString unit = metricUnit(metricFact(m_scale.metric));
    const QString hint = metricHint(metricFact(m_scale.metric));
    return unit.isEmpty() || hint.isEmpty() ? unit + hint : QStringLiteral("%1, %2").arg(unit, hint);
}

QSize MetricLegend::sizeHint() const {
    const QFontMetrics metrics(themeFont(TextStyle::Axis));
    int marks = 0;
    if (isOfPair(m_scale.metric)) {
        for (const QString& mark : {tr("identical"), tr("not comparable"), m_leavesOut ? tr("weights left out") : ""}) {
            marks += mark.isEmpty() ? 0 : kGap + kSwatch + 6 + metrics.horizontalAdvance(mark);
        }
    }
    return {kLeft + 2 + kWidth + kGap + metrics.horizontalAdvance(caption()) + marks + 4,
            kTop + kHeight + 5 + metrics.height()};
}

QSize MetricLegend::minimumSizeHint() const { return sizeHint() - QSize(kWidth - kLeastWidth, 0); }

void MetricLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    draw(painter, std::clamp(kWidth - (sizeHint().width() - width()), kLeastWidth, kWidth));
}

void MetricLegend::draw(QPainter& painter) const { draw(painter, kWidth); }

void MetricLegend::draw(QPainter& painter, int scaleWidth) const {
    const QFont font = themeFont(TextStyle::Axis);
    const QFontMetrics metrics(font);
    painter.save();
    painter.setFont(font);
    painter.translate(kLeft, 0);
    for (int x = 0; x < scaleWidth; ++x) {
        painter.fillRect(QRectF(x, kTop, 1, kHeight),
                         metricColor(m_scale, m_scale.valueAt((x + 0.5) / scaleWidth), m_map));
    }
    painter.setPen(themeColor(Token::Muted));
    if (m_common) {
        int free = -100; // right end of the previous label
        for (const double tick : m_scale.ticks()) {
            const int x = static_cast<int>(std::lround(m_scale.positionOf(tick) * scaleWidth));
            painter.fillRect(std::min(x, scaleWidth - 1), kTop + kHeight, 1, 3, themeColor(Token::PlotAxis));
            const QString text = tickText(m_scale.metric, tick);
            const int half = metrics.horizontalAdvance(text) / 2 + 1;
            if (x - half > free) {
                const int left = std::max(x - half, -kLeft); // a long label at the low end stays within the widget
                painter.drawText(QRect(left, kTop + kHeight + 3, 2 * half, metrics.height()), Qt::AlignHCenter, text);
                free = left + 2 * half + 3;
            }
        }
    } else {
        const QRect line(-kLeft, kTop + kHeight + 3, scaleWidth + 2 * kLeft, metrics.height());
        painter.drawText(line, Qt::AlignLeft, tr("lowest of each"));
        painter.drawText(line, Qt::AlignRight, tr("highest of each"));
    }
    int x = scaleWidth + kGap;
    const int baseline = kTop + kHeight / 2 + metrics.ascent() / 2 - 1;
    painter.drawText(x, baseline, caption());
    x += metrics.horizontalAdvance(caption());
    if (isOfPair(m_scale.metric)) {
        x += kGap;
        painter.fillRect(x, kTop - 1, kSwatch, kSwatch, themeColor(Token::Unquantised));
        painter.fillRect(x + 4, kTop + 3, 3, 3, themeColor(Token::Muted));
        painter.drawText(x + kSwatch + 6, baseline, tr("identical"));
        x += kSwatch + 6 + metrics.horizontalAdvance(tr("identical")) + kGap;
        painter.setPen(themeColor(Token::Faint));
        painter.setBrush(QBrush(themeColor(Token::Faint), Qt::BDiagPattern));
        painter.drawRect(x, kTop - 1, kSwatch - 1, kSwatch - 1);
        painter.setPen(themeColor(Token::Muted));
        painter.drawText(x + kSwatch + 6, baseline, tr("not comparable"));
        if (m_leavesOut) {
            x += kSwatch + 6 + metrics.horizontalAdvance(tr("not comparable")) + kGap;
            paintLeftOutMark(painter, QRect(x, kTop - 1, kSwatch, kSwatch));
            painter.setPen(themeColor(Token::Muted));
            painter.drawText(x + kSwatch + 6, baseline, tr("weights left out"));
        }
    }
    painter.restore();
}

QColor metricColor(const MetricScale& scale, double value, ColorMap map) {
    // Bits per weight have separate colours, in which unquantised weights stand out.
    if (!isOfPair(scale.metric) && (map == ColorMap::Viridis || value > scale.high + 1)) {
        return bitsPerWeightColor(value);
    }
    return colorMapAt(map, scale.closeness(value));
}

void paintLeftOutMark(QPainter& painter, const QRect& cell) {
    const int side = std::clamp(std::min(cell.width(), cell.height()) / 2, 3, 7);
    const QPoint corner = cell.topRight() + QPoint(1, 0);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(themeColor(Token::Base), 1));
    painter.setBrush(themeColor(Token::WarningMark));
    painter.drawPolygon(QPolygon({corner, corner - QPoint(side, 0), corner + QPoint(0, side)}));
    painter.restore();
}

} // namespace gufo::ui

#include "moc_metric_legend.cpp"
