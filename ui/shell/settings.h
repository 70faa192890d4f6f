// The settings of the program (QSettings) and the folder for its state. Settings are under one schema version. All keys
// are listed here, except the states of pages ("pages/<id>"), the folders of file_dialogs.cpp and the user's presets
// of samplers (sampler_presets.cpp).
#pragma once

#include "ui/theme/theme.h"

#include <QJsonObject>
#include <QSettings>
#include <QString>

#include <filesystem>

namespace gufo::ui {

inline constexpr int kSettingsSchema = 1;

namespace setting {
inline const QString kSchema = QStringLiteral("schema");
inline const QString kTheme = QStringLiteral("theme");       // "system", "light", "dark"
inline const QString kLanguage = QStringLiteral("language"); // "de", see ui/messages/catalogue.h; the system's if empty
inline const QString kGeometry = QStringLiteral("window/geometry");              // of the last window
inline const QString kSidebar = QStringLiteral("window/sidebar");                // bool: shown
inline const QString kRestoreOnStart = QStringLiteral("session/restoreOnStart"); // bool
inline const QString kSession = QStringLiteral("session/windows");               // JSON, see window_manager.h
inline const QString kRecent = QStringLiteral("recent");                         // array, see recent_files.h
inline const QString kOpenFolder = QStringLiteral("open/folder");                // where Open… starts
inline const QString kPages = QStringLiteral("pages/");                          // + id: JSON of Page::saveState
inline const QString kPlainHosts = QStringLiteral("net/plainHosts");             // strings, see places.h
inline const QString kOrigins = QStringLiteral("net/origins");                   // JSON, see downloads.h
inline const QString kDownloadFolder = QStringLiteral("net/downloadFolder");
inline const QString kDownloads = QStringLiteral("net/downloads");  // JSON, see downloads.h
inline const QString kSaveVerify = QStringLiteral("save/verify");   // bool: hash tensor data
inline const QString kSaveReserve = QStringLiteral("save/reserve"); // bool: keep space in the header
} // namespace setting

// Call once at start: writes the schema version into new settings, and sets aside settings that a newer version of the
// program wrote in an unknown schema.
void prepareSettings();

[[nodiscard]] QJsonObject readJson(const QSettings& settings, const QString& key);
// The user's choice of colours.
[[nodiscard]] Theme::Choice themeChoice();
void saveThemeChoice(Theme::Choice choice);

void writeJson(QSettings& settings, const QString& key, const QJsonObject& object);

// The folder for data that the user did not save but must not lose: drafts and conversations. It is
// "gufo" in the user's state folder (XDG_STATE_HOME, XDG Base Directory Specification), or in the local application
// data on other systems, and may not exist yet.
[[nodiscard]] std::filesystem::path stateFolder();

} // namespace gufo::ui
