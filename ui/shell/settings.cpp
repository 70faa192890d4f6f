#include "ui/shell/settings.h"

#include "ui/shell/native_path.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QLoggingCategory>
#include <QStandardPaths>

namespace gufo::ui {

namespace {

Q_LOGGING_CATEGORY(log, "gufo.settings")

} // namespace

void prepareSettings() {
    QSettings settings;
    const int schema = settings.value(setting::kSchema, 0).toInt();
    if (schema > kSettingsSchema) {
        const QString aside = settings.fileName() + QStringLiteral(".schema%1").arg(schema);
        qCWarning(log) << "settings are of the newer schema" << schema << "and are kept in" << aside;
        QFile::remove(aside);
        QFile::copy(settings.fileName(), aside);
        settings.clear();
    }
    settings.setValue(setting::kSchema, kSettingsSchema);
}

namespace {

struct ChoiceRow {
    Theme::Choice choice;
    const char* name;
};
constexpr ChoiceRow kChoices[] = {
    {Theme::Choice::System, "system"},
    {Theme::Choice::Light, "light"},
    {Theme::Choice::Dark, "dark"},
};

} // namespace

Theme::Choice themeChoice() {
    const QString name = QSettings().value(setting::kTheme).toString();
    for (const ChoiceRow& row : kChoices) {
        if (name == QLatin1String(row.name)) {
            return row.choice;
        }
    }
    return Theme::Choice::System;
}

void saveThemeChoice(Theme::Choice choice) {
    for (const ChoiceRow& row : kChoices) {
        if (row.choice == choice) {
            QSettings().setValue(setting::kTheme, QLatin1String(row.name));
        }
    }
}

QJsonObject readJson(const QSettings& settings, const QString& key) {
    return QJsonDocument::fromJson(settings.value(key).toString().toUtf8()).object();
}

void writeJson(QSettings& settings, const QString& key, const QJsonObject& object) {
    settings.setValue(key, QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact)));
}

std::filesystem::path stateFolder() {
#if defined(Q_OS_LINUX) || defined(Q_OS_BSD4)
    const QByteArray state = qgetenv("XDG_STATE_HOME");
    const std::filesystem::path folder =
        state.startsWith('/') ? pathFromBytes(state) : fromQtPath(QDir::homePath()) / ".local" / "state";
    return folder / "gufo";
#else
    return fromQtPath(QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation));
#endif
}

} // namespace gufo::ui
