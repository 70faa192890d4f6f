#include "ui/pages/run/run_strip.h"

#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kHeight = 41;
constexpr int kMargin = 16;
constexpr int kGap = 22;
constexpr int kSparkWidth = 92;
constexpr int kMeterWidth = 128;
constexpr std::size_t kSamples = 46;
constexpr double kSampleSeconds = 0.1;

} // namespace

RunStrip::RunStrip(QWidget* parent)
    : QWidget(parent) {
    setFixedHeight(kHeight);
    setAccessibleName(tr("Speed and context"));
    setToolTip(
        tr("Generation: tokens of the answer per second. Prompt: tokens of the question and of what precedes "
           "it, per second.\nMemory read: weights and KV cache; the peak is the read bandwidth measured with "
           "the same number of threads. A small model is read from the processor's cache, and has no such limit."));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void RunStrip::setFigures(const inference::ResponseFigures& figures) {
    m_figures = figures;
    sample();
    setAccessibleDescription(text());
    update();
}

void RunStrip::sample() {
    const double passed = m_figures.seconds - m_sampledAt;
    if (passed >= kSampleSeconds && m_figures.tokens > m_sampledTokens) {
        m_speeds.push_back(static_cast<double>(m_figures.tokens - m_sampledTokens) / passed);
        m_sampledAt = m_figures.seconds;
        m_sampledTokens = m_figures.tokens;
        if (m_speeds.size() > kSamples) {
            m_speeds.pop_front();
        }
    }
}

void RunStrip::beginAnswer() {
    m_speeds.clear();
    m_sampledAt = 0;
    m_sampledTokens = 0;
}

void RunStrip::setContext(std::uint32_t context) {
    m_context = context;
    update();
}

void RunStrip::setPeak(double bytesPerSecond) {
    m_peak = bytesPerSecond;
    update();
}

void RunStrip::setCached(bool cached) {
    m_cached = cached;
    update();
}

std::vector<RunStrip::Part> RunStrip::parts() const {
    std::vector<Part> parts;
    if (m_figures.tokensPerSecond() > 0) {
        const auto accepted = 100 * static_cast<double>(m_figures.acceptedTokens);
        const QString drafts = m_figures.draftedTokens > 0
                                   ? tr("%1 % of drafts accepted")
                                         .arg(formatFixed(accepted / static_cast<double>(m_figures.draftedTokens), 0))
                                   : QString();
        parts.push_back({tr("Generation"), tr("%1 tokens/s").arg(speedText(m_figures.tokensPerSecond())), drafts, 0});
    }
    if (m_figures.promptPerSecond() > 0) {
        parts.push_back({tr("Prompt"), tr("%1 tokens/s").arg(speedText(m_figures.promptPerSecond())), {}, 1});
    }
    if (const double read = m_figures.bytesPerSecond(); read > 0) {
        const double share = m_peak > 0 ? std::min(1.0, read / m_peak) : 0;
        const QString limit = m_cached     ? tr("from the cache")
                              : m_peak > 0 ? tr("%1 % of peak").arg(formatFixed(100 * share, 0))
                                           : QString();
        parts.push_back({tr("Memory read"), tr("%1 GB/s").arg(speedText(read / 1e9)), limit, 2});
    }
    return parts;
}

QString RunStrip::text() const {
    QStringList all;
    for (const Part& part : parts()) {
        all << (part.label + u' ' + part.value + u' ' + part.more).trimmed();
    }
    if (m_context != 0) {
        all << tr("Context %1 of %2").arg(formatCount(m_figures.contextUsed), formatCount(m_context));
    }
    return all.join(QStringLiteral(", "));
}

void RunStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), themeColor(Token::Header));
    painter.fillRect(0, 0, width(), 1, themeColor(Token::Line));
    painter.setFont(themeFont(TextStyle::Table));
    const QFontMetrics metrics(painter.font());
    const auto draw = [&](int x, const QString& text, Token token) {
        painter.setPen(themeColor(token));
        painter.drawText(QRect(x, 0, metrics.horizontalAdvance(text) + 4, height()), Qt::AlignVCenter, text);
        return x + metrics.horizontalAdvance(text);
    };

    int right = width() - kMargin;
    if (m_context != 0) {
        const QString used = tr("%1 of %2").arg(formatCount(m_figures.contextUsed), formatCount(m_context));
        right -= metrics.horizontalAdvance(used);
        draw(right, used, Token::Text);
        right -= kMeterWidth + 8;
        const QRectF meter(right, height() / 2.0 - 4, kMeterWidth, 8);
        painter.setPen(Qt::NoPen);
        painter.setBrush(themeColor(Token::Line));
        painter.drawRoundedRect(meter, 4, 4);
        const double share = std::min(1.0, static_cast<double>(m_figures.contextUsed) / m_context);
        if (share > 0) {
            QPainterPath shape;
            shape.addRoundedRect(meter, 4, 4);
            painter.setClipPath(shape);
            painter.fillRect(QRectF(meter.left(), meter.top(), std::max(2.0, meter.width() * share), meter.height()),
                             themeColor(share > 0.9 ? Token::WarningMark : Token::Accent));
            painter.setClipping(false);
        }
        const QString label = tr("Context");
        right -= metrics.horizontalAdvance(label) + 8;
        draw(right, label, Token::Muted);
    }

    // If there is too little room, parts are omitted in this order: sparkline, share of the peak, memory read, prompt.
    const std::vector<Part> all = parts();
    const auto widthOf = [&](int maximum, bool share, bool spark) {
        int sum = kMargin;
        for (const Part& part : all) {
            if (part.rank <= maximum) {
                sum += metrics.horizontalAdvance(part.label + part.value) + 8 + kGap;
                sum += share && !part.more.isEmpty() ? metrics.horizontalAdvance(part.more) + 8 : 0;
                sum += spark && part.rank == 0 ? kSparkWidth + 8 : 0;
            }
        }
        return sum;
    };
    int maximum = 2;
    const bool spark = widthOf(maximum, true, true) <= right && m_speeds.size() > 1;
    const bool share = widthOf(maximum, true, false) <= right;
    while (maximum > 0 && widthOf(maximum, share, spark) > right) {
        --maximum;
    }
    int x = kMargin;
    for (const Part& part : all) {
        if (part.rank > maximum) {
            continue;
        }
        x = draw(x, part.label, Token::Muted) + 8;
        x = draw(x, part.value, Token::Text);
        if (share && !part.more.isEmpty()) {
            x = draw(x + 8, part.more, Token::Muted);
        }
        if (spark && part.rank == 0) {
            const double top = std::ranges::max(m_speeds);
            QPainterPath line;
            for (std::size_t i = 0; i < m_speeds.size(); ++i) {
                const double px = x + 8 + static_cast<double>(i) * kSparkWidth / static_cast<double>(kSamples - 1);
                const double py = height() / 2.0 + 7 - 14 * m_speeds[i] / std::max(top, 1e-9);
                i == 0 ? line.moveTo(px, py) : line.lineTo(px, py);
            }
            painter.setPen(QPen(themeColor(Token::Accent), 1.2));
            painter.setBrush(Qt::NoBrush);
            painter.drawPath(line);
            x += kSparkWidth + 8;
        }
        x += kGap;
    }
}

} // namespace gufo::ui

#include "moc_run_strip.cpp"
