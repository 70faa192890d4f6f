// A window: menus, the go-to field, tabs of models and start pages, and the status line.
#pragma once

#include "ui/shell/places.h"
#include "ui/widgets/table_text.h"

#include <QJsonObject>
#include <QMainWindow>

#include <vector>

class QAction;

namespace gufo::ui {

class CompareTab;
class GoToField;
struct GuideChapter;
class MainMenu;
class ModelTab;
class Opener;
class Page;
class RepositoryTab;
class StartPage;
class StatusStrip;
class TabEditing;
class WindowManager;
class WindowTab;
class WindowTabs;
class ZoomPlot;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(WindowManager* manager);
    // The size of the first window on a screen with that much room for windows.
    [[nodiscard]] static QSize firstSize(const QSize& available);
    // Below which no window gets there: 640 × 480, or less if the screen is smaller, as one of 1440 × 900 is at twice
    // the scale.
    [[nodiscard]] static QSize smallestSize(const QSize& available);

    // Opens each place in a tab: the first 24 at once, further ones from the event loop. A place that is already open is
    // only brought to the front. Paths must be absolute.
    void openPlaces(const Places& places);
    // Opens what the user dropped or chose. Folders stand for the models in them, so the disk is searched first.
    void openChosen(const Places& chosen);
    // Lists the models in a repository of a hub.
    RepositoryTab* openRepository(const hub::HubName& name);
    // Compares the models in a tab of their own; a single one is opened instead. Paths must be absolute.
    CompareTab* openComparison(const Places& places, const QString& pageId = {});
    void bringToFront();
    // Call when files are dragged over the window or leave it; `at` is in window coordinates.
    void setDropHovered(bool hovered, QPoint at = {});
    // Opens the files, or compares them with the model of the tab if they were dropped on that side.
    void dropChosen(const Places& chosen, QPoint at);

    [[nodiscard]] QJsonObject saveTabs() const;
    void restoreTabs(const QJsonObject& state);

    [[nodiscard]] int tabCount() const;
    [[nodiscard]] QWidget* tabAt(int index) const;
    [[nodiscard]] ModelTab* modelTabAt(int index) const; // null for other tabs
    [[nodiscard]] ModelTab* currentModelTab() const;
    [[nodiscard]] CompareTab* currentCompareTab() const;
    [[nodiscard]] WindowTab* currentTab() const;
    [[nodiscard]] std::vector<ModelTab*> modelTabs() const;
    [[nodiscard]] ModelTab* findTab(const hub::ModelPlace& place) const; // null: not open here
    void showTab(const QWidget* tab);
    // The action of that name in the table of actions ("reload"); null if there is none.
    [[nodiscard]] QAction* namedAction(const char* name) const;
    // The plot that the commands for zooming are about: the one with the focus, or the first that is visible on the
    // page. Null if there is none.
    [[nodiscard]] ZoomPlot* zoomedPlot() const;

signals:
    void activated();

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    friend class MainMenu; // whose entries call private functions
    friend class Opener;

    StartPage* addStartPage();
    void addWindowTab(WindowTab* tab);
    void currentTabChanged();
    void updateStatus();
    void updateGoTo();
    // Commits the text being typed in the current tab. Returns false if that is impossible; the user has been told why.
    [[nodiscard]] bool commitTyped();
    [[nodiscard]] bool explainSaving(); // whether the current model is on a server, so that it cannot be saved
    [[nodiscard]] StartPage* currentStartPage() const;
    [[nodiscard]] TabEditing* currentEditing() const; // null if the current model cannot be edited
    [[nodiscard]] Page* currentPage() const;
    void opened(WindowTab* tab);
    void edited(ModelTab* tab);
    void writeTitle(const WindowTab* tab); // sets the window's title; null: a start page

    // What the entries of the menus do.
    void reopenClosedTab();
    void toggleRestoreOnStart();
    void save();
    void saveAs();
    void saveWithOptions();
    void revertAll();
    void review();
    void undo();
    void redo();
    void copyAs(CopyFormat format);
    void copyPath();
    void find();
    void focusGoTo();
    void zoomBy(Qt::Key key);
    void reload();
    void showInFileManager();
    void toggleSidebar();
    void toggleFullScreen();
    void showGuide();
    void showGuideChapter(const GuideChapter& chapter);

    WindowManager* m_manager;
    WindowTabs* m_tabs;
    StatusStrip* m_status;
    GoToField* m_goTo;
    Opener* m_opener;
    MainMenu* m_menu = nullptr;
};

} // namespace gufo::ui
