#include "ui/messages/speed_text.h"

#include <QLocale>

namespace gufo::ui {

QString speedText(double perSecond) {
    return QLocale(QLocale::English, QLocale::UnitedStates).toString(perSecond, 'f', perSecond < 100 ? 1 : 0);
}

} // namespace gufo::ui
