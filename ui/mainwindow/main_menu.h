// The menus of a window as a table: the text and the keys of each entry, what it needs to be enabled, and what it does.
#pragma once

#include <QActionGroup>
#include <QMenu>
#include <QObject>
#include <QPointer>

#include <filesystem>
#include <utility>
#include <vector>

class QMenuBar;

namespace gufo::ui {

class MainWindow;
class ModelTools;

class MainMenu : public QObject {
public:
    MainMenu(MainWindow* window, ModelTools* tools, QMenuBar* bar);

    // The action of that name in the table ("reload"); null if there is none.
    [[nodiscard]] QAction* action(const char* name) const;
    // Enables the entries that are possible in the current tab.
    void update();
    // Lists the pages of the current tab.
    void fillPages();

private:
    struct Table; // the rows, which name private slots of the window

    void fillThemes(QMenu* menu);
    void fillLanguages(QMenu* menu);
    void fillRecent();
    void markDrafts(std::vector<std::pair<std::filesystem::path, QPointer<QAction>>> rows);

    MainWindow* m_window;
    ModelTools* m_tools;
    QMenu* m_recent = nullptr;
    QMenu* m_pages = nullptr;
    QActionGroup m_pageActions{this};
    std::vector<QAction*> m_actions; // in the order of the table
};

} // namespace gufo::ui
