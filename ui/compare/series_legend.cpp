#include "ui/compare/series_legend.h"

#include "ui/compare/drill_down/series_histogram.h"

#include <QPainter>

#include <cmath>

namespace gufo::ui {
namespace {

constexpr int kLine = 11;
constexpr int kLineGap = 4;
constexpr int kGap = 8;

int widthOf(const QFontMetricsF& metrics, const SeriesLegend::Entry& entry) {
    // Rounded down it would be too little for the last letter, and the text be cut.
    return kLine + kLineGap + static_cast<int>(std::ceil(metrics.horizontalAdvance(entry.label)));
}

} // namespace

SeriesLegend::SeriesLegend(QWidget* parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void SeriesLegend::setEntries(std::vector<Entry> entries) {
    m_entries = std::move(entries);
    QStringList names;
    for (const Entry& entry : m_entries) {
        names << entry.label;
    }
    setAccessibleName(names.join(QStringLiteral(", ")));
    setToolTip(names.join(u'\n').toHtmlEscaped());
    updateGeometry();
    update();
}

QSize SeriesLegend::sizeHint() const {
    const QFontMetricsF metrics(themeFont(TextStyle::Axis));
    int width = 0;
    for (const Entry& entry : m_entries) {
        width += widthOf(metrics, entry) + kGap;
    }
    return {std::max(20, width), 18};
}

void SeriesLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(themeFont(TextStyle::Axis));
    const QFontMetricsF metrics(painter.font());
    int needed = sizeHint().width() - kGap;
    int x = std::max(0, width() - needed);
    for (const Entry& entry : m_entries) {
        const int room = width() - x;
        if (room < kLine + kLineGap + 16) {
            break;
        }
        QPen pen = seriesPen(entry.series);
        pen.setWidthF(2.4);
        pen.setCapStyle(Qt::FlatCap);
        painter.setPen(pen);
        painter.drawLine(QPointF(x, height() / 2.0), QPointF(x + kLine, height() / 2.0));
        painter.setPen(themeColor(Token::Text));
        const QRect text(x + kLine + kLineGap, 0, room - kLine - kLineGap, height());
        painter.drawText(text, Qt::AlignVCenter, metrics.elidedText(entry.label, Qt::ElideMiddle, text.width()));
        x += widthOf(metrics, entry) + kGap;
    }
}

} // namespace gufo::ui
