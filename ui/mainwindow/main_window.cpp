#include "ui/mainwindow/main_window.h"

#include "base/cpu_features.h"
#include "base/parallel.h"
#include "ui/compare/compare_tab.h"
#include "ui/guide/guide_chapters.h"
#include "ui/guide/guide_window.h"
#include "ui/hub/download_dialog.h"
#include "ui/mainwindow/go_to/go_to_field.h"
#include "ui/mainwindow/main_menu.h"
#include "ui/mainwindow/model_tools.h"
#include "ui/mainwindow/opener.h"
#include "ui/mainwindow/start/start_page.h"
#include "ui/mainwindow/status_strip.h"
#include "ui/mainwindow/tabs/model_tab.h"
#include "ui/mainwindow/tabs/unsaved_question.h"
#include "ui/mainwindow/tabs/window_tabs.h"
#include "ui/mainwindow/window_manager.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/plots/zoom_plot.h"
#include "ui/saving/tab_editing.h"
#include "ui/shell/native_path.h"
#include "ui/shell/notice_bar.h"
#include "ui/shell/settings.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QClipboard>
#include <QCloseEvent>
#include <QCoreApplication>
#include <QDesktopServices>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QKeyEvent>
#include <QMenuBar>
#include <QScreen>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr QSize kFirstSize(1440, 900);
constexpr QSize kMinSize(640, 480); // so that windows fit a screen of 1920 × 1080 at twice the scale
constexpr QSize kLeastSize(480, 320);
constexpr QSize kFrame(8, 40); // room for the title bar and borders, whose size is known only when a window is shown
constexpr int kCompactBelow = 1200;
constexpr int kGoToWidth = 312;

} // namespace

MainWindow::MainWindow(WindowManager* manager)
    : m_manager(manager)
    , m_tabs(new WindowTabs(this))
    , m_status(new StatusStrip(this))
    , m_goTo(new GoToField(this))
    , m_opener(new Opener(this, manager, m_tabs, m_status)) {
    setMinimumSize(smallestSize(screen()->availableSize()));
    setAcceptDrops(true);
    setWindowTitle(QStringLiteral("Gufo"));

    auto* top = new QWidget(this);
    auto* topRow = new QHBoxLayout(top);
    topRow->setContentsMargins(0, 0, 8, 0);
    topRow->setSpacing(8);
    auto* menus = new QMenuBar(top);
    auto* tools = new ModelTools(this, m_tabs, m_status, m_opener, m_manager->recent());
    m_menu = new MainMenu(this, tools, menus);
    m_goTo->setCommands(menus);
    topRow->addWidget(menus, 1);
    topRow->addWidget(m_goTo, 0, Qt::AlignVCenter);
    m_goTo->setFixedWidth(kGoToWidth);
    setMenuWidget(top);

    auto* central = new QWidget(this);
    auto* column = new QVBoxLayout(central);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_tabs, 1);
    column->addWidget(m_opener->offer());
    column->addWidget(m_status);
    setCentralWidget(central);

    connect(m_tabs, &WindowTabs::newTabRequested, this, &MainWindow::addStartPage);
    connect(m_tabs, &WindowTabs::currentChanged, this, &MainWindow::currentTabChanged);
    connect(m_tabs, &WindowTabs::moved, m_manager, &WindowManager::sessionChanged);
    connect(m_tabs, &WindowTabs::closed, this, [this] {
        if (m_tabs->count() == 0) {
            addStartPage();
        }
        writeTitle(currentTab()); // its name may no longer need what told it apart
        m_menu->update();
        m_opener->tabClosed();
        m_manager->sessionChanged();
    });
    connect(m_goTo, &GoToField::pageChosen, this, [this](int page) {
        if (WindowTab* tab = currentTab()) {
            tab->showPage(page);
        }
    });
    connect(m_goTo, &GoToField::placeChosen, this, [this](const Place& place) {
        if (WindowTab* tab = currentTab()) {
            tab->goTo(place);
        }
    });
    connect(m_goTo, &GoToField::addressChosen, this, [this](const hub::ModelPlace& model) { openPlaces({model}); });
    connect(m_goTo, &GoToField::left, this, [this] {
        if (QWidget* tab = m_tabs->current()) {
            Page* page = currentPage();
            (page != nullptr ? page : tab)->setFocus(Qt::OtherFocusReason);
        }
    });

    const QSettings settings;
    if (!restoreGeometry(settings.value(setting::kGeometry).toByteArray())) {
        resize(firstSize(screen()->availableSize()));
    }
    addStartPage();
}

