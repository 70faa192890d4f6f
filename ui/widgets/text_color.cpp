#include "ui/widgets/text_color.h"

namespace gufo::ui {

void setTextColor(QWidget* widget, Token token) {
    QPalette palette = widget->palette();
    palette.setColor(QPalette::WindowText, themeColor(token));
    palette.setColor(QPalette::Link, themeColor(Token::Accent));
    widget->setPalette(palette);
    widget->setForegroundRole(QPalette::WindowText); // on a page with the colour Base it would be Text
}

QLabel* themedLabel(const QString& text, TextStyle style, Token token, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    const auto restyle = [label, style, token] {
        label->setFont(themeFont(style));
        setTextColor(label, token);
    };
    QObject::connect(&Theme::instance(), &Theme::changed, label, restyle);
    restyle();
    return label;
}

} // namespace gufo::ui
