// What the entries of the menus do.
#include "ui/compare/choose_files.h"
#include "ui/compare/compare_tab.h"
#include "ui/convert/convert_dialog.h"
#include "ui/mainwindow/go_to/go_to_field.h"
#include "ui/mainwindow/help_dialogs.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/start/recent_files.h"
#include "ui/mainwindow/start/start_page.h"
#include "ui/mainwindow/status_strip.h"
#include "ui/mainwindow/tabs/model_tab.h"
#include "ui/mainwindow/tabs/tab_strip.h"
#include "ui/mainwindow/window_manager.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/quantize/quantize_dialog.h"
#include "ui/saving/tab_editing.h"
#include "ui/shell/chosen_models.h"
#include "ui/shell/native_path.h"
#include "ui/shell/settings.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMenu>
#include <QUrl>

namespace gufo::ui {

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
    if (ModelTab* tab = currentModelTab(); tab != nullptr && !explainSaving()) {
        tab->save();
    }
}

void MainWindow::saveAs() {
    const ModelTab* tab = currentModelTab();
    if (tab != nullptr && tab->editing() != nullptr && !explainSaving()) {
        tab->editing()->saveAs();
    }
}

void MainWindow::saveWithOptions() {
    const ModelTab* tab = currentModelTab();
    if (tab != nullptr && tab->editing() != nullptr && !explainSaving()) {
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
        QGuiApplication::clipboard()->setText(tab->isRemote() ? tab->description() : qtPath(tab->path()));
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
