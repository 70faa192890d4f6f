#include "ui/widgets/tool_button.h"

namespace gufo::ui {

QToolButton* makeToolButton(const QString& icon, const QString& name, QWidget* parent, Token color) {
    auto* button = new QToolButton(parent);
    button->setIcon(themeIcon(icon, color));
    button->setAutoRaise(true);
    button->setToolTip(name);
    button->setAccessibleName(name);
    return button;
}

} // namespace gufo::ui
