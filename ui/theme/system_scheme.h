// Whether the system asks for a dark window. Qt tells from 6.5 on; before, in this order: the XDG settings portal
// (org.freedesktop.appearance color-scheme, live), GTK's settings, KDE's colours, the platform's palette.
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

    // Asks and listens; call once, with a QApplication, before its palette is replaced.
    void start();
    [[nodiscard]] bool isDark() const { return m_dark; }

    // What the files say that GTK and KDE keep their choice in; nothing if they don't. Public for the test.
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
