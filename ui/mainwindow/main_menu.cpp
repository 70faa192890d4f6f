#include "ui/mainwindow/main_menu.h"

#include "document/draft.h"
#include "formats/container/container.h"
#include "ui/compare/compare_tab.h"
#include "ui/convert/planned_conversion.h"
#include "ui/guide/guide_chapters.h"
#include "ui/jobs/job.h"
#include "ui/mainwindow/help_dialogs.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/model_tools.h"
#include "ui/mainwindow/opener.h"
#include "ui/mainwindow/start/recent_files.h"
#include "ui/mainwindow/start/start_page.h"
#include "ui/mainwindow/tabs/model_tab.h"
#include "ui/mainwindow/tabs/window_tabs.h"
#include "ui/mainwindow/window_manager.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/saving/draft_keeper.h"
#include "ui/shell/chosen_models.h"
#include "ui/shell/native_path.h"
#include "ui/shell/settings.h"
#include "ui/theme/theme.h"
#include "ui/tools/merge_set_dialog.h"

#include <QMenuBar>
#include <QMessageBox>

#include <algorithm>

namespace gufo::ui {
namespace {

enum class Menu { File, Edit, View, Model, Tools, Help };
enum class Needs {
    Nothing,
    Tab,
    Comparison,
    ModelTab,
    LocalModel,
    RemoteModel,
    Model,
    Rewritable,
    SeveralFiles,
    Runnable,
    Convertible,
    Page,
    ClosedTab,
    Session,
    Filter,
    SeveralTabs,
    Undo,
    Redo,
    Changes,
    Saveable
};
enum class Kind { Plain, Check, SeparatorBefore, RecentMenu, PagesMenu, ThemeMenu, LanguageMenu, GuideMenu };
// What happens to text that is being typed: it is committed first, and the command waits until that is possible; or the
// command itself asks about it.
enum class Typed { CommittedFirst, AskedAbout };

constexpr std::array<const char*, 6> kMenuTitles{
    QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&File"),  QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Edit"),
    QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&View"),  QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Model"),
    QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Tools"), QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Help"),
};

// What an entry does: something with the window, or a tool for the current model.
struct MenuCommand {
    constexpr MenuCommand(std::nullptr_t) {}
    constexpr MenuCommand(void (MainWindow::*command)())
        : m_ofWindow(command) {}
    constexpr MenuCommand(void (*command)(MainWindow& window))
        : m_withWindow(command) {}
    constexpr MenuCommand(void (ModelTools::*command)())
        : m_ofTools(command) {}

    void run(MainWindow& window, ModelTools& tools) const {
        if (m_ofWindow != nullptr) {
            (window.*m_ofWindow)();
        } else if (m_withWindow != nullptr) {
            m_withWindow(window);
        } else {
            (tools.*m_ofTools)();
        }
    }

private:
    void (MainWindow::*m_ofWindow)() = nullptr;
    void (*m_withWindow)(MainWindow&) = nullptr;
    void (ModelTools::*m_ofTools)() = nullptr;
};

void exportComparison(const MainWindow& window, ComparisonFormat format) {
    if (CompareTab* tab = window.currentCompareTab()) {
        tab->exportAs(format);
    }
}

struct MenuRow {
    Menu menu;
    const char* name; // empty for submenus
    const char* text;
    const char* keys; // several, separated by "; "
    Needs needs;
    Kind kind;
    MenuCommand command;
    Typed typed = Typed::CommittedFirst;
};

} // namespace

