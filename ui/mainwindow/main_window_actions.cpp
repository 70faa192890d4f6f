// The menus of the window as a table, and the slots of their entries.
#include "document/draft.h"
#include "formats/format.h"
#include "ui/compare/choose_files.h"
#include "ui/compare/compare_tab.h"
#include "ui/convert/convert_dialog.h"
#include "ui/mainwindow/go_to/go_to_field.h"
#include "ui/mainwindow/help_dialogs.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/start/start_page.h"
#include "ui/mainwindow/status_strip.h"
#include "ui/mainwindow/tabs/model_tab.h"
#include "ui/mainwindow/tabs/tab_strip.h"
#include "ui/mainwindow/window_manager.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/format.h"
#include "ui/quantize/quantize_dialog.h"
#include "ui/saving/draft_keeper.h"
#include "ui/saving/tab_editing.h"
#include "ui/shell/model_files.h"
#include "ui/shell/native_path.h"
#include "ui/shell/settings.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QFileDialog>
#include <QJsonArray>
#include <QMenuBar>
#include <QUrl>

#include <algorithm>

namespace gufo::ui {

namespace {

enum class Menu { File, Edit, View, Model, Tools, Help };
enum class Needs {
    Nothing,
    Tab,
    Comparison,
    ModelTab,
    Model,
    Rewritable,
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
enum class Kind { Plain, Check, SeparatorBefore, RecentMenu, PagesMenu, ThemeMenu };
// What happens to text that is being typed: it is committed first, and the command waits until that is possible; or the
// command itself asks about it.
enum class Typed { CommittedFirst, AskedAbout };

constexpr std::array<const char*, 6> kMenuTitles{
    QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&File"),  QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Edit"),
    QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&View"),  QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Model"),
    QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Tools"), QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Help"),
};

struct ActionRow {
    Menu menu;
    const char* name; // empty for submenus
    const char* text;
    const char* keys; // several, separated by "; "
    Needs needs;
    Kind kind;
    void (MainWindow::*run)();
    Typed typed = Typed::CommittedFirst;
};

} // namespace

struct ActionTable {
    using Row = ActionRow;

