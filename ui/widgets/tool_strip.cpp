#include "ui/widgets/tool_strip.h"

#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QPainter>

namespace gufo::ui {

namespace {

constexpr int kStripHeight = 42;

} // namespace

ToolStrip::ToolStrip(QWidget* parent)
    : QWidget(parent) {
    setFixedHeight(kStripHeight);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 0, 12, 1);
    layout->setSpacing(8);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void ToolStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), themeColor(Token::Header));
    painter.fillRect(0, height() - 1, width(), 1, themeColor(Token::Line));
}

QFrame* makeSeparator(Qt::Orientation orientation, QWidget* parent) {
    auto* line = new QFrame(parent);
    if (orientation == Qt::Vertical) {
        line->setFrameShape(QFrame::VLine);
        line->setFixedWidth(1);
    } else {
        line->setFrameShape(QFrame::HLine);
        line->setFixedHeight(1);
    }
    return line;
}

QToolButton* makeToolButton(const QString& icon, const QString& name, QWidget* parent, Token color) {
    auto* button = new QToolButton(parent);
    button->setIcon(themeIcon(icon, color));
    button->setAutoRaise(true);
    button->setToolTip(name);
    button->setAccessibleName(name);
    return button;
}

} // namespace gufo::ui

#include "moc_tool_strip.cpp"