struct MainMenu::Table {
    static constexpr auto kRows = std::to_array<MenuRow>({
        {Menu::File, "newTab", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "New &Tab"), "Ctrl+T", Needs::Nothing,
         Kind::Plain, +[](MainWindow& window) { window.addStartPage(); }},
        {Menu::File, "newWindow", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "New &Window"), "Ctrl+N", Needs::Nothing,
         Kind::Plain, +[](MainWindow& window) { window.m_manager->newWindow(); }},
        {Menu::File, "open", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Open…"), "Ctrl+O", Needs::Nothing,
         Kind::SeparatorBefore, +[](MainWindow& window) { window.m_opener->showOpenDialog(); }},
        {Menu::File, "openAddress", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Open A&ddress…"), "Ctrl+L",
         Needs::Nothing, Kind::Plain, +[](MainWindow& window) { window.m_opener->showAddressDialog(); }},
        {Menu::File, "downloads", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Down&loads…"), "Ctrl+J", Needs::Nothing,
         Kind::Plain, +[](MainWindow& window) { window.m_opener->showDownloads(); }},
        {Menu::File, "", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Open &Recent"), "", Needs::Nothing,
         Kind::RecentMenu, nullptr},
        {Menu::File, "compare", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Co&mpare With…"), "Ctrl+Shift+D",
         Needs::Nothing, Kind::Plain, +[](MainWindow& window) { window.m_opener->chooseComparison({}); }},
        {Menu::File, "sideBySide", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Run Side b&y Side…"), "Ctrl+Shift+B",
         Needs::Nothing, Kind::Plain,
         +[](MainWindow& window) { window.m_opener->chooseComparison(QStringLiteral("run")); }},
        {Menu::File, "reopen", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Reopen &Closed Tab"), "Ctrl+Shift+T",
         Needs::ClosedTab, Kind::Plain, &MainWindow::reopenClosedTab},
        {Menu::File, "save", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Save"), "Ctrl+S", Needs::Saveable,
         Kind::SeparatorBefore, &MainWindow::save},
        {Menu::File, "saveAs", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Save &As…"), "Ctrl+Shift+S", Needs::Saveable,
         Kind::Plain, &MainWindow::saveAs},
        {Menu::File, "saveWithOptions", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Save with Opt&ions…"), "Ctrl+Alt+S",
         Needs::Saveable, Kind::Plain, &MainWindow::saveWithOptions},
        {Menu::File, "exportHtml", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Export Comparison as &HTML Report…"), "",
         Needs::Comparison, Kind::SeparatorBefore,
         +[](MainWindow& window) { exportComparison(window, ComparisonFormat::Html); }},
        {Menu::File, "exportJson", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Export Comparison as &JSON…"), "",
         Needs::Comparison, Kind::Plain, +[](MainWindow& window) { exportComparison(window, ComparisonFormat::Json); }},
        {Menu::File, "exportCsv", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Export Comparison as CS&V…"), "",
         Needs::Comparison, Kind::Plain, +[](MainWindow& window) { exportComparison(window, ComparisonFormat::Csv); }},
        {Menu::File, "restoreSession", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Restore Last &Session"), "",
         Needs::Session, Kind::SeparatorBefore, +[](MainWindow& window) { window.m_manager->restoreSession(&window); }},
        {Menu::File, "restoreOnStart", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Restore Session at St&art"), "",
         Needs::Nothing, Kind::Check, &MainWindow::toggleRestoreOnStart},
        {Menu::File, "closeTab", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Close Ta&b"), "Ctrl+W", Needs::Nothing,
         Kind::SeparatorBefore, +[](MainWindow& window) { window.m_tabs->close({window.m_tabs->current()}); },
         Typed::AskedAbout},
        {Menu::File, "quit", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Quit"), "Ctrl+Q", Needs::Nothing, Kind::Plain,
         +[](MainWindow& window) { window.m_manager->quit(); }, Typed::AskedAbout},
        {Menu::Edit, "undo", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Undo"), "Ctrl+Z", Needs::Undo, Kind::Plain,
         &MainWindow::undo},
        {Menu::Edit, "redo", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Redo"), "Ctrl+Shift+Z; Ctrl+Y", Needs::Redo,
         Kind::Plain, &MainWindow::redo},
        {Menu::Edit, "review", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Re&view Changes…"), "Ctrl+Shift+R",
         Needs::Changes, Kind::SeparatorBefore, &MainWindow::review},
        {Menu::Edit, "revertAll", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Rever&t All Changes…"), "", Needs::Changes,
         Kind::Plain, &MainWindow::revertAll},
        {Menu::Edit, "copyText", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Copy as Text"), "Ctrl+C", Needs::Tab,
         Kind::SeparatorBefore, +[](MainWindow& window) { window.copyAs(CopyFormat::Text); }},
        {Menu::Edit, "copyTsv", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Copy as &TSV"), "Ctrl+Shift+C", Needs::Page,
         Kind::Plain, +[](MainWindow& window) { window.copyAs(CopyFormat::Tsv); }},
        {Menu::Edit, "copyMarkdown", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Copy as &Markdown"), "Ctrl+Alt+C",
         Needs::Page, Kind::Plain, +[](MainWindow& window) { window.copyAs(CopyFormat::Markdown); }},
        {Menu::Edit, "find", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Find"), "Ctrl+F", Needs::Filter,
         Kind::SeparatorBefore, &MainWindow::find},
        {Menu::View, "sidebar", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Sidebar"), "Ctrl+B", Needs::Nothing,
         Kind::Check, &MainWindow::toggleSidebar},
        {Menu::View, "fullScreen", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Full Screen"), "F11", Needs::Nothing,
         Kind::Check, &MainWindow::toggleFullScreen},
        {Menu::View, "", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Theme"), "", Needs::Nothing, Kind::ThemeMenu,
         nullptr},
        {Menu::View, "", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Lan&guage"), "", Needs::Nothing, Kind::LanguageMenu,
         nullptr},
        {Menu::View, "zoomIn", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Zoom &In on the Plot"), "Ctrl++; Ctrl+=",
         Needs::Page, Kind::SeparatorBefore, +[](MainWindow& window) { window.zoomBy(Qt::Key_Plus); }},
        {Menu::View, "zoomOut", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Zoom &Out of the Plot"), "Ctrl+-",
         Needs::Page, Kind::Plain, +[](MainWindow& window) { window.zoomBy(Qt::Key_Minus); }},
        {Menu::View, "showWholePlot", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Show the &Whole Plot"), "Ctrl+0",
         Needs::Page, Kind::Plain, +[](MainWindow& window) { window.zoomBy(Qt::Key_0); }},
        {Menu::View, "nextTab", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Next Tab"), "Ctrl+Tab; Ctrl+PgDown",
         Needs::SeveralTabs, Kind::SeparatorBefore, +[](MainWindow& window) { window.m_tabs->step(1); }},
        {Menu::View, "previousTab", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Previous Tab"),
         "Ctrl+Shift+Tab; Ctrl+PgUp", Needs::SeveralTabs, Kind::Plain,
         +[](MainWindow& window) { window.m_tabs->step(-1); }},
        {Menu::View, "listTabs", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&List of Tabs…"), "Ctrl+Shift+A",
         Needs::SeveralTabs, Kind::Plain, +[](MainWindow& window) { window.m_tabs->showList(); }},
        {Menu::Model, "", "", "", Needs::Nothing, Kind::PagesMenu, nullptr},
        {Menu::Model, "reload", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Reload"), "F5", Needs::Tab,
         Kind::SeparatorBefore, &MainWindow::reload},
        {Menu::Model, "showInFileManager", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Open Containing &Folder"), "",
         Needs::LocalModel, Kind::Plain, &MainWindow::showInFileManager},
        {Menu::Model, "copyPath", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Copy File &Path"), "", Needs::ModelTab,
         Kind::Plain, &MainWindow::copyPath},
        {Menu::Model, "download", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Do&wnload…"), "", Needs::RemoteModel,
         Kind::SeparatorBefore, &ModelTools::download},
        {Menu::Model, "checkOrigin", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Verify Against Original…"), "",
         Needs::LocalModel, Kind::Plain, &ModelTools::verifyAgainstOriginal},
        {Menu::Model, "surgery", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Sur&gery…"), "", Needs::Rewritable,
         Kind::SeparatorBefore, &ModelTools::surgery},
        {Menu::Model, "auditTemplate", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Audit Template"), "", Needs::Model,
         Kind::SeparatorBefore, &ModelTools::auditTemplate},
        {Menu::Model, "publish", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Ready to Pu&blish…"), "", Needs::LocalModel,
         Kind::Plain, &ModelTools::publish},
        {Menu::Model, "copyReport", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Copy Repor&t"), "", Needs::Model,
         Kind::Plain, &ModelTools::copyReport},
        {Menu::Tools, "goTo", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Go to Key, Tensor, Token, Page or Command…"),
         "Ctrl+K", Needs::Nothing, Kind::Plain, &MainWindow::focusGoTo},
        {Menu::Tools, "checkPairing", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Check Pai&ring…"), "", Needs::Nothing,
         Kind::SeparatorBefore, &ModelTools::checkPairing},
        {Menu::Tools, "quantise", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Quantise…"), "", Needs::Rewritable,
         Kind::SeparatorBefore, &ModelTools::quantise},
        {Menu::Tools, "quantiseForSize", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Quantise for a Si&ze…"), "",
         Needs::Rewritable, Kind::Plain, &ModelTools::quantiseForSize},
        {Menu::Tools, "convert", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "C&onvert to GGUF…"), "", Needs::Convertible,
         Kind::Plain, &ModelTools::convert},
        {Menu::Tools, "split", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Split into Several Files…"), "",
         Needs::Rewritable, Kind::SeparatorBefore, &ModelTools::split},
        {Menu::Tools, "mergeSet", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Merge into One File…"), "",
         Needs::SeveralFiles, Kind::Plain, &ModelTools::mergeSet},
        {Menu::Tools, "mergeAdapters", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Merge LoRA &Adapters…"), "",
         Needs::Rewritable, Kind::Plain, &ModelTools::mergeAdapters},
        {Menu::Tools, "imatrix", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Measure an &Importance Matrix…"), "",
         Needs::Runnable, Kind::SeparatorBefore, &ModelTools::measureImportance},
        {Menu::Tools, "perplexity", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Measure &Perplexity over a Text…"), "",
         Needs::Runnable, Kind::Plain, &ModelTools::measurePerplexity},
        {Menu::Tools, "clearRecent", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Clear Recent Files"), "",
         Needs::Nothing, Kind::SeparatorBefore, +[](MainWindow& window) { window.m_manager->recent()->clear(); }},
        {Menu::Help, "guide", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Guide to This Page"), "F1", Needs::Nothing,
         Kind::Plain, &MainWindow::showGuide},
        {Menu::Help, "", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Chapters"), "", Needs::Nothing, Kind::GuideMenu,
         nullptr},
        {Menu::Help, "shortcuts", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Keyboard Shortcuts"), "Ctrl+F1",
         Needs::Nothing, Kind::Plain, +[](MainWindow& window) { showShortcutsDialog(&window); }},
        {Menu::Help, "about", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&About Gufo"), "", Needs::Nothing, Kind::Plain,
         +[](MainWindow& window) { showAboutDialog(&window); }},
    });

    static constexpr std::size_t indexOf(std::string_view name) {
        return static_cast<std::size_t>(
            std::ranges::find(kRows, name, [](const MenuRow& row) { return std::string_view(row.name); }) -
            kRows.begin());
    }
};

