// The windows of the program and what they share: recent files, the session, and files from drops and other processes.
#pragma once

#include "ui/mainwindow/start/recent_files.h"
#include "ui/shell/places.h"

#include <QJsonArray>
#include <QObject>
#include <QTimer>

#include <filesystem>
#include <vector>

namespace gufo::ui {

class MainWindow;
class ModelTab;

// The open windows and tabs as JSON in the settings:
//  {"windows": [{"current": 0, "tabs": [ModelTab::saveState() …]} …]}
struct Session {
    QJsonArray windows;

    [[nodiscard]] int tabCount() const;

    [[nodiscard]] static Session load();
    void save() const;
};

class WindowManager : public QObject {
    Q_OBJECT

public:
    // Only one process of a user stores the session: the one that listens for others.
    enum class SessionKeeping { On, Off };
    explicit WindowManager(SessionKeeping keeping, QObject* parent = nullptr);
    ~WindowManager() override;

    MainWindow* newWindow();
    [[nodiscard]] const std::vector<MainWindow*>& windows() const { return m_windows; }

    // Opens the models as tabs of the most recently used window and raises it. Without files, only raises it. Paths
    // must be absolute.
    void openFiles(const Places& places);

    // Compares the files with each other; a single file is opened.
    void compareFiles(const Places& places);

    [[nodiscard]] RecentFiles* recent() { return &m_recent; }

    // Each file is open in at most one tab of the program.
    struct FoundTab {
        MainWindow* window = nullptr;
        ModelTab* tab = nullptr;
    };
    [[nodiscard]] FoundTab findTab(const hub::ModelPlace& place) const;

    // The tabs of the last run, until they have been restored.
    [[nodiscard]] int restorableTabs() const { return m_previous.tabCount(); }
    void restoreSession(MainWindow* into);

    // Call when tabs have changed: writes the session soon, so that a crash loses little.
    void sessionChanged();
    void windowClosing(MainWindow* window);
    void quit(); // asks first if there are unsaved changes

signals:
    void restorableChanged();

protected:
    // Handles drops of files anywhere in a window, and macOS's file-open events.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void quitNow();
    void saveSession();

    SessionKeeping m_keeping;
    RecentFiles m_recent;
    Session m_previous;
    QTimer m_saveSoon;
    std::vector<MainWindow*> m_windows; // the most recently used one is last
    bool m_hadTabs = false;             // in this run
    bool m_quitting = false;
};

} // namespace gufo::ui
