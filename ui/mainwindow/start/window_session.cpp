#include "ui/mainwindow/start/window_session.h"

#include "ui/shell/settings.h"

namespace gufo::ui {
namespace {

const QString kWindows = QStringLiteral("windows");

} // namespace

int Session::tabCount() const {
    int count = 0;
    for (const QJsonValue& window : windows) {
        count += static_cast<int>(window.toObject().value(QStringLiteral("tabs")).toArray().size());
    }
    return count;
}

Session Session::load() { return {.windows = readJson(QSettings(), setting::kSession).value(kWindows).toArray()}; }

void Session::save() const {
    QSettings settings;
    writeJson(settings, setting::kSession, {{kWindows, windows}});
}

} // namespace gufo::ui
