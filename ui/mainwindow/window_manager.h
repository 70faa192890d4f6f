// The windows of the program and what they share: recent files, the session, drops and files from outside.
#pragma once

#include "ui/mainwindow/start/recent_files.h"
#include "ui/mainwindow/start/window_session.h"

#include <QObject>
#include <QTimer>

#include <filesystem>
#include <vector>

namespace gufo::ui {

class MainWindow;
class ModelTab;

class WindowManager : public QObject {
    Q_OBJECT

public:
    // Only one program of a person keeps the session: the one that listens for others.
    enum class SessionKeeping { On, Off };
    explicit WindowManager(SessionKeeping keeping, QObject* parent = nullptr);
    ~WindowManager() override;

    MainWindow* newWindow();
    [[nodiscard]] const std::vector<MainWindow*>& windows() const { return m_windows; }

    // In the window used last, as tabs; raises it. Paths are absolute. Nothing given: raises it.
    void openFiles(const std::vector<std::filesystem::path>& paths);

    // The same, as a comparison with each other; a single one is opened.
    void compareFiles(const std::vector<std::filesystem::path>& paths);

    [[nodiscard]] RecentFiles* recent() { return &m_recent; }

    // A file is open in one tab of the program at most.
    struct FoundTab {
        MainWindow* window = nullptr;
        ModelTab* tab = nullptr;
    };
    [[nodiscard]] FoundTab findTab(const std::filesystem::path& path) const;

    // Of the last run, until it has been restored.
    [[nodiscard]] int restorableTabs() const { return m_previous.tabCount(); }
    void restoreSession(MainWindow* into);

    // The tabs have changed: writes the session soon, so that a crash loses little.
    void sessionChanged();
    void windowClosing(MainWindow* window);
    void quit(); // asks first where there are unsaved changes

signals:
    void restorableChanged();

protected:
    // Drops of files anywhere in a window, and macOS's way of opening files.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void quitNow();
    void saveSession();

    SessionKeeping m_keeping;
    RecentFiles m_recent;
    Session m_previous;
    QTimer m_saveSoon;
    std::vector<MainWindow*> m_windows; // the one used last at the end
    bool m_hadTabs = false;             // in this run
    bool m_quitting = false;
};

} // namespace gufo::ui
