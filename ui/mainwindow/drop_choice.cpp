#include "ui/mainwindow/drop_choice.h"

#include "ui/theme/style_shapes.h"

#include <QPainter>

namespace gufo::ui {
namespace {

constexpr int kMargin = 24;
constexpr int kGap = 16;

} // namespace

DropChoice::DropChoice(QWidget* window)
    : QWidget(window) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAcceptDrops(true);
    hide();
}

void DropChoice::setOffer(const QString& text) {
    m_offer = text;
    setAccessibleName(tr("Drop to open, or: %1").arg(text));
}

void DropChoice::showOver(const QWidget& area, QPoint at) {
    setGeometry(QRect(area.mapTo(window(), QPoint()), area.size()));
    m_at = at - pos();
    raise();
    show();
    update();
}

QRect DropChoice::half(bool offer) const {
    const QRect inner = rect().adjusted(kMargin, kMargin, -kMargin, -kMargin);
    const int width = (inner.width() - kGap) / 2;
    return {offer ? inner.right() - width + 1 : inner.left(), inner.top(), width, inner.height()};
}

bool DropChoice::isOffered(QPoint at) const { return (at - pos()).x() >= width() / 2; }

void DropChoice::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    QColor veil = themeColor(Token::Base);
    veil.setAlphaF(0.86F);
    painter.fillRect(rect(), veil);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool offered = m_at.x() >= width() / 2;
    for (const bool offer : {false, true}) {
        const QRect area = half(offer);
        const bool hovered = offer == offered;
        QPen pen(themeColor(hovered ? Token::Accent : Token::StrongLine), hovered ? 1.6 : 1.0);
        pen.setDashPattern({3.0, 2.5});
        painter.setPen(pen);
        painter.setBrush(themeColor(hovered ? Token::ChangedRow : Token::Base));
        painter.drawRoundedRect(QRectF(area).adjusted(0.8, 0.8, -0.8, -0.8), 8, 8);
        drawIcon(&painter, QRect(area.center().x() - 16, area.center().y() - 44, 32, 32),
                 offer ? QStringLiteral("compare") : QStringLiteral("import"), Token::Accent, 28);
        painter.setFont(themeFont(TextStyle::FactValue));
        painter.setPen(themeColor(Token::Text));
        const QRect text(area.left() + 16, area.center().y(), area.width() - 32, 30);
        painter.drawText(text, Qt::AlignCenter,
                         painter.fontMetrics().elidedText(offer ? m_offer : tr("Open"), Qt::ElideMiddle, text.width()));
    }
}

} // namespace gufo::ui

#include "moc_drop_choice.cpp"