MainMenu::MainMenu(MainWindow* window, ModelTools* tools, QMenuBar* bar)
    : QObject(window)
    , m_window(window)
    , m_tools(tools) {
    std::array<QMenu*, kMenuTitles.size()> menus{};
    for (std::size_t i = 0; i < menus.size(); ++i) {
        menus[i] = bar->addMenu(MainWindow::tr(kMenuTitles[i]));
    }
    for (const auto& row : Table::kRows) {
        QMenu* menu = menus[static_cast<std::size_t>(row.menu)];
        if (row.kind == Kind::SeparatorBefore) {
            menu->addSeparator();
        }
        QAction* action = nullptr;
        if (row.kind == Kind::RecentMenu) {
            m_recent = menu->addMenu(MainWindow::tr(row.text));
            connect(m_recent, &QMenu::aboutToShow, this, &MainMenu::fillRecent);
        } else if (row.kind == Kind::ThemeMenu) {
            fillThemes(menu->addMenu(MainWindow::tr(row.text)));
        } else if (row.kind == Kind::LanguageMenu) {
            fillLanguages(menu->addMenu(MainWindow::tr(row.text)));
        } else if (row.kind == Kind::GuideMenu) {
            QMenu* chapters = menu->addMenu(MainWindow::tr(row.text));
            for (const GuideChapter& chapter : guideChapters()) {
                chapters->addAction(guideTitle(chapter), this,
                                    [this, &chapter] { m_window->showGuideChapter(chapter); });
            }
        } else if (row.kind == Kind::PagesMenu) {
            m_pages = menu;
        } else {
            action = menu->addAction(MainWindow::tr(row.text), this, [this, &row] {
                // A check box already shows its new state.
                if (row.typed == Typed::AskedAbout || row.kind == Kind::Check || m_window->commitTyped()) {
                    row.command.run(*m_window, *m_tools);
                }
            });
            action->setObjectName(QLatin1String(row.name));
            action->setIconText(MainWindow::tr(row.text).remove(u'&')); // keeps the text without the name of the step
            if (*row.keys != '\0') {
                action->setShortcuts(QKeySequence::listFromString(QLatin1String(row.keys)));
            }
            action->setCheckable(row.kind == Kind::Check);
            m_window->addAction(action); // so that the shortcut works without a menu bar (full screen, macOS)
        }
        m_actions.push_back(action);
    }
    // Plots come and go, and a shortcut without a plot does no harm, so these are only disabled while they are shown.
    QMenu* view = menus[static_cast<std::size_t>(Menu::View)];
    connect(view, &QMenu::aboutToShow, this, [this] {
        for (const char* name : {"zoomIn", "zoomOut", "showWholePlot"}) {
            action(name)->setEnabled(m_window->zoomedPlot() != nullptr);
        }
    });
    connect(view, &QMenu::aboutToHide, this, &MainMenu::update, Qt::QueuedConnection); // after the chosen command
    const QSettings settings;
    action("sidebar")->setChecked(settings.value(setting::kSidebar, true).toBool());
    action("restoreOnStart")->setChecked(settings.value(setting::kRestoreOnStart, false).toBool());
}

