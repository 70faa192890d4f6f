#include "ui/mainwindow/opener.h"

#include "formats/container/container.h"
#include "inference/measuring/line_vectors.h"
#include "model/file_kind.h"
#include "ui/compare/choose_files.h"
#include "ui/compare/compare_tab.h"
#include "ui/hub/download_dialog.h"
#include "ui/hub/downloads_dialog.h"
#include "ui/hub/open_address_dialog.h"
#include "ui/mainwindow/drop_choice.h"
#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/start/start_page.h"
#include "ui/mainwindow/status_strip.h"
#include "ui/mainwindow/tabs/model_tab.h"
#include "ui/mainwindow/tabs/repository_tab.h"
#include "ui/mainwindow/tabs/window_tabs.h"
#include "ui/mainwindow/window_manager.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/chosen_models.h"
#include "ui/shell/native_path.h"
#include "ui/shell/notice_bar.h"
#include "ui/shell/places.h"
#include "ui/shell/settings.h"

#include <QAction>
#include <QFileDialog>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QTimer>

#include <algorithm>
#include <optional>
#include <utility>

namespace gufo::ui {
namespace {

constexpr std::size_t kManyFiles = 12; // from this number on the user is asked first
// The number of tabs that are opened in one turn of the event loop, which takes about 25 ms.
constexpr std::size_t kAtOnce = 24;
static_assert(kAtOnce >= 2 * kMaxCompared); // offerToCompare() expects that so many files have tabs

Places chosenFiles(const QStringList& names) {
    Places files;
    std::ranges::transform(names, std::back_inserter(files), fromQtPath);
    return files;
}

} // namespace

Opener::Opener(MainWindow* window, WindowManager* manager, WindowTabs* tabs, StatusStrip* status)
    : QObject(window)
    , m_window(window)
    , m_manager(manager)
    , m_tabs(tabs)
    , m_status(status)
    , m_offer(new NoticeBar(window))
    , m_dropChoice(new DropChoice(window)) {}

void Opener::openPlaces(const Places& places) {
    m_offer->hide();
    const std::size_t now = std::min(places.size(), kAtOnce);
    const bool isOpening = !m_later.empty();
    m_later.insert(m_later.end(), places.begin() + static_cast<std::ptrdiff_t>(now), places.end());
    if (!isOpening && !m_later.empty()) {
        QTimer::singleShot(0, this, &Opener::openLater);
    }
    openNow(std::span(places).first(now), Shown::Last);
    m_together = places;
    offerToCompare();
}

void Opener::openLater() {
    const auto end = m_later.begin() + static_cast<std::ptrdiff_t>(std::min(m_later.size(), kAtOnce));
    const Places places(m_later.begin(), end);
    m_later.erase(m_later.begin(), end);
    openNow(places, m_later.empty() ? Shown::Last : Shown::Current);
    if (!m_later.empty()) {
        QTimer::singleShot(0, this, &Opener::openLater);
    }
}

void Opener::openNow(std::span<const hub::ModelPlace> places, Shown shown) {
    const QPointer<QWidget> current = m_tabs->current(); // a start page is closed below
    std::optional<WindowTabs::Adding> adding;
    if (places.size() > 1) {
        adding.emplace(m_tabs);
    }
    for (const hub::ModelPlace& place : places) {
        if (place.isRepository()) {
            openRepository(*place.hubName());
            continue;
        }
        if (const auto [window, tab] = m_manager->findTab(place); tab != nullptr) {
            window->showTab(tab);
            if (window != m_window) {
                window->bringToFront();
            }
            if (tab->hasFailed() || tab->isWaiting()) {
                tab->reload();
            }
            continue;
        }
        StartPage* start = m_window->currentStartPage();
        addModelTab(place, {});
        if (start != nullptr) {
            m_tabs->closeNow(start); // the model replaces it
        }
    }
    if (shown == Shown::Current && current) {
        m_tabs->show(current);
    }
    adding.reset();
    m_window->currentTabChanged();
    m_manager->sessionChanged();
}

// Files that could not be read, or were closed in the meantime, are not counted.
void Opener::offerToCompare() {
    if (m_together.size() > 2 * kMaxCompared) {
        m_together.clear(); // so many of them do not fail, and they are looked up after each that was read
    }
    Places models;
    for (const hub::ModelPlace& place : m_together) {
        const auto [window, tab] = m_manager->findTab(place);
        if (tab == nullptr || tab->hasFailed()) {
            continue;
        }
        if (tab->model() == nullptr) {
            return; // waits until it has been read
        }
        models.push_back(place);
    }
    m_together.clear();
    if (models.size() >= 2 && models.size() <= kMaxCompared) {
        m_offered = models;
        m_offer->showNotice(
            MainWindow::tr("%n models were opened together.", nullptr, numerus(models.size())),
            {{.text = MainWindow::tr("Compare these"), .run = [this, models] { openComparison(models); }}},
            NoticeBar::Tone::Info);
    }
}

void Opener::tabClosed() {
    if (!m_offer->isHidden()) {
        m_offer->hide();
        m_together = std::move(m_offered);
    }
    offerToCompare(); // the tab may also have been the last one that was not yet read
}

CompareTab* Opener::openComparison(const Places& places, const QString& pageId) {
    m_offer->hide();
    if (places.size() < 2) {
        openPlaces(places);
        return nullptr;
    }
    StartPage* start = m_window->currentStartPage();
    CompareTab* tab = addCompareTab(places, CompareTab::stateFor(pageId));
    if (start != nullptr) {
        m_tabs->close({start});
    }
    m_window->currentTabChanged();
    m_manager->sessionChanged();
    return tab;
}

CompareTab* Opener::addCompareTab(const Places& places, const QJsonObject& state) {
    auto* tab = new CompareTab(places, state, m_tabs->content());
    connect(tab, &CompareTab::openInTab, m_window,
            [this](const hub::ModelPlace& model, const Place& place) { openInTab(model, place); });
    connect(tab, &CompareTab::keyCopied, m_window,
            [this](const hub::ModelPlace& to, const QByteArray& key, const OwnedValue& value, const QString& from) {
                copyKey(to, key, value, from);
            });
    connect(tab, &CompareTab::addFilesRequested, m_window, [this] { addToComparison(); });
    m_window->addWindowTab(tab);
    return tab;
}

void Opener::openInTab(const hub::ModelPlace& model, const Place& place) {
    openPlaces({model});
    if (place.kind != Place::Kind::File) {
        whenReady(m_tabs->find(model), [place](ModelTab* tab) { tab->goTo(place); });
    }
}

// An edit like any other, in that model's tab.
void Opener::copyKey(const hub::ModelPlace& to, const QByteArray& key, const OwnedValue& value, const QString& from) {
    openPlaces({to});
    whenReady(m_tabs->find(to), [key, value, from](ModelTab* tab) {
        if (tab->document() != nullptr) {
            tab->document()->apply({SetKey{.key = key.toStdString(), .value = value}},
                                   MainWindow::tr("Copy %1 from %2").arg(displayText(key.toStdString()), from));
            tab->goTo(Place::key(key.toStdString()));
        }
    });
}

// Calls `then` now, or once the model has been read and has its pages.
void Opener::whenReady(ModelTab* tab, std::function<void(ModelTab*)> then) {
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

void Opener::openChosen(const Places& chosen) {
    collect(chosen, [this](const Places& places) { openCollected(places); });
}

void Opener::collect(const Places& chosen, std::function<void(const Places&)> then) {
    m_status->setTexts(MainWindow::tr("Searching for models…"), {});
    m_collecting.start<Places>([chosen](const JobContext& job) { return collectModelFiles(chosen, job); },
                               [this, chosen, then = std::move(then)](const Result<Places>& files) {
                                   m_window->updateStatus();
                                   if (files && !files->empty()) {
                                       then(*files);
                                   } else if (files) {
                                       sayThereIsNone(chosen.front());
                                   }
                               });
}

void Opener::sayThereIsNone(const hub::ModelPlace& folder) {
    auto* box = new QMessageBox(m_window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(MainWindow::tr("Open"));
    box->setTextFormat(Qt::PlainText);
    box->setText(MainWindow::tr("There is no model file in %1 or the folders below it.").arg(pathText(folder)));
    box->open();
}

void Opener::openCollected(const Places& places) {
    if (places.size() <= kManyFiles) {
        openPlaces(places);
        return;
    }
    auto* box = new QMessageBox(m_window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(MainWindow::tr("Open"));
    box->setTextFormat(Qt::PlainText);
    box->setText(MainWindow::tr("Open %n models, each in a tab of its own?", nullptr, numerus(places.size())));
    QPushButton* yes = box->addButton(MainWindow::tr("Open all"), QMessageBox::AcceptRole);
    box->addButton(QMessageBox::Cancel);
    connect(box, &QMessageBox::finished, m_window, [this, box, yes, places] {
        if (box->clickedButton() == yes) {
            openPlaces(places);
        }
    });
    box->open();
}

void Opener::setDropHovered(bool hovered, QPoint at) {
    if (StartPage* start = m_window->currentStartPage()) {
        start->setDropHovered(hovered);
    }
    const ModelTab* model = m_window->currentModelTab();
    const bool choice = hovered && ((model != nullptr && model->model()) || m_window->currentCompareTab() != nullptr);
    if (!choice) {
        m_dropChoice->hide();
        return;
    }
    m_dropChoice->setOffer(model != nullptr ? MainWindow::tr("Compare with %1").arg(model->title())
                                            : MainWindow::tr("Add to the comparison"));
    m_dropChoice->showOver(*m_tabs->content(), at);
}

void Opener::dropChosen(const Places& chosen, QPoint at) {
    if (!m_dropChoice->isVisible() || !m_dropChoice->isOffered(at)) {
        openChosen(chosen);
        return;
    }
    collect(chosen, [this](const Places& places) {
        if (CompareTab* comparison = m_window->currentCompareTab()) {
            comparison->addFiles(places);
        } else if (const ModelTab* model = m_window->currentModelTab()) {
            Places all{model->place()};
            std::ranges::copy_if(places, std::back_inserter(all),
                                 [&](const hub::ModelPlace& place) { return place != all.front(); });
            openComparison(all);
        }
    });
}

void Opener::showAddressDialog() {
    auto* dialog = new OpenAddressDialog(m_window);
    connect(dialog, &OpenAddressDialog::openRequested, m_window,
            [this](const hub::ModelPlace& place) { openPlaces({place}); });
    connect(dialog, &OpenAddressDialog::downloadRequested, m_window,
            [this](const hub::ModelPlace& place) { download(place, std::nullopt); });
    dialog->open();
}

RepositoryTab* Opener::openRepository(const hub::HubName& name) {
    for (WindowTab* each : m_tabs->windowTabs()) {
        auto* tab = qobject_cast<RepositoryTab*>(each);
        if (tab != nullptr && tab->name() == name) {
            m_tabs->show(tab);
            if (tab->hasFailed() || tab->isWaiting()) {
                tab->reload();
            }
            return tab;
        }
    }
    StartPage* start = m_window->currentStartPage();
    RepositoryTab* tab = addRepositoryTab(name, {});
    if (start != nullptr) {
        m_tabs->closeNow(start); // the repository replaces it
    }
    m_window->currentTabChanged();
    m_manager->sessionChanged();
    return tab;
}

RepositoryTab* Opener::addRepositoryTab(const hub::HubName& name, const QJsonObject& state) {
    auto* tab = new RepositoryTab(name, state, m_tabs->content());
    connect(tab, &RepositoryTab::openRequested, m_window, [this](const hub::ModelPlace& file) { openPlaces({file}); });
    connect(tab, &RepositoryTab::compareRequested, m_window, [this](const Places& files) { openComparison(files); });
    connect(tab, &RepositoryTab::downloadRequested, m_window,
            [this](const hub::ModelFiles& files) { download(hub::ModelPlace::parse(files.files.front().url), files); });
    m_window->addWindowTab(tab);
    return tab;
}

void Opener::download(const hub::ModelPlace& address, std::optional<hub::ModelFiles> files,
                      const std::filesystem::path& folder) {
    auto* dialog = new DownloadDialog(address, std::move(files), m_window);
    if (!folder.empty()) {
        dialog->folderField()->setText(qtPath(folder));
    }
    connect(dialog, &DownloadDialog::downloaded, m_window,
            [this](const std::filesystem::path& first) { openPlaces({first}); });
    dialog->show();
}

void Opener::showDownloads() {
    if (auto* open = m_window->findChild<DownloadsDialog*>()) {
        open->raise();
        open->activateWindow();
        return;
    }
    auto* dialog = new DownloadsDialog(m_window);
    connect(dialog, &DownloadsDialog::openRequested, m_window,
            [this](const std::filesystem::path& file) { openPlaces({file}); });
    connect(dialog, &DownloadsDialog::continueRequested, m_window,
            [this](const hub::ModelPlace& address, const std::filesystem::path& folder) {
                download(address, std::nullopt, folder);
            });
    dialog->show();
}

void Opener::showOpenDialog() {
    QSettings settings;
    auto* dialog = new QFileDialog(m_window, MainWindow::tr("Open models"),
                                   settings.value(setting::kOpenFolder).toString(), openModelFilter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, m_window, [this](const QStringList& names) {
        if (!names.isEmpty()) {
            QSettings().setValue(setting::kOpenFolder, qtPath(fromQtPath(names.front()).parent_path()));
            openPlaces(chosenFiles(names));
        }
    });
    dialog->open();
}

void Opener::chooseComparison(const QString& pageId) {
    const bool runs = pageId == QStringLiteral("run");
    auto* dialog =
        new ChooseFiles(runs ? ChooseFiles::Purpose::RunSideBySide : ChooseFiles::Purpose::Compare, m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    const ModelTab* current = m_window->currentModelTab();
    // Encoders generate no text, and what has no weights cannot be run.
    const auto canRun = [](const ModelTab& tab) {
        return tab.model() != nullptr && fileKind(*tab.model()) == FileKind::Model &&
               !inference::isForVectors(*tab.model()) && capabilitiesOf(*tab.model()).has(Capability::Run);
    };
    for (const ModelTab* tab : m_tabs->modelTabs()) {
        if (!tab->hasFailed() && (!runs || canRun(*tab))) {
            dialog->addFile(tab->place(), tab == current);
        }
    }
    connect(dialog, &ChooseFiles::chosen, m_window,
            [this, pageId](const Places& files, const std::optional<hub::ModelPlace>& reference) {
                CompareTab* tab = openComparison(files, pageId);
                if (tab != nullptr && reference) {
                    tab->comparison().start(files, reference);
                }
            });
    dialog->open();
}

void Opener::addToComparison() {
    CompareTab* tab = m_window->currentCompareTab();
    if (tab == nullptr) {
        return;
    }
    QSettings settings;
    auto* dialog = new QFileDialog(m_window, MainWindow::tr("Add to the comparison"),
                                   settings.value(setting::kOpenFolder).toString(), openModelFilter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, tab,
            [tab](const QStringList& names) { tab->addFiles(chosenFiles(names)); });
    dialog->open();
}

ModelTab* Opener::addModelTab(const hub::ModelPlace& place, const QJsonObject& state) {
    auto* tab = new ModelTab(place, state, m_tabs->content());
    connect(tab, &ModelTab::edited, m_window, [this, tab] { m_window->edited(tab); });
    connect(tab, &ModelTab::compareRequested, m_window, [this] { chooseComparison({}); });
    connect(tab, &ModelTab::convertRequested, m_window->namedAction("convert"), &QAction::trigger);
    connect(tab, &ModelTab::downloadRequested, m_window, [this, tab] { download(tab->place(), std::nullopt); });
    connect(tab, &ModelTab::wanted, m_window, [this, tab] {
        m_tabs->show(tab);
        m_window->bringToFront();
    });
    tab->setTakenPaths([this, tab](const std::filesystem::path& wanted) {
        const ModelTab* other = m_manager->findTab(wanted).tab;
        return other != nullptr && other != tab;
    });
    m_window->addWindowTab(tab);
    return tab;
}

WindowTab* Opener::restoreTab(const QJsonObject& state) {
    if (const Places compared = CompareTab::filesOfState(state); compared.size() >= 2) {
        return addCompareTab(compared, state);
    }
    const auto repository = RepositoryTab::placeOfState(state);
    if (repository && repository->hubName() != nullptr) {
        return addRepositoryTab(*repository->hubName(), state);
    }
    // The address of a mirror is the name of a repository only while the environment names the mirror.
    const auto place = repository ? repository : ModelTab::placeOfState(state);
    return place ? addModelTab(*place, state) : nullptr;
}

} // namespace gufo::ui
