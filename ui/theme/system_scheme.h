// Whether the system prefers a dark theme. Qt reports it from 6.5 on. For earlier versions this class asks, in this
// order: the XDG settings portal (org.freedesktop.appearance color-scheme, with updates), GTK's settings, KDE's
// colours, and the platform's palette.
#pragma once

#include <QObject>
#include <QVariant>
#ifdef GUFO_HAS_DBUS
#include <QDBusVariant>
#endif

#include <optional>

namespace gufo::ui {

class SystemScheme : public QObject {
    Q_OBJECT

public:
    static SystemScheme& instance();

    // Reads the preference and subscribes to changes. Call once, with a QApplication, before its palette is replaced.
    void start();
    [[nodiscard]] bool isDark() const { return m_dark; }

    // Parse the files in which GTK and KDE store the preference. Empty if a file does not state it. Public for the
    // test.
    [[nodiscard]] static std::optional<bool> darkFromGtkSettings(const QString& iniFile);
    [[nodiscard]] static std::optional<bool> darkFromKdeColors(const QString& iniFile);

signals:
    void changed();

#ifdef GUFO_HAS_DBUS
private slots:
    void portalSettingChanged(const QString& group, const QString& key, const QDBusVariant& value);
#endif

private:
    SystemScheme() = default;
    void setDark(bool dark);
    [[nodiscard]] bool askPortal();

    bool m_dark = false;
};

} // namespace gufo::ui
