#include "ui/widgets/elided_label.h"

#include <QFontMetrics>
#include <QPainter>
#include <QTextDocument>

#include <algorithm>

namespace gufo::ui {

QString plainToolTip(const QString& text) {
    return Qt::mightBeRichText(text) ? QStringLiteral("<qt>%1</qt>").arg(text.toHtmlEscaped()) : text;
}

ElidedLabel::ElidedLabel(TextStyle style, Token token, Qt::TextElideMode mode, QWidget* parent)
    : QWidget(parent)
    , m_token(token)
    , m_mode(mode) {
    setFont(themeFont(style));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ElidedLabel::setText(const QString& text) {
    if (text == m_text) {
        return;
    }
    m_text = text;
    setAccessibleName(text);
    updateToolTip();
    updateGeometry();
    update();
}

QSize ElidedLabel::sizeHint() const {
    const QFontMetrics metrics(font());
    return {metrics.horizontalAdvance(m_text) + 1, metrics.height()};
}

QSize ElidedLabel::minimumSizeHint() const {
    const QFontMetrics metrics(font());
    return {std::min(sizeHint().width(), metrics.averageCharWidth() * 8), metrics.height()};
}

void ElidedLabel::paintEvent(QPaintEvent* event) {
    Q_UNUSED(event);
    QPainter painter(this);
    painter.setPen(themeColor(m_token));
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     fontMetrics().elidedText(m_text, m_mode, width()));
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    updateToolTip();
}

void ElidedLabel::updateToolTip() { setToolTip(sizeHint().width() > width() ? plainToolTip(m_text) : QString()); }

} // namespace gufo::ui

#include "moc_elided_label.cpp"