    static constexpr auto kRows = std::to_array<Row>({
        {Menu::File, "newTab", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "New &Tab"), "Ctrl+T", Needs::Nothing,
         Kind::Plain, &MainWindow::newTab},
        {Menu::File, "newWindow", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "New &Window"), "Ctrl+N", Needs::Nothing,
         Kind::Plain, &MainWindow::newWindow},
        {Menu::File, "open", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Open…"), "Ctrl+O", Needs::Nothing,
         Kind::SeparatorBefore, &MainWindow::showOpenDialog},
        {Menu::File, "", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Open &Recent"), "", Needs::Nothing,
         Kind::RecentMenu, nullptr},
        {Menu::File, "compare", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Co&mpare With…"), "Ctrl+Shift+D",
         Needs::Nothing, Kind::Plain, &MainWindow::compareWith},
        {Menu::File, "sideBySide", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Run Side b&y Side…"), "Ctrl+Shift+B",
         Needs::Nothing, Kind::Plain, &MainWindow::runSideBySide},
        {Menu::File, "reopen", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Reopen &Closed Tab"), "Ctrl+Shift+T",
         Needs::ClosedTab, Kind::Plain, &MainWindow::reopenClosedTab},
        {Menu::File, "save", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Save"), "Ctrl+S", Needs::Saveable,
         Kind::SeparatorBefore, &MainWindow::save},
        {Menu::File, "saveAs", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Save &As…"), "Ctrl+Shift+S", Needs::Saveable,
         Kind::Plain, &MainWindow::saveAs},
        {Menu::File, "saveWithOptions", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Save with Opt&ions…"), "Ctrl+Alt+S",
         Needs::Saveable, Kind::Plain, &MainWindow::saveWithOptions},
        {Menu::File, "exportHtml", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Export Comparison as &HTML Report…"), "",
         Needs::Comparison, Kind::SeparatorBefore, &MainWindow::exportHtml},
        {Menu::File, "exportJson", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Export Comparison as &JSON…"), "",
         Needs::Comparison, Kind::Plain, &MainWindow::exportJson},
        {Menu::File, "exportCsv", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Export Comparison as CS&V…"), "",
         Needs::Comparison, Kind::Plain, &MainWindow::exportCsv},
        {Menu::File, "restoreSession", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Restore Last &Session"), "",
         Needs::Session, Kind::SeparatorBefore, &MainWindow::restoreSession},
        {Menu::File, "restoreOnStart", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Restore Session at St&art"), "",
         Needs::Nothing, Kind::Check, &MainWindow::toggleRestoreOnStart},
        {Menu::File, "closeTab", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Close Ta&b"), "Ctrl+W", Needs::Nothing,
         Kind::SeparatorBefore, &MainWindow::closeCurrentTab, Typed::AskedAbout},
        {Menu::File, "quit", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Quit"), "Ctrl+Q", Needs::Nothing, Kind::Plain,
         &MainWindow::quit, Typed::AskedAbout},
        {Menu::Edit, "undo", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Undo"), "Ctrl+Z", Needs::Undo, Kind::Plain,
         &MainWindow::undo},
        {Menu::Edit, "redo", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Redo"), "Ctrl+Shift+Z; Ctrl+Y", Needs::Redo,
         Kind::Plain, &MainWindow::redo},
        {Menu::Edit, "review", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Re&view Changes…"), "Ctrl+Shift+R",
         Needs::Changes, Kind::SeparatorBefore, &MainWindow::review},
        {Menu::Edit, "revertAll", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Rever&t All Changes…"), "", Needs::Changes,
         Kind::Plain, &MainWindow::revertAll},
        {Menu::Edit, "copyText", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Copy as Text"), "Ctrl+C", Needs::Tab,
         Kind::SeparatorBefore, &MainWindow::copyAsText},
        {Menu::Edit, "copyTsv", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Copy as &TSV"), "Ctrl+Shift+C", Needs::Page,
         Kind::Plain, &MainWindow::copyAsTsv},
        {Menu::Edit, "copyMarkdown", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Copy as &Markdown"), "Ctrl+Alt+C",
         Needs::Page, Kind::Plain, &MainWindow::copyAsMarkdown},
        {Menu::Edit, "find", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Find"), "Ctrl+F", Needs::Filter,
         Kind::SeparatorBefore, &MainWindow::find},
        {Menu::View, "sidebar", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Sidebar"), "Ctrl+B", Needs::Nothing,
         Kind::Check, &MainWindow::toggleSidebar},
        {Menu::View, "fullScreen", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Full Screen"), "F11", Needs::Nothing,
         Kind::Check, &MainWindow::toggleFullScreen},
        {Menu::View, "", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Theme"), "", Needs::Nothing, Kind::ThemeMenu,
         nullptr},
        {Menu::View, "nextTab", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Next Tab"), "Ctrl+Tab; Ctrl+PgDown",
         Needs::SeveralTabs, Kind::SeparatorBefore, &MainWindow::nextTab},
        {Menu::View, "previousTab", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Previous Tab"),
         "Ctrl+Shift+Tab; Ctrl+PgUp", Needs::SeveralTabs, Kind::Plain, &MainWindow::previousTab},
        {Menu::View, "listTabs", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&List of Tabs…"), "Ctrl+Shift+A",
         Needs::SeveralTabs, Kind::Plain, &MainWindow::listTabs},
        {Menu::Model, "", "", "", Needs::Nothing, Kind::PagesMenu, nullptr},
        {Menu::Model, "reload", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Reload"), "F5", Needs::Tab,
         Kind::SeparatorBefore, &MainWindow::reload},
        {Menu::Model, "showInFileManager", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Open Containing &Folder"), "",
         Needs::ModelTab, Kind::Plain, &MainWindow::showInFileManager},
        {Menu::Model, "copyPath", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "Copy File &Path"), "", Needs::ModelTab,
         Kind::Plain, &MainWindow::copyPath},
        {Menu::Tools, "goTo", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Go to Key, Tensor, Token or Page…"), "Ctrl+K",
         Needs::Nothing, Kind::Plain, &MainWindow::focusGoTo},
        {Menu::Tools, "quantise", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Quantise…"), "", Needs::Rewritable,
         Kind::SeparatorBefore, &MainWindow::quantise},
        {Menu::Tools, "convert", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "C&onvert to GGUF…"), "", Needs::Convertible,
         Kind::Plain, &MainWindow::convertModel},
        {Menu::Tools, "clearRecent", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Clear Recent Files"), "",
         Needs::Nothing, Kind::Plain, &MainWindow::clearRecent},
        {Menu::Help, "shortcuts", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&Keyboard Shortcuts"), "F1",
         Needs::Nothing, Kind::Plain, &MainWindow::showShortcuts},
        {Menu::Help, "about", QT_TRANSLATE_NOOP("gufo::ui::MainWindow", "&About Gufo"), "", Needs::Nothing, Kind::Plain,
         &MainWindow::showAbout},
    });

    static constexpr std::size_t indexOf(std::string_view name) {
        return static_cast<std::size_t>(
            std::ranges::find(kRows, name, [](const Row& row) { return std::string_view(row.name); }) - kRows.begin());
    }
};