QAction* MainMenu::action(const char* name) const {
    const std::size_t index = Table::indexOf(name);
    return index < m_actions.size() ? m_actions[index] : nullptr;
}

void MainMenu::fillThemes(QMenu* menu) {
    auto* group = new QActionGroup(this);
    struct Row {
        Theme::Choice choice;
        QString text;
    };
    for (const Row& row :
         {Row{Theme::Choice::System, MainWindow::tr("&System")}, Row{Theme::Choice::Light, MainWindow::tr("&Light")},
          Row{Theme::Choice::Dark, MainWindow::tr("&Dark")}}) {
        QAction* action = menu->addAction(row.text);
        action->setCheckable(true);
        action->setData(static_cast<int>(row.choice));
        group->addAction(action);
        connect(action, &QAction::triggered, this, [choice = row.choice] {
            Theme::instance().setChoice(choice);
            saveThemeChoice(choice);
        });
    }
    connect(menu, &QMenu::aboutToShow, this, [group] { // the choice may have been made in another window
        for (QAction* action : group->actions()) {
            action->setChecked(action->data().toInt() == static_cast<int>(Theme::instance().choice()));
        }
    });
}

void MainMenu::fillLanguages(QMenu* menu) {
    auto* group = new QActionGroup(this);
    const QString chosen = QSettings().value(setting::kLanguage).toString();
    const auto add = [&](const QString& text, const QString& language) {
        QAction* action = menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(language == chosen);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, language] {
            QSettings().setValue(setting::kLanguage, language);
            QMessageBox::information(m_window, MainWindow::tr("Language"),
                                     MainWindow::tr("Gufo speaks the chosen language from its next start on."));
        });
    };
    add(MainWindow::tr("&System"), {});
    menu->addSeparator();
    for (const QString& language : languages()) {
        add(nativeLanguageName(language), language);
    }
}