QSize MainWindow::firstSize(const QSize& available) {
    return kFirstSize.boundedTo(available - kFrame).expandedTo(smallestSize(available));
}

QSize MainWindow::smallestSize(const QSize& available) {
    return kMinSize.boundedTo(available - kFrame).expandedTo(kLeastSize);
}

int MainWindow::tabCount() const { return m_tabs->count(); }

QWidget* MainWindow::tabAt(int index) const { return m_tabs->at(index); }

ModelTab* MainWindow::modelTabAt(int index) const { return qobject_cast<ModelTab*>(tabAt(index)); }

ModelTab* MainWindow::currentModelTab() const { return qobject_cast<ModelTab*>(m_tabs->current()); }

CompareTab* MainWindow::currentCompareTab() const { return qobject_cast<CompareTab*>(currentTab()); }

WindowTab* MainWindow::currentTab() const { return qobject_cast<WindowTab*>(m_tabs->current()); }

std::vector<ModelTab*> MainWindow::modelTabs() const { return m_tabs->modelTabs(); }

ModelTab* MainWindow::findTab(const hub::ModelPlace& place) const { return m_tabs->find(place); }

void MainWindow::showTab(const QWidget* tab) { m_tabs->show(tab); }

QAction* MainWindow::namedAction(const char* name) const { return m_menu->action(name); }

void MainWindow::openPlaces(const Places& places) { m_opener->openPlaces(places); }

void MainWindow::openChosen(const Places& chosen) { m_opener->openChosen(chosen); }

RepositoryTab* MainWindow::openRepository(const hub::HubName& name) { return m_opener->openRepository(name); }

CompareTab* MainWindow::openComparison(const Places& places, const QString& pageId) {
    return m_opener->openComparison(places, pageId);
}

void MainWindow::setDropHovered(bool hovered, QPoint at) { m_opener->setDropHovered(hovered, at); }

void MainWindow::dropChosen(const Places& chosen, QPoint at) { m_opener->dropChosen(chosen, at); }

QJsonObject MainWindow::saveTabs() const { return m_tabs->save(); }

StartPage* MainWindow::currentStartPage() const { return qobject_cast<StartPage*>(m_tabs->current()); }

Page* MainWindow::currentPage() const {
    const WindowTab* tab = currentTab();
    return tab != nullptr ? tab->currentPage() : nullptr;
}

StartPage* MainWindow::addStartPage() {
    auto* page = new StartPage(m_manager->recent(), m_tabs->content());
    page->setSessionTabs(m_manager->restorableTabs());
    connect(m_manager, &WindowManager::restorableChanged, page,
            [this, page] { page->setSessionTabs(m_manager->restorableTabs()); });
    connect(page, &StartPage::openDialogRequested, m_opener, &Opener::showOpenDialog);
    connect(page, &StartPage::restoreSessionRequested, this, [this] { m_manager->restoreSession(this); });
    connect(page, &StartPage::openRequested, this, [this](const hub::ModelPlace& model) { openPlaces({model}); });
    m_tabs->add(page, QStringLiteral("overview"), tr("Start"), {});
    currentTabChanged();
    return page;
}

