// A window: menus, the go-to field, tabs of models and start pages, and the status line.
#pragma once

#include "base/place.h"
#include "hub/repository_models.h"
#include "model/owned_value.h"

#include <QActionGroup>
#include <QJsonObject>
#include <QMainWindow>
#include <QPointer>

#include <filesystem>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

class QMenu;
class QMenuBar;
class QStackedWidget;

namespace gufo::ui {

class CompareTab;
class DropChoice;
class GoToField;
class Job;
class ModelTab;
class NoticeBar;
class Page;
class RepositoryTab;
class StartPage;
class StatusStrip;
class TabStrip;
class WindowManager;
class WindowTab;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(WindowManager* manager);
    ~MainWindow() override;
    // The size of the first window on a screen with that much room for windows.
    [[nodiscard]] static QSize firstSize(const QSize& available);

    // Opens each path in a tab at once. A path that is already open is only brought to the front. Paths must be
    // absolute, addresses, or names on hubs.
    void openPaths(const std::vector<std::filesystem::path>& paths);
    // Opens what the user dropped or chose. Folders stand for the models in them, so the disk is searched first.
    void openChosen(const std::vector<std::filesystem::path>& chosen);
    // Lists the models in a repository of a hub.
    RepositoryTab* openRepository(const std::filesystem::path& name);
    // Compares the models in a tab of their own; a single path is opened instead. Paths must be absolute.
    CompareTab* openComparison(const std::vector<std::filesystem::path>& paths, const QString& pageId = {});
    void bringToFront();
    // Call when files are dragged over the window or leave it; `at` is in window coordinates.
    void setDropHovered(bool hovered, QPoint at = {});
    // Opens the files, or compares them with the model of the tab if they were dropped on that side.
    void dropChosen(const std::vector<std::filesystem::path>& chosen, QPoint at);

    [[nodiscard]] QJsonObject saveTabs() const;
    void restoreTabs(const QJsonObject& state);

    [[nodiscard]] int tabCount() const;
    [[nodiscard]] QWidget* tabAt(int index) const;
    [[nodiscard]] ModelTab* modelTabAt(int index) const; // null for other tabs
    [[nodiscard]] ModelTab* currentModelTab() const;
    [[nodiscard]] CompareTab* currentCompareTab() const;
    [[nodiscard]] WindowTab* windowTabAt(int index) const; // of a model or a comparison; null for a start page
    [[nodiscard]] WindowTab* currentTab() const;
    [[nodiscard]] std::vector<ModelTab*> modelTabs() const;
    [[nodiscard]] ModelTab* findTab(const std::filesystem::path& path) const; // null: not open here
    void showTab(const QWidget* tab);
    // The action of that name in the table of actions ("reload"); null if there is none.
    [[nodiscard]] QAction* namedAction(const char* name) const;

signals:
    void activated();

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    friend struct ActionTable; // main_window_actions.cpp: the menus, as a table

    void makeMenus(QMenuBar* bar);
    void makeThemeMenu(QMenu* menu);
    void fillRecentMenu();
    void markDrafts(std::vector<std::pair<std::filesystem::path, QPointer<QAction>>> rows);
    void fillPagesMenu();
    void updateActions();

    StartPage* addStartPage();
    using Paths = std::vector<std::filesystem::path>;
    // Replaces folders by the models in them, and calls `then` with all paths.
    void collect(const Paths& chosen, std::function<void(const Paths&)> then);
    void openCollected(const Paths& paths);
    void offerToCompare();
    void openInTab(const std::filesystem::path& path, const Place& place);
    void copyKey(const std::filesystem::path& to, const QByteArray& key, const OwnedValue& value, const QString& from);
    void whenReady(ModelTab* tab, std::function<void(ModelTab*)> then);
    CompareTab* addCompareTab(const Paths& paths, const QJsonObject& state);
    RepositoryTab* addRepositoryTab(const std::filesystem::path& name, const QJsonObject& state);
    void download(const std::filesystem::path& address, std::optional<hub::ModelFiles> files);
    [[nodiscard]] bool explainSaving(); // whether the current model is on a server, so that it cannot be saved
    ModelTab* addModelTab(const std::filesystem::path& path, const QJsonObject& state);
    void addWindowTab(WindowTab* tab);
    WindowTab* restoreTab(const QJsonObject& state);
    int addTab(QWidget* widget, const QString& iconName, const QString& title, const QString& toolTip);
    void closeTab(int index);                             // asks first if there are unsaved changes
    void closeTabs(const std::vector<QWidget*>& widgets); // asks at most once for all tabs
    void closeTabNow(int index);
    void showTabMenu(int index, const QPoint& at);
    void currentTabChanged();
    void updateStatus();
    void updateGoTo();
    // Commits what is being typed in the current tab. Returns false if that is impossible; the user has been told why.
    [[nodiscard]] bool commitTyped();
    [[nodiscard]] StartPage* currentStartPage() const;
    [[nodiscard]] Page* currentPage() const;
    [[nodiscard]] int indexOf(const QWidget* widget) const;
    void opened(WindowTab* tab);
    void edited(ModelTab* tab);
    void writeTitle(const WindowTab* tab); // sets the window's title; null: a start page

    // The slots of the actions.
    void compareWith();
    void runSideBySide();
    void chooseComparison(const QString& pageId);
    void addToComparison();
    void exportHtml();
    void exportJson();
    void exportCsv();
    void exportComparison(int format); // a ComparisonFormat
    void newTab();
    void newWindow();
    void showOpenDialog();
    void showAddressDialog();
    void downloadModel();
    void verifyAgainstOriginal();
    void reopenClosedTab();
    void restoreSession();
    void toggleRestoreOnStart();
    void closeCurrentTab();
    void quit();
    void save();
    void saveAs();
    void saveWithOptions();
    void revertAll();
    void review();
    void undo();
    void redo();
    void copyAsText();
    void copyAsTsv();
    void copyAsMarkdown();
    void copyAs(int format); // a CopyFormat
    void copyPath();
    void find();
    void focusGoTo();
    void quantise();
    void convertModel();
    void clearRecent();
    void nextTab();
    void previousTab();
    void stepTab(int by);
    void listTabs();
    void reload();
    void showInFileManager();
    void toggleSidebar();
    void toggleFullScreen();
    void showShortcuts();
    void showAbout();

    WindowManager* m_manager;
    TabStrip* m_strip;
    QStackedWidget* m_stack;
    StatusStrip* m_status;
    GoToField* m_goTo;
    NoticeBar* m_offer; // offers to compare files that were opened together
    Paths m_together;   // those files, until each has been read or has failed
    DropChoice* m_dropChoice;
    QMenu* m_recentMenu = nullptr;
    QMenu* m_pagesMenu = nullptr;
    QActionGroup m_pageActions{this};
    std::vector<QAction*> m_actions;   // in the order of the action table
    std::vector<QJsonObject> m_closed; // states of closed tabs, the most recent last
    QPointer<Job> m_collecting;
};

} // namespace gufo::ui