void MainWindow::makeMenus(QMenuBar* bar) {
    std::array<QMenu*, kMenuTitles.size()> menus{};
    for (std::size_t i = 0; i < menus.size(); ++i) {
        menus[i] = bar->addMenu(tr(kMenuTitles[i]));
    }
    for (const auto& row : ActionTable::kRows) {
        QMenu* menu = menus[static_cast<std::size_t>(row.menu)];
        if (row.kind == Kind::SeparatorBefore) {
            menu->addSeparator();
        }
        QAction* action = nullptr;
        if (row.kind == Kind::RecentMenu) {
            m_recentMenu = menu->addMenu(tr(row.text));
            connect(m_recentMenu, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
        } else if (row.kind == Kind::ThemeMenu) {
            makeThemeMenu(menu->addMenu(tr(row.text)));
        } else if (row.kind == Kind::PagesMenu) {
            m_pagesMenu = menu;
        } else {
            action = menu->addAction(tr(row.text), this, [this, &row] {
                // A check box already shows its new state.
                if (row.typed == Typed::AskedAbout || row.kind == Kind::Check || commitTyped()) {
                    (this->*row.run)();
                }
            });
            action->setObjectName(QLatin1String(row.name));
            action->setIconText(tr(row.text).remove(u'&')); // keeps the text without the name of the step
            if (*row.keys != '\0') {
                action->setShortcuts(QKeySequence::listFromString(QLatin1String(row.keys)));
            }
            action->setCheckable(row.kind == Kind::Check);
            addAction(action); // so that the shortcut works without a menu bar (full screen, macOS)
        }
        m_actions.push_back(action);
    }
    const QSettings settings;
    namedAction("sidebar")->setChecked(settings.value(setting::kSidebar, true).toBool());
    namedAction("restoreOnStart")->setChecked(settings.value(setting::kRestoreOnStart, false).toBool());
}

QAction* MainWindow::namedAction(const char* name) const {
    const std::size_t index = ActionTable::indexOf(name);
    return index < m_actions.size() ? m_actions[index] : nullptr;
}

void MainWindow::makeThemeMenu(QMenu* menu) {
    auto* group = new QActionGroup(this);
    struct Row {
        Theme::Choice choice;
        QString text;
    };
    for (const Row& row : {Row{Theme::Choice::System, tr("&System")}, Row{Theme::Choice::Light, tr("&Light")},
                           Row{Theme::Choice::Dark, tr("&Dark")}}) {
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

void MainWindow::fillRecentMenu() {
    constexpr std::size_t kShown = 12;
    m_recentMenu->clear();
    const auto& files = m_manager->recent()->files();
    std::vector<std::pair<std::filesystem::path, QPointer<QAction>>> rows;
    for (std::size_t i = 0; i < std::min(kShown, files.size()); ++i) {
        const auto path = files[i].path;
        const QString text = displayPath(path).replace(u'&', QStringLiteral("&&"));
        rows.emplace_back(path, m_recentMenu->addAction(text, this, [this, path] { openPaths({path}); }));
    }
    if (files.empty()) {
        m_recentMenu->addAction(tr("No recent files"))->setEnabled(false);
        return;
    }
    markDrafts(std::move(rows));
}

// Looks for drafts in a job, because the disk may be slow.
void MainWindow::markDrafts(std::vector<std::pair<std::filesystem::path, QPointer<QAction>>> rows) {
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
                    action->setText(tr("%1 (unsaved changes)").arg(action->text()));
                }
            }
        });
}

