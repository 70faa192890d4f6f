// How files come into the window: opened, dropped, or compared with each other.
#include "ui/compare/compare_tab.h"
#include "ui/jobs/job.h"
#include "ui/mainwindow/drop_choice.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/start/start_page.h"
#include "ui/mainwindow/status_strip.h"
#include "ui/mainwindow/tabs/model_tab.h"
#include "ui/mainwindow/window_manager.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/chosen_models.h"
#include "ui/shell/native_path.h"
#include "ui/shell/notice_bar.h"
#include "ui/shell/remote_path.h"

#include <QMessageBox>
#include <QPushButton>
#include <QStackedWidget>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::size_t kManyFiles = 12; // from this number on the user is asked first

} // namespace

void MainWindow::openPaths(const std::vector<std::filesystem::path>& paths) {
    m_offer->hide();
    for (const auto& path : paths) {
        if (isRepositoryPath(path)) {
            openRepository(path);
            continue;
        }
        if (const auto [window, tab] = m_manager->findTab(path); tab != nullptr) {
            window->showTab(tab);
            if (window != this) {
                window->bringToFront();
            }
            if (tab->hasFailed() || tab->isWaiting()) {
                tab->reload();
            }
            continue;
        }
        StartPage* start = currentStartPage();
        addModelTab(path, {});
        if (start != nullptr) {
            closeTabNow(indexOf(start)); // the model replaces it
        }
    }
    m_together = paths;
    offerToCompare();
    currentTabChanged();
    m_manager->sessionChanged();
}

// Files that could not be read, or were closed in the meantime, are not counted.
void MainWindow::offerToCompare() {
    Paths models;
    for (const auto& path : m_together) {
        const auto [window, tab] = m_manager->findTab(path);
        if (tab == nullptr || tab->hasFailed()) {
            continue;
        }
        if (tab->model() == nullptr) {
            return; // waits until it has been read
        }
        models.push_back(path);
    }
    m_together.clear();
    if (models.size() >= 2 && models.size() <= kMaxCompared) {
        m_offer->showNotice(tr("%n models were opened together.", nullptr, numerus(models.size())),
                            {{.text = tr("Compare these"), .run = [this, models] { openComparison(models); }}},
                            NoticeBar::Tone::Info);
    }
}

CompareTab* MainWindow::openComparison(const Paths& paths, const QString& pageId) {
    m_offer->hide();
    if (paths.size() < 2) {
        openPaths(paths);
        return nullptr;
    }
    StartPage* start = currentStartPage();
    CompareTab* tab = addCompareTab(paths, CompareTab::stateFor(pageId));
    if (start != nullptr) {
        closeTab(indexOf(start));
    }
    currentTabChanged();
    m_manager->sessionChanged();
    return tab;
}

CompareTab* MainWindow::addCompareTab(const Paths& paths, const QJsonObject& state) {
    auto* tab = new CompareTab(paths, state, m_stack);
    connect(tab, &CompareTab::openInTab, this, &MainWindow::openInTab);
    connect(tab, &CompareTab::keyCopied, this, &MainWindow::copyKey);
    connect(tab, &CompareTab::addFilesRequested, this, &MainWindow::addToComparison);
    addWindowTab(tab);
    return tab;
}

void MainWindow::openInTab(const std::filesystem::path& path, const Place& place) {
    openPaths({path});
    if (place.kind != Place::Kind::File) {
        whenReady(findTab(path), [place](ModelTab* tab) { tab->goTo(place); });
    }
}

// An edit like any other, in that model's tab.
void MainWindow::copyKey(const std::filesystem::path& to, const QByteArray& key, const OwnedValue& value,
                         const QString& from) {
    openPaths({to});
    whenReady(findTab(to), [key, value, from](ModelTab* tab) {
        if (tab->document() != nullptr) {
            tab->document()->apply({SetKey{.key = key.toStdString(), .value = value}},
                                   tr("Copy %1 from %2").arg(displayText(key.toStdString()), from));
            tab->goTo(Place::key(key.toStdString()));
        }
    });
}

// Calls `then` now, or once the model has been read and has its pages.
void MainWindow::whenReady(ModelTab* tab, std::function<void(ModelTab*)> then) {
    if (tab == nullptr || tab->isReady()) {
        if (tab != nullptr) {
            then(tab);
        }
        return;
    }
    auto* once = new QObject(tab);
    connect(tab, &WindowTab::pagesChanged, once, [tab, once, then = std::move(then)] {
        if (tab->isReady()) {
            once->deleteLater();
            then(tab);
        }
    });
}

void MainWindow::openChosen(const Paths& chosen) {
    collect(chosen, [this](const Paths& paths) { openCollected(paths); });
}

void MainWindow::collect(const Paths& chosen, std::function<void(const Paths&)> then) {
    if (!m_collecting.isNull()) {
        m_collecting->cancel();
    }
    m_status->setTexts(tr("Searching for models…"), {});
    m_collecting = startJob<Paths>(
        this, [chosen](const JobContext& job) { return collectModelFiles(chosen, job); },
        [this, chosen, then = std::move(then)](const Result<Paths>& files) {
            updateStatus();
            if (!files) {
                return;
            }
            if (!files->empty()) {
                then(*files);
                return;
            }
            auto* box = new QMessageBox(this);
            box->setAttribute(Qt::WA_DeleteOnClose);
            box->setWindowTitle(tr("Open"));
            box->setTextFormat(Qt::PlainText);
            box->setText(tr("There is no model file in %1 or the folders below it.").arg(displayPath(chosen.front())));
            box->open();
        });
}

void MainWindow::openCollected(const Paths& paths) {
    if (paths.size() <= kManyFiles) {
        openPaths(paths);
        return;
    }
    auto* box = new QMessageBox(this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(tr("Open"));
    box->setTextFormat(Qt::PlainText);
    box->setText(tr("Open %n models, each in a tab of its own?", nullptr, numerus(paths.size())));
    QPushButton* yes = box->addButton(tr("Open all"), QMessageBox::AcceptRole);
    box->addButton(QMessageBox::Cancel);
    connect(box, &QMessageBox::finished, this, [this, box, yes, paths] {
        if (box->clickedButton() == yes) {
            openPaths(paths);
        }
    });
    box->open();
}

void MainWindow::setDropHovered(bool hovered, QPoint at) {
    if (StartPage* start = currentStartPage()) {
        start->setDropHovered(hovered);
    }
    const ModelTab* model = currentModelTab();
    const bool choice = hovered && ((model != nullptr && model->model()) || currentCompareTab() != nullptr);
    if (!choice) {
        m_dropChoice->hide();
        return;
    }
    m_dropChoice->setOffer(model != nullptr ? tr("Compare with %1").arg(model->title()) : tr("Add to the comparison"));
    m_dropChoice->showOver(*m_stack, at);
}

void MainWindow::dropChosen(const Paths& chosen, QPoint at) {
    if (!m_dropChoice->isVisible() || !m_dropChoice->isOffered(at)) {
        openChosen(chosen);
        return;
    }
    collect(chosen, [this](const Paths& paths) {
        if (CompareTab* comparison = currentCompareTab()) {
            comparison->addFiles(paths);
        } else if (const ModelTab* model = currentModelTab()) {
            Paths all{model->path()};
            std::ranges::copy_if(paths, std::back_inserter(all),
                                 [&](const std::filesystem::path& path) { return path != all.front(); });
            openComparison(all);
        }
    });
}

} // namespace gufo::ui
