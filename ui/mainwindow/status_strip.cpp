#include "ui/mainwindow/status_strip.h"

#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QPainter>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kHeight = 25;
constexpr int kStripMargin = 12;
constexpr int kCellPadding = 10;

} // namespace

StatusStrip::StatusStrip(QWidget* parent)
    : QWidget(parent)
    , m_left(new ElidedLabel(TextStyle::Axis, Token::Muted, Qt::ElideMiddle, this)) {
    setFont(themeFont(TextStyle::Axis));
    setFixedHeight(std::max(kHeight, fontMetrics().height() + 8));
    setAccessibleName(tr("Status"));
    m_left->setObjectName(QStringLiteral("statusText"));
}

void StatusStrip::setTexts(const QString& left, const QStringList& right) {
    m_left->setText(left);
    if (right != m_right) {
        m_right = right;
        arrange();
        update();
    }
    setAccessibleDescription((QStringList(left) + right).join(QStringLiteral(", ")));
}

void StatusStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void StatusStrip::arrange() {
    int rightWidth = 0;
    for (const QString& text : m_right) {
        rightWidth += fontMetrics().horizontalAdvance(text) + 2 * kCellPadding + 1;
    }
    m_left->setGeometry(kStripMargin, 1, std::max(0, width() - rightWidth - kStripMargin - kCellPadding), height() - 1);
}

void StatusStrip::paintEvent(QPaintEvent* event) {
    Q_UNUSED(event);
    QPainter painter(this);
    painter.fillRect(rect(), themeColor(Token::Window));
    painter.fillRect(0, 0, width(), 1, themeColor(Token::Line));
    int right = width();
    for (auto text = m_right.crbegin(); text != m_right.crend(); ++text) {
        const int cell = fontMetrics().horizontalAdvance(*text) + 2 * kCellPadding;
        painter.setPen(themeColor(Token::Muted));
        painter.drawText(QRect(right - cell, 1, cell, height() - 1), Qt::AlignCenter | Qt::TextSingleLine, *text);
        right -= cell;
        painter.fillRect(right, 5, 1, height() - 9, themeColor(Token::Line));
        right -= 1;
    }
}

} // namespace gufo::ui

#include "moc_status_strip.cpp"