void MainMenu::fillRecent() {
    constexpr std::size_t kShown = 12;
    m_recent->clear();
    const auto& files = m_window->m_manager->recent()->files();
    std::vector<std::pair<std::filesystem::path, QPointer<QAction>>> rows; // only files on this computer
    for (std::size_t i = 0; i < std::min(kShown, files.size()); ++i) {
        const hub::ModelPlace place = files[i].place;
        const QString text = pathText(place).replace(u'&', QStringLiteral("&&"));
        QAction* action = m_recent->addAction(text, this, [this, place] { m_window->openPlaces({place}); });
        if (const auto* path = place.localPath()) {
            rows.emplace_back(*path, action);
        }
    }
    if (files.empty()) {
        m_recent->addAction(MainWindow::tr("No recent files"))->setEnabled(false);
        return;
    }
    markDrafts(std::move(rows));
}

// Looks for drafts in a job, because the disk may be slow.
void MainMenu::markDrafts(std::vector<std::pair<std::filesystem::path, QPointer<QAction>>> rows) {
    std::vector<std::filesystem::path> paths;
    for (const auto& [path, action] : rows) {
        paths.push_back(path);
    }
    startJob<std::vector<bool>>(
        this,
        [paths = std::move(paths), folder = draftFolder()](const JobContext& job) -> Result<std::vector<bool>> {
            std::vector<bool> found;
            for (const std::filesystem::path& path : paths) {
                found.push_back(!job.stopRequested() && Draft::existsFor(folder, path));
            }
            return found;
        },
        [rows = std::move(rows)](const Result<std::vector<bool>>& found) {
            for (std::size_t i = 0; found && i < rows.size(); ++i) {
                QAction* action = rows[i].second;
                if ((*found)[i] && action != nullptr) { // otherwise the menu was filled again
                    action->setText(MainWindow::tr("%1 (unsaved changes)").arg(action->text()));
                }
            }
        });
}