void MainWindow::addWindowTab(WindowTab* tab) {
    tab->setCompactSidebar(width() < kCompactBelow);
    tab->setSidebarShown(m_menu->action("sidebar")->isChecked());
    connect(tab, &WindowTab::opened, this, [this, tab] { opened(tab); });
    connect(tab, &WindowTab::closeRequested, this, [this, tab] { m_tabs->close({tab}); });
    connect(tab, &WindowTab::titleChanged, this, [this, tab] {
        m_tabs->updateTitles();
        m_tabs->bar()->setTabToolTip(m_tabs->indexOf(tab), plainToolTip(tab->description()));
        if (const WindowTab* current = currentTab()) {
            writeTitle(current);
        }
        m_manager->sessionChanged();
    });
    connect(tab, &WindowTab::statusChanged, this, [this, tab] {
        if (tab == currentTab()) {
            updateStatus();
        }
    });
    connect(tab, &WindowTab::pagesChanged, this, [this, tab] {
        if (tab == currentTab()) {
            m_menu->fillPages();
            updateGoTo();
            m_menu->update();
        }
        m_manager->sessionChanged();
    });
    m_tabs->add(tab, tab->iconName(), tab->title(), tab->description());
}

void MainWindow::opened(WindowTab* tab) {
    if (const auto* model = qobject_cast<ModelTab*>(tab); model != nullptr && model->model()) {
        m_manager->recent()->add(describeModel(*model->model(), model->place()));
    }
    if (const auto* compared = qobject_cast<CompareTab*>(tab)) {
        const auto& files = compared->comparison().files();
        std::for_each(files.rbegin(), files.rend(), [this](const ComparedFile& file) { // the first comes first
            m_manager->recent()->add(describeModel(*file.model, file.place));
        });
    }
    const int index = m_tabs->indexOf(tab);
    m_tabs->bar()->setTabIcon(index, themeIcon(tab->hasFailed() ? QStringLiteral("error") : tab->iconName(),
                                               tab->hasFailed() ? Token::ErrorText : Token::Text));
    if (tab == currentTab()) {
        currentTabChanged();
    }
    m_opener->offerToCompare();
}

void MainWindow::edited(ModelTab* tab) {
    m_tabs->bar()->setModified(m_tabs->indexOf(tab), tab->isModified());
    if (tab == currentTab()) {
        setWindowModified(tab->isModified());
        updateGoTo();
        m_menu->update();
    }
}

void MainWindow::writeTitle(const WindowTab* tab) {
    if (tab == nullptr) {
        setWindowTitle(QStringLiteral("Gufo"));
        return;
    }
    const auto* model = qobject_cast<const ModelTab*>(tab);
    setWindowTitle(
        tr("%1[*] — Gufo").arg(m_tabs->titleOf(tab).replace(QStringLiteral("[*]"), QStringLiteral("[*][*]"))));
    setWindowModified(model != nullptr && model->isModified());
}

void MainWindow::bringToFront() {
    if (isMinimized()) {
        showNormal();
    }
    raise();
    activateWindow();
}

void MainWindow::currentTabChanged() {
    const QWidget* widget = m_tabs->showCurrent();
    if (widget == nullptr) {
        return;
    }
    writeTitle(qobject_cast<const WindowTab*>(widget));
    m_menu->fillPages();
    updateGoTo();
    updateStatus();
    m_menu->update();
    m_manager->sessionChanged();
}

void MainWindow::updateGoTo() {
    const WindowTab* tab = currentTab();
    QStringList titles;
    if (tab != nullptr) {
        for (const Page* page : tab->pages()) {
            titles << page->title();
        }
    }
    const ModelTab* model = currentModelTab();
    m_goTo->setModel(model != nullptr ? model->model() : nullptr, titles);
}

void MainWindow::updateStatus() {
    if (const WindowTab* tab = currentTab()) {
        m_status->setTexts(tab->statusLeft(), tab->statusRight());
    } else {
        const auto cpu = cpuDescription();
        m_status->setTexts(tr("Ready"), {tr("%1, %n threads", nullptr, numerus(hardwareThreads()))
                                             .arg(QString::fromUtf8(cpu.data(), static_cast<qsizetype>(cpu.size())))});
    }
}

