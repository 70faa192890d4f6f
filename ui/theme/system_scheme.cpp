#include "ui/theme/system_scheme.h"

#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QPalette>
#include <QSettings>
#include <QStandardPaths>
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
#include <QStyleHints>
#endif
#ifdef GUFO_HAS_DBUS
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusVariant>
#endif

namespace gufo::ui {
namespace {

#ifdef GUFO_HAS_DBUS
// org.freedesktop.impl.portal.Settings: 0 no preference, 1 dark, 2 light.
constexpr int kPortalDark = 1;
constexpr int kPortalLight = 2;
constexpr int kPortalTimeoutMs = 300; // at start, before there is a window
const QString kPortalService = QStringLiteral("org.freedesktop.portal.Desktop");
const QString kPortalPath = QStringLiteral("/org/freedesktop/portal/desktop");
const QString kPortalInterface = QStringLiteral("org.freedesktop.portal.Settings");
const QString kAppearance = QStringLiteral("org.freedesktop.appearance");
const QString kColorScheme = QStringLiteral("color-scheme");

std::optional<bool> darkFromPortalValue(const QVariant& value) {
    QVariant plain = value;
    while (plain.metaType() == QMetaType::fromType<QDBusVariant>()) { // Read() wraps its reply twice
        plain = plain.value<QDBusVariant>().variant();
    }
    const int choice = plain.toInt();
    return choice == kPortalDark ? std::optional(true) : choice == kPortalLight ? std::optional(false) : std::nullopt;
}

// Without a bus address, the D-Bus library would try to launch a bus, which can take seconds.
bool hasSessionBus() {
    if (qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS")) {
        return true;
    }
    const QString runtimeDir = qEnvironmentVariable("XDG_RUNTIME_DIR");
    return !runtimeDir.isEmpty() && QFileInfo::exists(runtimeDir + QStringLiteral("/bus"));
}
#endif

bool isDarkColor(const QColor& window) { return window.lightness() < 128; }

} // namespace

SystemScheme& SystemScheme::instance() {
    static SystemScheme scheme;
    return scheme;
}

void SystemScheme::start() {
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    const auto* hints = QGuiApplication::styleHints();
    connect(hints, &QStyleHints::colorSchemeChanged, this,
            [this](Qt::ColorScheme scheme) { setDark(scheme == Qt::ColorScheme::Dark); });
    if (hints->colorScheme() != Qt::ColorScheme::Unknown) {
        setDark(hints->colorScheme() == Qt::ColorScheme::Dark);
        return;
    }
#endif
    if (askPortal()) {
        return;
    }
    const QString config = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation);
    const QString gtkTheme = qEnvironmentVariable("GTK_THEME"); // "Adwaita:dark"
    if (!gtkTheme.isEmpty()) {
        setDark(gtkTheme.contains(QLatin1String("dark"), Qt::CaseInsensitive));
    } else if (const auto kde = darkFromKdeColors(config + QStringLiteral("/kdeglobals"))) {
        setDark(*kde);
    } else if (const auto gtk4 = darkFromGtkSettings(config + QStringLiteral("/gtk-4.0/settings.ini"))) {
        setDark(*gtk4);
    } else if (const auto gtk3 = darkFromGtkSettings(config + QStringLiteral("/gtk-3.0/settings.ini"))) {
        setDark(*gtk3);
    } else {
        setDark(isDarkColor(QGuiApplication::palette().color(QPalette::Window)));
    }
}

std::optional<bool> SystemScheme::darkFromGtkSettings(const QString& iniFile) {
    if (!QFileInfo(iniFile).isFile()) {
        return {};
    }
    const QSettings settings(iniFile, QSettings::IniFormat);
    const QString prefersDark = settings.value(QStringLiteral("Settings/gtk-application-prefer-dark-theme")).toString();
    if (prefersDark == QLatin1String("1") || prefersDark.compare(QLatin1String("true"), Qt::CaseInsensitive) == 0) {
        return true;
    }
    const QString theme = settings.value(QStringLiteral("Settings/gtk-theme-name")).toString();
    if (theme.endsWith(QLatin1String("-dark"), Qt::CaseInsensitive)) {
        return true;
    }
    return prefersDark.isEmpty() && theme.isEmpty() ? std::nullopt : std::optional(false);
}

std::optional<bool> SystemScheme::darkFromKdeColors(const QString& iniFile) {
    if (!QFileInfo(iniFile).isFile()) {
        return {};
    }
    const QSettings settings(iniFile, QSettings::IniFormat);
    const QStringList rgb = settings.value(QStringLiteral("Colors:Window/BackgroundNormal")).toStringList();
    if (rgb.size() != 3) {
        return {};
    }
    return isDarkColor(QColor(rgb[0].toInt(), rgb[1].toInt(), rgb[2].toInt()));
}

void SystemScheme::setDark(bool dark) {
    if (dark != m_dark) {
        m_dark = dark;
        emit changed();
    }
}

bool SystemScheme::askPortal() {
#ifdef GUFO_HAS_DBUS
    if (!hasSessionBus()) {
        return false;
    }
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) {
        return false;
    }
    bus.connect(kPortalService, kPortalPath, kPortalInterface, QStringLiteral("SettingChanged"), this,
                SLOT(portalSettingChanged(QString, QString, QDBusVariant)));
    QDBusMessage ask =
        QDBusMessage::createMethodCall(kPortalService, kPortalPath, kPortalInterface, QStringLiteral("Read"));
    ask << kAppearance << kColorScheme;
    const QDBusMessage answer = bus.call(ask, QDBus::Block, kPortalTimeoutMs);
    if (answer.type() != QDBusMessage::ReplyMessage || answer.arguments().isEmpty()) {
        return false;
    }
    const auto dark = darkFromPortalValue(answer.arguments().constFirst());
    if (dark) {
        setDark(*dark);
    }
    return dark.has_value();
#else
    return false;
#endif
}

#ifdef GUFO_HAS_DBUS
void SystemScheme::portalSettingChanged(const QString& group, const QString& key, const QDBusVariant& value) {
    if (group == kAppearance && key == kColorScheme) {
        setDark(darkFromPortalValue(value.variant()).value_or(false));
    }
}
#endif

} // namespace gufo::ui

#include "moc_system_scheme.cpp"
