#include "ui/compare/series_legend.h"

#include "ui/theme/series_paint.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gufo::ui {
namespace {

constexpr int kLine = 26; // shows the dashes
constexpr int kLineGap = 4;
constexpr int kGap = 8;
constexpr int kLegendRowHeight = 18;
constexpr int kMostRows = 3;

int widthOf(const QFontMetricsF& metrics, const SeriesLegend::Entry& entry) {
    // Rounded up, because with the width rounded down the text would be elided.
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
    fitRows();
    updateGeometry();
    update();
}

QSize SeriesLegend::sizeHint() const {
    const QFontMetricsF metrics(themeFont(TextStyle::Axis));
    int width = 0;
    for (const Entry& entry : m_entries) {
        width += widthOf(metrics, entry) + kGap;
    }
    return {std::max(20, width), m_rows * kLegendRowHeight};
}

void SeriesLegend::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitRows();
}

void SeriesLegend::fitRows() {
    const QFontMetricsF metrics(themeFont(TextStyle::Axis));
    int needed = -kGap;
    for (const Entry& entry : m_entries) {
        needed += widthOf(metrics, entry) + kGap;
    }
    m_rows = std::clamp((needed + std::max(1, width()) - 1) / std::max(1, width()), 1, kMostRows);
    setFixedHeight(m_rows * kLegendRowHeight);
}

void SeriesLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(themeFont(TextStyle::Axis));
    const auto rows = static_cast<std::size_t>(m_rows);
    const std::size_t inRow = (m_entries.size() + rows - 1) / rows;
    for (std::size_t row = 0; row < rows && row * inRow < m_entries.size(); ++row) {
        const std::span<const Entry> all(m_entries);
        paintRow(painter, all.subspan(row * inRow, std::min(inRow, all.size() - row * inRow)),
                 static_cast<int>(row) * kLegendRowHeight);
    }
}

// If there is too little room, the longest names are elided, so that every file is named.
void SeriesLegend::paintRow(QPainter& painter, std::span<const Entry> entries, int top) const {
    const QFontMetricsF metrics(painter.font());
    constexpr int kMinText = 12;
    const int count = static_cast<int>(entries.size());
    const int room = width() - count * (kLine + kLineGap) - (count - 1) * kGap;
    std::vector<int> texts;
    for (const Entry& entry : entries) {
        texts.push_back(widthOf(metrics, entry) - kLine - kLineGap);
    }
    while (!texts.empty() && std::accumulate(texts.begin(), texts.end(), 0) > room) {
        int& longest = *std::ranges::max_element(texts);
        if (longest <= kMinText) {
            break;
        }
        --longest;
    }
    const int needed = std::accumulate(texts.begin(), texts.end(), width() - room);
    int x = std::max(0, width() - needed);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Entry& entry = entries[i];
        paintSeriesLine(
            painter, {static_cast<double>(x), static_cast<double>(top), static_cast<double>(kLine), kLegendRowHeight},
            entry.series);
        painter.setPen(themeColor(Token::Text));
        const QRect text(x + kLine + kLineGap, top, texts[i], kLegendRowHeight);
        painter.drawText(text, Qt::AlignVCenter, metrics.elidedText(entry.label, Qt::ElideMiddle, text.width()));
        x += kLine + kLineGap + texts[i] + kGap;
    }
}

} // namespace gufo::ui

#include "moc_series_legend.cpp"
