#include "ui/widgets/grow_with_texts.h"

#include <QEvent>
#include <QLayout>
#include <QWidget>

namespace gufo::ui {
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
