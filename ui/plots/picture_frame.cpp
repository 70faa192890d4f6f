#include "ui/plots/picture_frame.h"

#include "ui/theme/series_paint.h"

#include <QFontMetrics>
#include <QPainter>
#include <QSettings>
#include <QTextLayout>
#include <QTextOption>

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr int kFrameMargin = 16;
constexpr int kFrameGap = 6;
constexpr int kSampleWidth = 30;
constexpr int kSampleHeight = 12;
constexpr int kSampleGap = 6;
constexpr int kKeyGap = 20;
constexpr int kFewestContent = 80; // pixels that the content keeps in a picture that is too small for its texts

const QString kWidthSetting = QStringLiteral("pictures/width");
const QString kHeightSetting = QStringLiteral("pictures/height");
const QString kScaleSetting = QStringLiteral("pictures/scale");
const QString kThemeSetting = QStringLiteral("pictures/theme");

} // namespace

PictureKey seriesKey(const QString& text, int series) {
    return {text, [series](QPainter& painter, const QRectF& rect) { paintSeriesLine(painter, rect, series); }};
}

PictureOptions pictureOptions() {
    const QSettings settings;
    PictureOptions options;
    const QSize size(settings.value(kWidthSetting).toInt(), settings.value(kHeightSetting).toInt());
    const auto isAllowed = [](int length) {
        return length >= PictureOptions::kMinimum && length <= PictureOptions::kMaximum;
    };
    if (isAllowed(size.width()) && isAllowed(size.height())) {
        options.size = size;
    }
    const int scale = settings.value(kScaleSetting, options.scale).toInt();
    options.scale = scale >= 1 && scale <= PictureOptions::kMaxScale ? scale : options.scale;
    const QString theme = settings.value(kThemeSetting).toString();
    options.theme = theme == QLatin1String("light")  ? PictureTheme::Light
                    : theme == QLatin1String("dark") ? PictureTheme::Dark
                                                     : PictureTheme::Window;
    return options;
}

void savePictureOptions(const PictureOptions& options) {
    QSettings settings;
    settings.setValue(kWidthSetting, options.size.isEmpty() ? 0 : options.size.width());
    settings.setValue(kHeightSetting, options.size.isEmpty() ? 0 : options.size.height());
    settings.setValue(kScaleSetting, options.scale);
    settings.setValue(kThemeSetting, options.theme == PictureTheme::Light  ? QStringLiteral("light")
                                     : options.theme == PictureTheme::Dark ? QStringLiteral("dark")
                                                                           : QStringLiteral("window"));
}

namespace {

// Lines break between words and after the hyphens of file names, and within words that are longer than a line.
QTextOption wrapping() {
    QTextOption option(Qt::AlignLeft | Qt::AlignVCenter);
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    return option;
}

int wrappedHeight(const QString& text, const QFont& font, int width) {
    QTextLayout layout(text, font);
    layout.setTextOption(wrapping());
    double height = 0;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        height += line.height();
    }
    layout.endLayout();
    return static_cast<int>(std::ceil(height));
}

} // namespace

void FrameLayout::add(const QString& text, TextStyle style, Token ink, int width, int& y) {
    if (text.isEmpty()) {
        return;
    }
    const int height = wrappedHeight(text, themeFont(style), width);
    m_texts.push_back({QRect(kFrameMargin, y, width, height), text, style, ink});
    y += height + 2;
}

FrameLayout::FrameLayout(const PictureFrame& frame, QSize size, QSize content)
    : m_frame(frame) {
    const bool isFixed = !size.isEmpty();
    const int width = (isFixed ? size.width() : content.width() + 2 * kFrameMargin) - 2 * kFrameMargin;
    int y = kFrameMargin;
    add(frame.title, TextStyle::Section, Token::Text, width, y);
    for (const QString& line : frame.lines) {
        add(line, TextStyle::Axis, Token::Muted, width, y);
    }
    y += kFrameGap;
    const QFontMetrics metrics(themeFont(TextStyle::Axis));
    const int lineHeight = std::max(metrics.height(), kSampleHeight) + 2;
    int x = 0;
    for (std::size_t i = 0; i < frame.keys.size(); ++i) {
        const int text =
            std::min(metrics.horizontalAdvance(frame.keys[i].text) + 2, std::max(width - kSampleWidth - kSampleGap, 1));
        const int needed = kSampleWidth + kSampleGap + text;
        if (x > 0 && x + needed > width) {
            x = 0;
            y += lineHeight;
        }
        m_samples.push_back(
            {QRectF(kFrameMargin + x, y + (lineHeight - kSampleHeight) / 2.0, kSampleWidth, kSampleHeight), i});
        m_texts.push_back({QRect(kFrameMargin + x + kSampleWidth + kSampleGap, y, text, lineHeight),
                           metrics.elidedText(frame.keys[i].text, Qt::ElideMiddle, text), TextStyle::Axis,
                           Token::Text});
        x += needed + kKeyGap;
    }
    y += frame.keys.empty() ? 0 : lineHeight + kFrameGap;
    const int height = isFixed ? std::max(size.height() - y - kFrameMargin, kFewestContent) : content.height();
    m_content = {kFrameMargin, y, width, height};
    m_size = {width + 2 * kFrameMargin,
              isFixed ? std::max(size.height(), y + height + kFrameMargin) : y + height + kFrameMargin};
}

void FrameLayout::paint(QPainter& painter) const {
    painter.fillRect(QRect(QPoint(), m_size), themeColor(Token::Base));
    for (const Text& text : m_texts) {
        painter.setFont(themeFont(text.style));
        painter.setPen(themeColor(text.ink));
        painter.drawText(QRectF(text.rect), text.text, wrapping());
    }
    for (const Sample& sample : m_samples) {
        painter.save();
        m_frame.keys[sample.key].sample(painter, sample.rect);
        painter.restore();
    }
}

} // namespace gufo::ui
