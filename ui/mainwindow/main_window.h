// A window: menus, the go-to field, tabs of models and start pages, the status line.
#pragma once

#include "base/place.h"
#include "model/owned_value.h"

#include <QActionGroup>
#include <QJsonObject>
#include <QMainWindow>
#include <QPointer>

#include <filesystem>
#include <functional>
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

    // Opens each as a tab at once; a path that is open already only comes to the front. Paths are absolute.
    void openPaths(const std::vector<std::filesystem::path>& paths);
    // What a person dropped or chose: folders stand for the models in them, which takes a look at the disk first.
    void openChosen(const std::vector<std::filesystem::path>& chosen);
    // The models against each other, in a tab of its own. Paths are absolute; a single one is opened.
    CompareTab* openComparison(const std::vector<std::filesystem::path>& paths, const QString& pageId = {});
    void bringToFront();
    // Files are held over the window, or no longer; `at` in its coordinates.
    void setDropHovered(bool hovered, QPoint at = {});
    // Opens them, or, dropped on that side of a tab with a model, compares them with it.
    void dropChosen(const std::vector<std::filesystem::path>& chosen, QPoint at);

    [[nodiscard]] QJsonObject saveTabs() const;
    void restoreTabs(const QJsonObject& state);

    [[nodiscard]] TabStrip* tabStrip() const { return m_strip; }
    [[nodiscard]] GoToField* goToField() const { return m_goTo; }
    [[nodiscard]] StatusStrip* statusStrip() const { return m_status; }
    [[nodiscard]] int tabCount() const;
    [[nodiscard]] QWidget* tabAt(int index) const;
    [[nodiscard]] ModelTab* modelTabAt(int index) const; // null if it is not of a model
    [[nodiscard]] ModelTab* currentModelTab() const;
    [[nodiscard]] CompareTab* currentCompareTab() const;
    [[nodiscard]] WindowTab* windowTabAt(int index) const; // of a model or a comparison; null for a start page
    [[nodiscard]] WindowTab* currentTab() const;
    [[nodiscard]] std::vector<ModelTab*> modelTabs() const;
    [[nodiscard]] ModelTab* findTab(const std::filesystem::path& path) const; // null: not open here
    void showTab(const QWidget* tab);
    // By its name in the table of actions ("reload"); null if there is none.
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
    void fillPagesMenu();
    void updateActions();

    StartPage* addStartPage();
    using Paths = std::vector<std::filesystem::path>;
    // Folders stand for the models in them; `then` is called with all of them.
    void collect(const Paths& chosen, std::function<void(const Paths&)> then);
    void openCollected(const Paths& paths);
    void offerToCompare();
    void openInTab(const std::filesystem::path& path, const Place& place);
    void copyKey(const std::filesystem::path& to, const QByteArray& key, const OwnedValue& value, const QString& from);
    void whenReady(ModelTab* tab, std::function<void(ModelTab*)> then);
    CompareTab* addCompareTab(const Paths& paths, const QJsonObject& state);
    ModelTab* addModelTab(const std::filesystem::path& path, const QJsonObject& state);
    void addWindowTab(WindowTab* tab);
    WindowTab* restoreTab(const QJsonObject& state);
    int addTab(QWidget* widget, const QString& iconName, const QString& title, const QString& toolTip);
    void closeTab(int index);                             // asks first where there are unsaved changes
    void closeTabs(const std::vector<QWidget*>& widgets); // so does this, once for all
    void closeTabNow(int index);
    void showTabMenu(int index, const QPoint& at);
    void currentTabChanged();
    void updateStatus();
    void updateGoTo();
    [[nodiscard]] StartPage* currentStartPage() const;
    [[nodiscard]] Page* currentPage() const;
    [[nodiscard]] int indexOf(const QWidget* widget) const;
    void opened(WindowTab* tab);
    void edited(ModelTab* tab);
    void writeTitle(const WindowTab* tab); // of the window; null: of a start page

    // Actions.
    void compareWith();
    void runSideBySide();
    void chooseComparison(const QString& pageId);
    void addToComparison();
    void exportHtml();
    void exportJson();
    void exportCsv();
    void exportComparison(int format); // ComparisonFormat
    void newTab();
    void newWindow();
    void showOpenDialog();
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
    void copyAs(int format); // CopyFormat
    void copyPath();
    void find();
    void focusGoTo();
    void quantise();
    void clearRecent();
    void nextTab();
    void previousTab();
    void stepTab(int by);
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
    NoticeBar* m_offer; // to compare what was opened together
    Paths m_together;   // until each is read, or has failed
    DropChoice* m_dropChoice;
    QMenu* m_recentMenu = nullptr;
    QMenu* m_pagesMenu = nullptr;
    QActionGroup m_pageActions{this};
    std::vector<QAction*> m_actions;   // in the order of the table
    std::vector<QJsonObject> m_closed; // states of closed tabs, the last at the end
    QPointer<Job> m_collecting;
};

} // namespace gufo::ui