void MainWindow::fillPagesMenu() {
    for (QAction* action : m_pageActions.actions()) {
        delete action;
    }
    const WindowTab* tab = currentTab();
    const std::size_t count = tab != nullptr ? tab->pages().size() : 0;
    QAction* before = m_pagesMenu->actions().constFirst(); // the separator
    for (std::size_t i = 0; i < count; ++i) {
        auto* action = new QAction(tab->pages()[i]->title(), &m_pageActions);
        action->setCheckable(true);
        action->setChecked(tab->pages()[i] == tab->currentPage());
        action->setShortcut(QKeySequence(QStringLiteral("Ctrl+%1").arg(i + 1)));
        connect(action, &QAction::triggered, this, [this, i] {
            if (WindowTab* current = currentTab(); current != nullptr && commitTyped()) {
                current->showPage(static_cast<int>(i));
            }
        });
        m_pagesMenu->insertAction(before, action);
        addAction(action);
    }
}

void MainWindow::updateActions() {
    const WindowTab* tab = currentTab();
    const ModelTab* model = currentModelTab();
    const Page* page = currentPage();
    const StartPage* start = currentStartPage();
    const ModelDocument* document = model != nullptr ? model->document() : nullptr;
    const auto met = [&](Needs needs) {
        switch (needs) {
        case Needs::Tab:
            return tab != nullptr;
        case Needs::Comparison:
            return currentCompareTab() != nullptr && currentCompareTab()->canExport();
        case Needs::ModelTab:
            return model != nullptr;
        case Needs::Model:
            return model != nullptr && model->model() != nullptr;
        case Needs::Rewritable:
            return model != nullptr && model->model() != nullptr &&
                   capabilitiesOf(*model->model()).has(Capability::Split);
        case Needs::Convertible:
            return model != nullptr && model->model() != nullptr && mayBeConverted(*model->model());
        case Needs::Page:
            return page != nullptr;
        case Needs::ClosedTab:
            return !m_closed.empty();
        case Needs::Session:
            return m_manager->restorableTabs() > 0;
        case Needs::Filter:
            return (page != nullptr && page->filterField() != nullptr) ||
                   (start != nullptr && start->filterField() != nullptr);
        case Needs::SeveralTabs:
            return tabCount() > 1;
        case Needs::Changes:
            return document != nullptr && !document->isBlocked() && document->document().isModified();
        case Needs::Saveable:
            return document != nullptr && document->can(Capability::SaveAs);
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
            m_actions[i]->setEnabled(met(ActionTable::kRows[i].needs));
        }
    }
    const auto label = [](const QString& verb, const std::string& step) {
        return step.empty() ? verb : verb + QLatin1Char(' ') + displayText(step).replace(u'&', QStringLiteral("&&"));
    };
    static const std::string none;
    namedAction("undo")->setText(label(tr("&Undo"), document != nullptr ? document->document().undoLabel() : none));
    namedAction("redo")->setText(label(tr("&Redo"), document != nullptr ? document->document().redoLabel() : none));
}

// ---- what the entries do

void MainWindow::quantise() { (new QuantizeDialog(currentModelTab()->model(), this))->show(); }

void MainWindow::convertModel() { (new ConvertDialog(currentModelTab()->path(), this))->show(); }

void MainWindow::newTab() { addStartPage(); }

void MainWindow::newWindow() { m_manager->newWindow(); }

void MainWindow::showOpenDialog() {
    QSettings settings;
    auto* dialog =
        new QFileDialog(this, tr("Open models"), settings.value(setting::kOpenFolder).toString(), openModelFilter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& names) {
        std::vector<std::filesystem::path> paths;
        for (const QString& name : names) {
            paths.push_back(fromQtPath(name));
        }
        if (!paths.empty()) {
            QSettings().setValue(setting::kOpenFolder, qtPath(paths.front().parent_path()));
            openPaths(paths);
        }
    });
    dialog->open();
}

void MainWindow::compareWith() { chooseComparison({}); }

void MainWindow::runSideBySide() { chooseComparison(QStringLiteral("run")); }

