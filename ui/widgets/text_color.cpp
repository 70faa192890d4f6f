#include "ui/widgets/text_color.h"

#include <QEvent>
#include <QLayout>
#include <QWidget>

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

namespace {

class Growth : public QObject {
public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override {
        const bool mayNeedMore = event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show;
        if (auto* window = qobject_cast<QWidget*>(watched); mayNeedMore && window->layout() != nullptr) {
            const int needed = window->layout()->totalHeightForWidth(window->width());
            if (needed > window->height()) {
                window->resize(window->width(), needed);
            }
        }
        return QObject::eventFilter(watched, event);
    }
};

} // namespace

void growWithTexts(QWidget* window) { window->installEventFilter(new Growth(window)); }

} // namespace gufo::ui
