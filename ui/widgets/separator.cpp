#include "ui/widgets/separator.h"

namespace gufo::ui {

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

} // namespace gufo::ui