// `pageId` is the page shown first; empty: the default page.
void MainWindow::chooseComparison(const QString& pageId) {
    auto* dialog = new ChooseFiles(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    const ModelTab* current = currentModelTab();
    for (int i = 0; i < tabCount(); ++i) {
        if (const ModelTab* tab = modelTabAt(i); tab != nullptr && !tab->hasFailed()) {
            dialog->addFile(tab->path(), tab == current);
        }
    }
    connect(dialog, &ChooseFiles::chosen, this,
            [this, pageId](const Paths& files, const std::filesystem::path& reference) {
                CompareTab* tab = openComparison(files, pageId);
                if (tab != nullptr && !reference.empty()) {
                    tab->comparison().start(files, reference);
                }
            });
    dialog->open();
}

void MainWindow::addToComparison() {
    CompareTab* tab = currentCompareTab();
    if (tab == nullptr) {
        return;
    }
    QSettings settings;
    auto* dialog = new QFileDialog(this, tr("Add to the comparison"), settings.value(setting::kOpenFolder).toString(),
                                   openModelFilter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, tab, [tab](const QStringList& names) {
        Paths paths;
        for (const QString& name : names) {
            paths.push_back(fromQtPath(name));
        }
        tab->addFiles(paths);
    });
    dialog->open();
}

void MainWindow::exportHtml() { exportComparison(static_cast<int>(ComparisonFormat::Html)); }

void MainWindow::exportJson() { exportComparison(static_cast<int>(ComparisonFormat::Json)); }

void MainWindow::exportCsv() { exportComparison(static_cast<int>(ComparisonFormat::Csv)); }

void MainWindow::exportComparison(int format) {
    if (CompareTab* tab = currentCompareTab()) {
        tab->exportAs(static_cast<ComparisonFormat>(format));
    }
}

void MainWindow::reopenClosedTab() {
    if (m_closed.empty()) {
        return;
    }
    const QJsonObject state = m_closed.back();
    m_closed.pop_back();
    restoreTab(state);
    currentTabChanged();
}

void MainWindow::restoreSession() { m_manager->restoreSession(this); }

void MainWindow::toggleRestoreOnStart() {
    QSettings().setValue(setting::kRestoreOnStart, namedAction("restoreOnStart")->isChecked());
}

void MainWindow::closeCurrentTab() { closeTab(m_strip->tabs()->currentIndex()); }

void MainWindow::quit() { m_manager->quit(); }

bool MainWindow::commitTyped() {
    ModelTab* tab = currentModelTab();
    return tab == nullptr || tab->commitTyped();
}

void MainWindow::save() {
    if (ModelTab* tab = currentModelTab()) {
        tab->save();
    }
}

void MainWindow::saveAs() {
    if (const ModelTab* tab = currentModelTab(); tab != nullptr && tab->editing() != nullptr) {
        tab->editing()->saveAs();
    }
}

void MainWindow::saveWithOptions() {
    if (const ModelTab* tab = currentModelTab(); tab != nullptr && tab->editing() != nullptr) {
        tab->editing()->saveWithOptions();
    }
}

void MainWindow::revertAll() {
    if (const ModelTab* tab = currentModelTab(); tab != nullptr && tab->editing() != nullptr) {
        tab->editing()->askRevertAll();
    }
}

void MainWindow::review() {
    if (const ModelTab* tab = currentModelTab(); tab != nullptr && tab->editing() != nullptr) {
        tab->editing()->review();
    }
}

void MainWindow::undo() {
    if (const ModelTab* tab = currentModelTab(); tab != nullptr && tab->document() != nullptr) {
        const QString step = displayText(tab->document()->document().undoLabel());
        tab->document()->undo();
        m_status->setTexts(tr("Undone: %1").arg(step), m_status->rightTexts());
    }
}

void MainWindow::redo() {
    if (const ModelTab* tab = currentModelTab(); tab != nullptr && tab->document() != nullptr) {
        const QString step = displayText(tab->document()->document().redoLabel());
        tab->document()->redo();
        m_status->setTexts(tr("Redone: %1").arg(step), m_status->rightTexts());
    }
}

void MainWindow::copyAsText() { copyAs(static_cast<int>(CopyFormat::Text)); }

void MainWindow::copyAsTsv() { copyAs(static_cast<int>(CopyFormat::Tsv)); }

void MainWindow::copyAsMarkdown() { copyAs(static_cast<int>(CopyFormat::Markdown)); }

void MainWindow::copyAs(int format) {
    QString text;
    if (const Page* page = currentPage()) {
        text = page->copyText(static_cast<CopyFormat>(format));
    } else if (const WindowTab* tab = currentTab()) {
        text = tab->errorText();
    }
    if (text.isEmpty()) {
        m_status->setTexts(tr("Nothing to copy here"), m_status->rightTexts());
        return;
    }
    QGuiApplication::clipboard()->setText(text);
    const auto lines = text.count(u'\n') + (text.endsWith(u'\n') ? 0 : 1);
    m_status->setTexts(lines == 1 ? tr("Copied")
                                  : tr("Copied %n lines", nullptr, numerus(static_cast<std::uint64_t>(lines))),
                       m_status->rightTexts());
}

void MainWindow::copyPath() {
    if (const ModelTab* tab = currentModelTab()) {
        QGuiApplication::clipboard()->setText(qtPath(tab->path()));
    }
}

void MainWindow::find() {
    const Page* page = currentPage();
    const StartPage* start = currentStartPage();
    QWidget* field = page != nullptr ? page->filterField() : start != nullptr ? start->filterField() : nullptr;
    if (field != nullptr) {
        field->setFocus(Qt::ShortcutFocusReason);
    }
}

void MainWindow::focusGoTo() {
    m_goTo->setFocus(Qt::ShortcutFocusReason);
    m_goTo->selectAll();
}

void MainWindow::clearRecent() { m_manager->recent()->clear(); }

void MainWindow::nextTab() { stepTab(1); }

void MainWindow::previousTab() { stepTab(-1); }

void MainWindow::listTabs() { m_strip->showList(); }

void MainWindow::stepTab(int by) {
    const int count = tabCount();
    m_strip->tabs()->setCurrentIndex((m_strip->tabs()->currentIndex() + by + count) % count);
}

void MainWindow::reload() {
    if (WindowTab* tab = currentTab()) {
        tab->reload();
    }
}

void MainWindow::showInFileManager() {
    if (const ModelTab* tab = currentModelTab()) {
        QDesktopServices::openUrl(
            QUrl::fromEncoded("file://" + pathBytes(tab->path().parent_path()).toPercentEncoding("/")));
    }
}

void MainWindow::toggleSidebar() {
    const bool shown = namedAction("sidebar")->isChecked();
    QSettings().setValue(setting::kSidebar, shown);
    for (int i = 0; i < tabCount(); ++i) {
        if (WindowTab* tab = windowTabAt(i)) {
            tab->setSidebarShown(shown);
        }
    }
}

void MainWindow::toggleFullScreen() {
    setWindowState(windowState().setFlag(Qt::WindowFullScreen, namedAction("fullScreen")->isChecked()));
}

void MainWindow::showShortcuts() { showShortcutsDialog(this); }

void MainWindow::showAbout() { showAboutDialog(this); }

void MainWindow::showTabMenu(int index, const QPoint& at) {
    QMenu menu(this);
    QWidget* widget = tabAt(index);
    menu.addAction(tr("Close Tab"), this, [this, widget] { closeTab(indexOf(widget)); });
    QAction* others = menu.addAction(tr("Close Other Tabs"), this, [this, widget] {
        std::vector<QWidget*> rest;
        for (int i = tabCount() - 1; i >= 0; --i) {
            if (tabAt(i) != widget) {
                rest.push_back(tabAt(i));
            }
        }
        closeTabs(rest);
    });
    others->setEnabled(tabCount() > 1);
    if (auto* tab = qobject_cast<WindowTab*>(widget)) {
        menu.addSeparator();
        menu.addAction(tr("Reload"), tab, &WindowTab::reload);
    }
    if (const auto* tab = qobject_cast<ModelTab*>(widget)) {
        menu.addAction(tr("Copy File Path"), this,
                       [path = tab->path()] { QGuiApplication::clipboard()->setText(qtPath(path)); });
    }
    menu.exec(at);
}

} // namespace gufo::ui
