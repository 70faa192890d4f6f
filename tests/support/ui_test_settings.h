// Temporary settings and run-time folder for a UI test, which therefore neither sees nor changes the user's own.
#pragma once

#include <QCoreApplication>
#include <QDir>
#include <QSettings>
#include <QTemporaryDir>

#include <filesystem>

class UiTestSettings {
public:
    UiTestSettings() {
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_dir.path());
        qputenv("XDG_STATE_HOME", m_dir.path().toLocal8Bit()); // drafts
        QCoreApplication::setOrganizationName(QStringLiteral("gufo-test"));
        QCoreApplication::setApplicationName(QStringLiteral("gufo-test"));
    }

    void clear() { QSettings().clear(); }
    [[nodiscard]] std::filesystem::path folder() const { return m_dir.path().toStdString(); }

private:
    QTemporaryDir m_dir;
};