void MainWindow::restoreTabs(const QJsonObject& state) {
    const QJsonArray tabs = state.value(QStringLiteral("tabs")).toArray();
    std::vector<WindowTab*> restored;
    StartPage* start = currentStartPage();
    {
        const WindowTabs::Adding adding(m_tabs);
        for (const QJsonValue& value : tabs) {
            if (WindowTab* tab = m_opener->restoreTab(value.toObject())) {
                restored.push_back(tab);
            }
        }
        if (restored.empty()) {
            return;
        }
        const int current =
            std::clamp(state.value(QStringLiteral("current")).toInt(), 0, static_cast<int>(restored.size()) - 1);
        m_tabs->show(restored[static_cast<std::size_t>(current)]);
    }
    if (start != nullptr) {
        m_tabs->closeNow(start); // not before, because a neighbour would be shown, and read its files
    }
    currentTabChanged();
}

void MainWindow::reopenClosedTab() {
    if (m_tabs->canReopen()) {
        m_opener->restoreTab(m_tabs->takeClosed());
        currentTabChanged();
    }
}

void MainWindow::toggleRestoreOnStart() {
    QSettings().setValue(setting::kRestoreOnStart, m_menu->action("restoreOnStart")->isChecked());
}

TabEditing* MainWindow::currentEditing() const {
    const ModelTab* tab = currentModelTab();
    return tab != nullptr ? tab->editing() : nullptr;
}

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
    if (TabEditing* editing = currentEditing(); editing != nullptr && !explainSaving()) {
        editing->saveAs();
    }
}

void MainWindow::saveWithOptions() {
    if (TabEditing* editing = currentEditing(); editing != nullptr && !explainSaving()) {
        editing->saveWithOptions();
    }
}

void MainWindow::revertAll() {
    if (TabEditing* editing = currentEditing()) {
        editing->askRevertAll();
    }
}

void MainWindow::review() {
    if (TabEditing* editing = currentEditing()) {
        editing->review();
    }
}

void MainWindow::undo() {
    if (const ModelTab* tab = currentModelTab(); tab != nullptr && tab->document() != nullptr) {
        const QString step = displayText(tab->document()->document().undoLabel());
        tab->document()->undo();
        m_status->say(tr("Undone: %1").arg(step));
    }
}

void MainWindow::redo() {
    if (const ModelTab* tab = currentModelTab(); tab != nullptr && tab->document() != nullptr) {
        const QString step = displayText(tab->document()->document().redoLabel());
        tab->document()->redo();
        m_status->say(tr("Redone: %1").arg(step));
    }
}

void MainWindow::copyAs(CopyFormat format) {
    QString text;
    if (const Page* page = currentPage()) {
        text = page->copyText(format);
    } else if (const WindowTab* tab = currentTab()) {
        text = tab->errorText();
    }
    if (text.isEmpty()) {
        m_status->say(tr("Nothing to copy here"));
        return;
    }
    QGuiApplication::clipboard()->setText(text);
    const auto lines = text.count(u'\n') + (text.endsWith(u'\n') ? 0 : 1);
    m_status->say(lines == 1 ? tr("Copied")
                             : tr("Copied %n lines", nullptr, numerus(static_cast<std::uint64_t>(lines))));
}

void MainWindow::copyPath() {
    if (const ModelTab* tab = currentModelTab()) {
        QGuiApplication::clipboard()->setText(copiedText(tab->place()));
    }
}

void MainWindow::find() {
    const Page* page = currentPage();
    const StartPage* start = currentStartPage();
    QWidget* field = page != nullptr ? page->filterField() : start != nullptr ? start->filterField() : nullptr;
    if (field != nullptr) {
        for (QWidget* folded = field->parentWidget(); folded != page && folded != start && folded != nullptr;
             folded = folded->parentWidget()) {
            folded->show(); // a page may hide its field until it is wanted
        }
        field->setFocus(Qt::ShortcutFocusReason);
    }
}

