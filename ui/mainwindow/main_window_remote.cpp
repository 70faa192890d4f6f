// Models on servers: what is opened by address, downloaded, or compared with its original.
#include "ui/compare/compare_tab.h"
#include "ui/hub/download_dialog.h"
#include "ui/hub/open_address_dialog.h"
#include "ui/hub/origin_check_dialog.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/start/start_page.h"
#include "ui/mainwindow/tabs/model_tab.h"
#include "ui/mainwindow/tabs/repository_tab.h"
#include "ui/mainwindow/window_manager.h"
#include "ui/saving/tab_editing.h"

#include <QStackedWidget>

#include <utility>

namespace gufo::ui {

void MainWindow::showAddressDialog() {
    auto* dialog = new OpenAddressDialog(this);
    connect(dialog, &OpenAddressDialog::openRequested, this,
            [this](const std::filesystem::path& path) { openPaths({path}); });
    connect(dialog, &OpenAddressDialog::downloadRequested, this,
            [this](const std::filesystem::path& path) { download(path, std::nullopt); });
    dialog->open();
}

RepositoryTab* MainWindow::openRepository(const std::filesystem::path& name) {
    for (int i = 0; i < tabCount(); ++i) {
        auto* tab = qobject_cast<RepositoryTab*>(tabAt(i));
        if (tab != nullptr && tab->path() == name) {
            showTab(tab);
            if (tab->hasFailed() || tab->isWaiting()) {
                tab->reload();
            }
            return tab;
        }
    }
    StartPage* start = currentStartPage();
    RepositoryTab* tab = addRepositoryTab(name, {});
    if (start != nullptr) {
        closeTabNow(indexOf(start)); // the repository replaces it
    }
    currentTabChanged();
    m_manager->sessionChanged();
    return tab;
}

RepositoryTab* MainWindow::addRepositoryTab(const std::filesystem::path& name, const QJsonObject& state) {
    auto* tab = new RepositoryTab(name, state, m_stack);
    connect(tab, &RepositoryTab::openRequested, this,
            [this](const std::filesystem::path& address) { openPaths({address}); });
    connect(tab, &RepositoryTab::compareRequested, this, [this](const Paths& addresses) { openComparison(addresses); });
    connect(tab, &RepositoryTab::downloadRequested, this,
            [this](const hub::ModelFiles& files) { download(files.files.front().url, files); });
    addWindowTab(tab);
    return tab;
}

void MainWindow::downloadModel() {
    if (const ModelTab* tab = currentModelTab()) {
        download(tab->path(), std::nullopt);
    }
}

void MainWindow::download(const std::filesystem::path& address, std::optional<hub::ModelFiles> files) {
    auto* dialog = new DownloadDialog(address, std::move(files), this);
    connect(dialog, &DownloadDialog::downloaded, this,
            [this](const std::filesystem::path& first) { openPaths({first}); });
    dialog->show();
}

void MainWindow::verifyAgainstOriginal() {
    ModelTab* tab = currentModelTab();
    if (tab == nullptr || tab->document() == nullptr) {
        return;
    }
    auto* dialog = new OriginCheckDialog(tab->path(), tab->document(), this);
    connect(dialog, &OriginCheckDialog::reviewRequested, tab, [this, tab] {
        showTab(tab);
        if (tab->editing() != nullptr) {
            tab->editing()->review();
        }
    });
    connect(tab, &QObject::destroyed, dialog, &QDialog::close); // there is nothing left to compare or to change
    dialog->show();
}

bool MainWindow::explainSaving() {
    ModelTab* tab = currentModelTab();
    if (tab == nullptr || !tab->isRemote()) {
        return false;
    }
    tab->explainSaving();
    return true;
}

} // namespace gufo::ui
