// The desktop program: arguments, the running instance, the first window.
#include "arguments.h"
#include "ui/jobs/job.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/settings.h"
#include "ui/mainwindow/single_instance.h"
#include "ui/mainwindow/window_manager.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QIcon>

#include <cstdio>

using namespace gufo::ui;

int main(int argc, char** argv) {
    if (answeredOnTheSpot(argc, argv)) {
        return 0;
    }
    QApplication application(argc, argv); // takes Qt's options out of argv
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

    SingleInstance instance;
    if (!arguments.newWindow && instance.sendToRunning(arguments.files, arguments.compare)) {
        return 0;
    }
    const bool first = instance.listen();

    prepareSettings();
    Theme::instance().setChoice(themeChoice());
    Theme::instance().apply();
    int exitCode = 0;
    {
        WindowManager windows(first ? WindowManager::SessionKeeping::On : WindowManager::SessionKeeping::Off);
        QObject::connect(&instance, &SingleInstance::filesReceived, &windows,
                         [&windows](const auto& files, bool compare) {
                             compare ? windows.compareFiles(files) : windows.openFiles(files);
                         });
        MainWindow* window = windows.newWindow();
        if (!arguments.files.empty()) {
            arguments.compare ? windows.compareFiles(arguments.files) : windows.openFiles(arguments.files);
        } else if (first && QSettings().value(setting::kRestoreOnStart, false).toBool()) {
            windows.restoreSession(window);
        }
        exitCode = QApplication::exec();
    }
    Job::waitForAll();
    return exitCode;
}