void MainWindow::focusGoTo() {
    m_goTo->setFocus(Qt::ShortcutFocusReason);
    m_goTo->selectAll();
}

ZoomPlot* MainWindow::zoomedPlot() const {
    const Page* page = currentPage();
    if (page == nullptr) {
        return nullptr;
    }
    if (auto* focused = qobject_cast<ZoomPlot*>(focusWidget()); focused != nullptr && page->isAncestorOf(focused)) {
        return focused;
    }
    const auto plots = page->findChildren<ZoomPlot*>();
    const auto visible = std::ranges::find_if(plots, [](const ZoomPlot* plot) { return plot->isVisible(); });
    return visible != plots.end() ? *visible : nullptr;
}

// Zooms as the key does that plots know for it.
void MainWindow::zoomBy(Qt::Key key) {
    if (ZoomPlot* plot = zoomedPlot()) {
        QKeyEvent event(QEvent::KeyPress, key, Qt::NoModifier);
        QCoreApplication::sendEvent(plot, &event);
    }
}

void MainWindow::reload() {
    if (WindowTab* tab = currentTab()) {
        tab->reload();
    }
}

void MainWindow::showInFileManager() {
    const ModelTab* tab = currentModelTab();
    if (const auto* file = tab != nullptr ? tab->place().localPath() : nullptr) {
        QDesktopServices::openUrl(QUrl::fromEncoded("file://" + pathBytes(file->parent_path()).toPercentEncoding("/")));
    }
}

void MainWindow::toggleSidebar() {
    const bool shown = m_menu->action("sidebar")->isChecked();
    QSettings().setValue(setting::kSidebar, shown);
    for (WindowTab* tab : m_tabs->windowTabs()) {
        tab->setSidebarShown(shown);
    }
}

void MainWindow::toggleFullScreen() {
    setWindowState(windowState().setFlag(Qt::WindowFullScreen, m_menu->action("fullScreen")->isChecked()));
}

void MainWindow::showGuide() {
    WindowTab* tab = currentTab();
    const bool isComparison = qobject_cast<CompareTab*>(tab) != nullptr;
    showGuideChapter(guideChapterOf(isComparison     ? QStringLiteral("compare")
                                    : tab != nullptr ? tab->currentPageId()
                                                     : QString()));
}

void MainWindow::showGuideChapter(const GuideChapter& chapter) {
    auto* guide = findChild<GuideWindow*>();
    (guide != nullptr ? guide : new GuideWindow(this))->showChapter(chapter);
}

bool MainWindow::explainSaving() {
    ModelTab* tab = currentModelTab();
    if (tab == nullptr || !tab->isRemote()) {
        return false;
    }
    tab->explainSaving();
    return true;
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (JobDialog* dialog = JobDialog::workingIn(*this)) { // closing would stop it
        event->ignore();
        dialog->raise();
        dialog->activateWindow();
        connect(dialog, &JobDialog::closedWhileWorking, this, &QWidget::close,
                static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::UniqueConnection));
        dialog->reject();
        return;
    }
    if (DownloadDialog::askBeforeEnd(this, [this] { close(); })) {
        event->ignore();
        return;
    }
    const auto tabs = m_tabs->modelTabs();
    if (std::ranges::any_of(
            tabs, [](const ModelTab* tab) { return tab->isModified() || tab->isSaving() || tab->hasTyped(); })) {
        event->ignore();
        UnsavedQuestion::ask(this, tabs, [this] { close(); });
        return;
    }
    QSettings().setValue(setting::kGeometry, saveGeometry());
    m_manager->windowClosing(this);
    QMainWindow::closeEvent(event);
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ActivationChange && isActiveWindow()) {
        emit activated();
        if (WindowTab* tab = currentTab()) {
            tab->checkFiles();
        }
    }
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    for (WindowTab* tab : m_tabs->windowTabs()) {
        tab->setCompactSidebar(width() < kCompactBelow);
    }
}

} // namespace gufo::ui

#include "moc_main_window.cpp"
