// The desktop program: parses the arguments, contacts the running instance and opens the first window.
#include "arguments.h"
#include "ui/jobs/job.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/start/single_instance.h"
#include "ui/mainwindow/start/start_page.h"
#include "ui/mainwindow/window_manager.h"
#include "ui/messages/catalogue.h"
#include "ui/run/server_keys.h"
#include "ui/shell/places.h"
#include "ui/shell/settings.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QIcon>

#include <cstdio>

using namespace gufo::ui;

int main(int argc, char** argv) {
    if (answeredOnTheSpot(argc, argv)) {
        return 0;
    }
    QApplication application(argc, argv); // removes Qt's options from argv
    QApplication::setApplicationName(QStringLiteral("gufo"));
    QApplication::setOrganizationName(QStringLiteral("gufo"));
    QApplication::setApplicationDisplayName(QStringLiteral("Gufo"));
    QApplication::setApplicationVersion(QStringLiteral(GUFO_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("org.gufo.Gufo"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/gufo/gufo.svg")));

    const Arguments arguments = parseArguments(argc, argv);
    if (!arguments.wrongOption.isEmpty()) {
        std::fprintf(stderr, "gufo: unknown option %s; see gufo --help\n", arguments.wrongOption.constData());
        return 2;
    }

    Places models = arguments.models;
    if (arguments.sample && models.empty()) {
        if (std::filesystem::path sample = sampleModelPath(); !sample.empty()) {
            models.emplace_back(std::move(sample));
        }
    }

    SingleInstance instance;
    if (!arguments.newWindow && instance.sendToRunning(models, arguments.compare)) {
        return 0;
    }
    const bool first = instance.listen();

    prepareSettings();
    if (const QString language = QSettings().value(setting::kLanguage).toString(); !language.isEmpty()) {
        setLanguage(language);
    }
    ServerKeys::shared().setStore(systemSecretStore());
    applyAllowedPlainHosts();
    Theme::instance().setChoice(themeChoice());
    Theme::instance().apply();
    int exitCode = 0;
    {
        WindowManager windows(first ? WindowManager::SessionKeeping::On : WindowManager::SessionKeeping::Off);
        QObject::connect(&instance, &SingleInstance::modelsReceived, &windows,
                         [&windows](const auto& received, bool compare) {
                             compare ? windows.compareFiles(received) : windows.openFiles(received);
                         });
        MainWindow* window = windows.newWindow();
        const bool restore = first && windows.restorableTabs() > 0 && arguments.models.empty() &&
                             QSettings().value(setting::kRestoreOnStart, false).toBool();
        if (restore) {
            windows.restoreSession(window);
        } else if (!models.empty()) {
            arguments.compare ? windows.compareFiles(models) : windows.openFiles(models);
        }
        exitCode = QApplication::exec();
    }
    Job::waitForAll();
    return exitCode;
}
