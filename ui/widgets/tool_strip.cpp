#include "ui/widgets/tool_strip.h"

#include "ui/theme/theme.h"

#include <QHBoxLayout>
#include <QPainter>

namespace gufo::ui {
namespace {

constexpr int kHeight = 42;

} // namespace

ToolStrip::ToolStrip(QWidget* parent)
    : QWidget(parent) {
    setFixedHeight(kHeight);
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

} // namespace gufo::ui

#include "moc_tool_strip.cpp"
