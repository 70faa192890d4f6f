// The open windows and tabs as JSON in the settings:
//  {"windows": [{"current": 0, "tabs": [ModelTab::saveState() …]} …]}
#pragma once

#include <QJsonArray>
#include <QJsonObject>

namespace gufo::ui {

struct Session {
    QJsonArray windows;

    [[nodiscard]] int tabCount() const;

    [[nodiscard]] static Session load();
    void save() const;
};

} // namespace gufo::ui
