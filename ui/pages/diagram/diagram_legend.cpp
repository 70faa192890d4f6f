#include "ui/pages/diagram/diagram_legend.h"

#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kSwatch = 11;
constexpr int kTextGap = 6;
constexpr int kKeyGap = 14;
constexpr int kLineGap = 4;

} // namespace

DiagramLegend::DiagramLegend(QWidget* parent)
    : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void DiagramLegend::setGroups(std::vector<DiagramKeyGroup> groups) {
    m_groups = std::move(groups);
    m_hint.clear();
    describe();
}

void DiagramLegend::setHint(const QString& hint) {
    m_groups.clear();
    m_hint = hint;
    describe();
}

// For screen readers.
void DiagramLegend::describe() {
    QStringList lines;
    for (const DiagramKeyGroup& group : m_groups) {
        QStringList keys;
        for (const DiagramKey& key : group.keys) {
            keys << key.text;
        }
        lines << (group.label.isEmpty() ? QString() : group.label + QStringLiteral(": ")) +
                     keys.join(QStringLiteral(", "));
    }
    setAccessibleName(m_hint.isEmpty() ? lines.join(QStringLiteral("; ")) : m_hint);
    updateGeometry();
    update();
}

QSize DiagramLegend::sizeHint() const {
    constexpr int kUsualWidth = 640;
    return {kUsualWidth, draw(nullptr, std::max(width(), 1))};
}

QSize DiagramLegend::minimumSizeHint() const { return {40, QFontMetrics(themeFont(TextStyle::Table)).height()}; }

int DiagramLegend::draw(QPainter* painter, int width) const {
    const QFont font = themeFont(TextStyle::Table);
    const QFontMetrics metrics(font);
    const int line = metrics.height();
    if (painter != nullptr) {
        painter->setFont(font);
        painter->setPen(themeColor(Token::Muted));
    }
    if (!m_hint.isEmpty()) {
        const QRect room = metrics.boundingRect(QRect(0, 0, width, 1000), Qt::AlignLeft | Qt::TextWordWrap, m_hint);
        if (painter != nullptr) {
            painter->drawText(QRect(0, 0, width, room.height()), Qt::AlignLeft | Qt::TextWordWrap, m_hint);
        }
        return std::max(line, room.height());
    }
    int x = 0;
    int y = 0;
    // Moves to the next line unless there is room, and returns where the text or the key begins.
    const auto place = [&](int needed) {
        if (x > 0 && x + needed > width) {
            x = 0;
            y += line + kLineGap;
        }
        const int at = x;
        x += needed + kKeyGap;
        return at;
    };
    for (const DiagramKeyGroup& group : m_groups) {
        if (!group.label.isEmpty()) {
            const int at = place(metrics.horizontalAdvance(group.label));
            if (painter != nullptr) {
                painter->drawText(QRect(at, y, width - at, line), Qt::AlignLeft | Qt::AlignVCenter, group.label);
            }
        }
        for (const DiagramKey& key : group.keys) {
            const QString text = metrics.elidedText(key.text, Qt::ElideRight, std::max(1, width - kSwatch - kTextGap));
            const int at = place(kSwatch + kTextGap + metrics.horizontalAdvance(text));
            if (painter == nullptr) {
                continue;
            }
            const QRect swatch(at, y + (line - kSwatch) / 2, kSwatch, kSwatch);
            painter->fillRect(swatch, key.color);
            painter->setPen(themeColor(Token::Text));
            if (key.struck) {
                painter->drawLine(swatch.left() + 2, swatch.center().y(), swatch.right() - 2, swatch.center().y());
            }
            painter->setPen(themeColor(Token::Muted));
            painter->drawText(QRect(swatch.right() + 1 + kTextGap, y, width, line), Qt::AlignLeft | Qt::AlignVCenter,
                              text);
        }
    }
    return y + line;
}

void DiagramLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    draw(&painter, width());
}

} // namespace gufo::ui

#include "moc_diagram_legend.cpp"
