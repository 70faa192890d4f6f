#include "ui/mainwindow/notice_bar.h"

#include "ui/theme/style_shapes.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

namespace gufo::ui {

NoticeBar::NoticeBar(QWidget* parent)
    : QWidget(parent)
    , m_text(new QLabel(this))
    , m_action(new QPushButton(this)) {
    m_text->setTextFormat(Qt::PlainText);
    m_action->setProperty("small", true);
    auto* close = new QToolButton(this);
    close->setProperty("small", true);
    close->setAutoRaise(true);
    close->setIcon(themeIcon(QStringLiteral("close"), Token::Muted));
    close->setIconSize({12, 12});
    close->setToolTip(tr("Dismiss"));
    close->setAccessibleName(tr("Dismiss"));
    connect(m_action, &QPushButton::clicked, this, &NoticeBar::actionRequested);
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(40, 5, 12, 6);
    layout->setSpacing(8);
    layout->addWidget(m_text);
    layout->addWidget(m_action);
    layout->addStretch(1);
    layout->addWidget(close);
    hide();
}

QString NoticeBar::text() const { return m_text->text(); }

void NoticeBar::showNotice(const QString& text, const QString& action) {
    m_text->setText(text);
    m_action->setText(action);
    setAccessibleName(text);
    show();
}

void NoticeBar::paintEvent(QPaintEvent* event) {
    Q_UNUSED(event);
    QPainter painter(this);
    painter.fillRect(rect(), themeColor(Token::WarningFill));
    painter.fillRect(0, height() - 1, width(), 1, themeColor(Token::Line));
    drawIcon(&painter, QRect(12, 0, 20, height() - 1), QStringLiteral("warning"), Token::WarningMark, 16);
}

} // namespace gufo::ui