void MainMenu::fillPages() {
    for (QAction* action : m_pageActions.actions()) {
        delete action;
    }
    const WindowTab* tab = m_window->currentTab();
    const std::size_t count = tab != nullptr ? tab->pages().size() : 0;
    QAction* before = m_pages->actions().constFirst(); // the separator
    for (std::size_t i = 0; i < count; ++i) {
        auto* action = new QAction(tab->pages()[i]->title(), &m_pageActions);
        action->setCheckable(true);
        action->setChecked(tab->pages()[i] == tab->currentPage());
        action->setShortcut(QKeySequence(QStringLiteral("Ctrl+%1").arg(i + 1)));
        connect(action, &QAction::triggered, this, [this, i] {
            if (WindowTab* current = m_window->currentTab(); current != nullptr && m_window->commitTyped()) {
                current->showPage(static_cast<int>(i));
            }
        });
        m_pages->insertAction(before, action);
        m_window->addAction(action);
    }
}

void MainMenu::update() {
    const WindowTab* tab = m_window->currentTab();
    const ModelTab* model = m_window->currentModelTab();
    const Page* page = m_window->currentPage();
    const StartPage* start = m_window->currentStartPage();
    const ModelDocument* document = model != nullptr ? model->document() : nullptr;
    const auto met = [&](Needs needs) {
        switch (needs) {
        case Needs::Tab:
            return tab != nullptr;
        case Needs::Comparison:
            return m_window->currentCompareTab() != nullptr && m_window->currentCompareTab()->canExport();
        case Needs::ModelTab:
            return model != nullptr;
        case Needs::LocalModel:
            return model != nullptr && !model->isRemote() && document != nullptr;
        case Needs::RemoteModel:
            return model != nullptr && model->isRemote();
        case Needs::Model:
            return model != nullptr && model->model() != nullptr;
        case Needs::Rewritable:
            return model != nullptr && model->model() != nullptr && !model->isRemote() &&
                   capabilitiesOf(*model->model()).has(Capability::Split);
        case Needs::SeveralFiles:
            return model != nullptr && model->model() != nullptr && !model->isRemote() &&
                   capabilitiesOf(*model->model()).has(Capability::SaveAs) && isInParts(*model->model());
        case Needs::Runnable:
            return model != nullptr && model->model() != nullptr && !model->isRemote() &&
                   capabilitiesOf(*model->model()).has(Capability::Run);
        case Needs::Convertible:
            return model != nullptr && model->model() != nullptr && !model->isRemote() &&
                   mayBeConverted(*model->model());
        case Needs::Page:
            return page != nullptr;
        case Needs::ClosedTab:
            return m_window->m_tabs->canReopen();
        case Needs::Session:
            return m_window->m_manager->restorableTabs() > 0;
        case Needs::Filter:
            return (page != nullptr && page->filterField() != nullptr) ||
                   (start != nullptr && start->filterField() != nullptr);
        case Needs::SeveralTabs:
            return m_window->tabCount() > 1;
        case Needs::Changes:
            return document != nullptr && !document->isBlocked() && document->document().isModified();
        case Needs::Saveable:
            // Of a model on a server, the commands explain that it must be downloaded first.
            return document != nullptr && (document->can(Capability::SaveAs) || model->isRemote());
        case Needs::Undo:
            return document != nullptr && !document->isBlocked() && document->document().canUndo();
        case Needs::Redo:
            return document != nullptr && !document->isBlocked() && document->document().canRedo();
        case Needs::Nothing:
            return true;
        }
        return true;
    };
    for (std::size_t i = 0; i < m_actions.size(); ++i) {
        if (m_actions[i] != nullptr) {
            m_actions[i]->setEnabled(met(Table::kRows[i].needs));
        }
    }
    const auto label = [](const QString& verb, const std::string& step) {
        return step.empty() ? verb : verb + QLatin1Char(' ') + displayText(step).replace(u'&', QStringLiteral("&&"));
    };
    static const std::string none;
    action("undo")->setText(
        label(MainWindow::tr("&Undo"), document != nullptr ? document->document().undoLabel() : none));
    action("redo")->setText(
        label(MainWindow::tr("&Redo"), document != nullptr ? document->document().redoLabel() : none));
}

} // namespace gufo::ui
