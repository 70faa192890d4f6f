#include "ui/pages/diagram/diagram_painter.h"

#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"

#include <cmath>

namespace gufo::ui {

void DiagramPainter::draw(const DiagramLayout& layout, const QRectF& exposed) const {
    const auto isShown = [&](const QRectF& rect) { return rect.adjusted(-4, -4, 4, 4).intersects(exposed); };
    for (const DiagramItem& item : layout.items) { // frames are below the lines, and everything else above
        if (item.kind == DiagramItem::Kind::Run && isShown(item.rect)) {
            drawItem(item);
        }
    }
    QPen pen(themeColor(Token::Muted), 1.4);
    pen.setCapStyle(Qt::RoundCap);
    for (const DiagramLine& line : layout.lines) {
        const QRectF around = QRectF(line.line.p1(), line.line.p2()).normalized();
        if (!isShown(around)) {
            continue;
        }
        m_painter.setPen(pen);
        m_painter.drawLine(line.line);
        if (line.arrow) {
            const double angle = std::atan2(line.line.dy(), line.line.dx());
            for (const double side : {2.6, -2.6}) {
                m_painter.drawLine(line.line.p2(),
                                   line.line.p2() + 6 * QPointF(std::cos(angle + side), std::sin(angle + side)));
            }
        }
    }
    for (const DiagramItem& item : layout.items) {
        if (item.kind != DiagramItem::Kind::Run && isShown(item.rect)) {
            drawItem(item);
        }
    }
}

void DiagramPainter::drawItem(const DiagramItem& item) const {
    switch (item.kind) {
    case DiagramItem::Kind::Title:
        m_painter.setFont(themeFont(TextStyle::Section));
        m_painter.setPen(themeColor(Token::Text));
        m_painter.drawText(item.rect, Qt::AlignLeft | Qt::AlignVCenter, item.title);
        break;
    case DiagramItem::Kind::Run:
        m_painter.setPen(QPen(themeColor(Token::Line), 1));
        m_painter.setBrush(themeColor(Token::AlternateRow));
        m_painter.drawRoundedRect(item.rect, 6, 6);
        m_painter.setFont(themeFont(TextStyle::Section));
        m_painter.setPen(themeColor(Token::Text));
        m_painter.drawText(
            item.rect.adjusted(10, 4, -10, 0), Qt::AlignLeft | Qt::AlignTop,
            QFontMetricsF(m_painter.font()).elidedText(item.title, Qt::ElideMiddle, item.rect.width() - 20));
        break;
    case DiagramItem::Kind::Row:
        drawRow(item);
        break;
    case DiagramItem::Kind::Part:
        drawPart(item);
        break;
    case DiagramItem::Kind::Sum:
        m_painter.setPen(QPen(themeColor(Token::Muted), 1.4));
        m_painter.setBrush(themeColor(Token::Base));
        m_painter.drawEllipse(item.rect);
        m_painter.drawLine(item.rect.center() - QPointF(4, 0), item.rect.center() + QPointF(4, 0));
        m_painter.drawLine(item.rect.center() - QPointF(0, 4), item.rect.center() + QPointF(0, 4));
        break;
    case DiagramItem::Kind::Note:
        m_painter.setFont(themeFont(TextStyle::Table));
        m_painter.setPen(themeColor(Token::Muted));
        m_painter.drawText(item.rect, Qt::AlignLeft | Qt::AlignVCenter, item.title);
        break;
    }
}

void DiagramPainter::drawColors(const QRectF& rect, const std::vector<ColorShare>& shares) const {
    qreal x = rect.left();
    for (const ColorShare& share : shares) {
        const qreal width = rect.width() * share.share;
        m_painter.fillRect(QRectF(x, rect.top(), width, rect.height()), share.color);
        x += width;
    }
}

void DiagramPainter::drawPart(const DiagramItem& item) const {
    m_painter.setPen(QPen(themeColor(item.warns ? Token::WarningMark : Token::StrongLine), item.warns ? 1.6 : 1));
    m_painter.setBrush(themeColor(item.warns ? Token::WarningFill : Token::Base));
    m_painter.drawRoundedRect(item.rect, 4, 4);
    const QRectF inner = item.rect.adjusted(10, 6, -10, 0);
    const QFont title = themeFont(TextStyle::Body);
    const qreal line = QFontMetricsF(themeFont(TextStyle::Table)).height();
    const std::uint64_t bytes = m_colors.bytesOf(*item.part);
    const QString size = bytes != 0 && inner.width() > 160 ? formatBytes(bytes) : QString();
    m_painter.setFont(themeFont(TextStyle::Table));
    m_painter.setPen(themeColor(Token::Muted));
    m_painter.drawText(QRectF(inner.left(), inner.top(), inner.width(), line), Qt::AlignRight | Qt::AlignVCenter, size);
    const qreal room =
        inner.width() - (size.isEmpty() ? 0 : QFontMetricsF(m_painter.font()).horizontalAdvance(size) + 8);
    for (qsizetype i = 0; i < item.lines.size(); ++i) {
        m_painter.drawText(
            QRectF(inner.left(), inner.top() + line * static_cast<qreal>(i + 1) + 1, inner.width(), line),
            Qt::AlignLeft | Qt::AlignVCenter, item.lines[i]);
    }
    m_painter.setFont(title);
    m_painter.setPen(themeColor(Token::Text));
    m_painter.drawText(QRectF(inner.left(), inner.top() - 1, room, line + 2), Qt::AlignLeft | Qt::AlignVCenter,
                       QFontMetricsF(title).elidedText(item.title, Qt::ElideRight, room));
    drawColors(QRectF(item.rect.left() + 1, item.rect.bottom() - 6, item.rect.width() - 2, 5), m_colors.of(*item.part));
}

void DiagramPainter::drawRow(const DiagramItem& item) const {
    const inference::StructureBlock& block = m_structure.stacks[item.block->stack].blocks[item.block->block];
    m_painter.setPen(QPen(themeColor(item.warns ? Token::WarningMark : Token::StrongLine), 1));
    m_painter.setBrush(themeColor(item.warns ? Token::WarningFill : item.unfolded ? Token::Selection : Token::Button));
    m_painter.drawRoundedRect(item.rect, 4, 4);
    const QPointF middle(item.rect.left() + 13, item.rect.center().y() - 1);
    m_painter.setPen(QPen(themeColor(Token::Muted), 1.4));
    const QPolygonF chevron =
        item.unfolded ? QPolygonF({{-4, -2}, {0, 2}, {4, -2}}) : QPolygonF({{-2, -4}, {2, 0}, {-2, 4}});
    m_painter.drawPolyline(chevron.translated(middle));
    const QFont font = themeFont(TextStyle::Body);
    m_painter.setFont(font);
    const QRectF text = item.rect.adjusted(26, 0, -10, -4);
    const QString size = formatBytes(m_colors.bytesOf(block));
    const qreal sizeWidth = QFontMetricsF(themeFont(TextStyle::Table)).horizontalAdvance(size) + 12;
    m_painter.setPen(themeColor(Token::Text));
    m_painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                       QFontMetricsF(font).elidedText(item.title, Qt::ElideRight, text.width() - sizeWidth));
    m_painter.setFont(themeFont(TextStyle::Table));
    m_painter.setPen(themeColor(Token::Muted));
    m_painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter, size);
    drawColors(QRectF(item.rect.left() + 1, item.rect.bottom() - 4, item.rect.width() - 2, 3), m_colors.of(block));
}

} // namespace gufo::ui
