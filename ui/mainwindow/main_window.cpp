#include "ui/mainwindow/main_window.h"

#include "base/cpu_features.h"
#include "base/parallel.h"
#include "ui/compare/compare_tab.h"
#include "ui/mainwindow/drop_choice.h"
#include "ui/mainwindow/go_to/go_to_field.h"
#include "ui/mainwindow/start/start_page.h"
#include "ui/mainwindow/status_strip.h"
#include "ui/mainwindow/tabs/model_tab.h"
#include "ui/mainwindow/tabs/repository_tab.h"
#include "ui/mainwindow/tabs/tab_strip.h"
#include "ui/mainwindow/tabs/unsaved_question.h"
#include "ui/mainwindow/window_manager.h"
#include "ui/messages/catalogue.h"
#include "ui/shell/notice_bar.h"
#include "ui/shell/settings.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QCloseEvent>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QMenuBar>
#include <QScreen>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr QSize kFirstSize(1440, 900);
constexpr QSize kMinSize(900, 600);
constexpr QSize kFrame(8, 40); // room for the title bar and borders, whose size is known only when a window is shown
constexpr int kCompactBelow = 1200;
constexpr int kGoToWidth = 312;
constexpr std::size_t kMaxClosed = 20;

const QString kTabs = QStringLiteral("tabs");
const QString kCurrent = QStringLiteral("current");

} // namespace

MainWindow::MainWindow(WindowManager* manager)
    : m_manager(manager)
    , m_strip(new TabStrip(this))
    , m_stack(new QStackedWidget(this))
    , m_status(new StatusStrip(this))
    , m_goTo(new GoToField(this))
    , m_offer(new NoticeBar(this))
    , m_dropChoice(new DropChoice(this)) {
    setMinimumSize(kMinSize);
    setAcceptDrops(true);
    setWindowTitle(QStringLiteral("Gufo"));

    auto* top = new QWidget(this);
    auto* topRow = new QHBoxLayout(top);
    topRow->setContentsMargins(0, 0, 8, 0);
    topRow->setSpacing(8);
    auto* menus = new QMenuBar(top);
    makeMenus(menus);
    topRow->addWidget(menus, 1);
    topRow->addWidget(m_goTo, 0, Qt::AlignVCenter);
    m_goTo->setFixedWidth(kGoToWidth);
    setMenuWidget(top);

    auto* central = new QWidget(this);
    auto* column = new QVBoxLayout(central);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_strip);
    column->addWidget(m_stack, 1);
    column->addWidget(m_offer);
    column->addWidget(m_status);
    setCentralWidget(central);

    connect(m_strip, &TabStrip::newTabRequested, this, &MainWindow::newTab);
    connect(m_strip->tabs(), &QTabBar::currentChanged, this, &MainWindow::currentTabChanged);
    connect(m_strip->tabs(), &QTabBar::tabCloseRequested, this, &MainWindow::closeTab);
    connect(m_strip->tabs(), &TabBar::menuRequested, this, &MainWindow::showTabMenu);
    connect(m_strip->tabs(), &QTabBar::tabMoved, m_manager, &WindowManager::sessionChanged);
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
    connect(m_goTo, &GoToField::addressChosen, this,
            [this](const std::filesystem::path& address) { openPaths({address}); });
    connect(m_goTo, &GoToField::left, this, [this] {
        if (QWidget* tab = tabAt(m_strip->tabs()->currentIndex())) {
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
    return kFirstSize.boundedTo(available - kFrame).expandedTo(kMinSize);
}

MainWindow::~MainWindow() {
    m_strip->tabs()->blockSignals(true); // the tabs are now removed one by one
}

int MainWindow::tabCount() const { return m_strip->tabs()->count(); }

QWidget* MainWindow::tabAt(int index) const { return m_strip->tabs()->tabData(index).value<QWidget*>(); }

ModelTab* MainWindow::modelTabAt(int index) const { return qobject_cast<ModelTab*>(tabAt(index)); }

ModelTab* MainWindow::currentModelTab() const { return modelTabAt(m_strip->tabs()->currentIndex()); }

CompareTab* MainWindow::currentCompareTab() const { return qobject_cast<CompareTab*>(currentTab()); }

WindowTab* MainWindow::windowTabAt(int index) const { return qobject_cast<WindowTab*>(tabAt(index)); }

WindowTab* MainWindow::currentTab() const { return windowTabAt(m_strip->tabs()->currentIndex()); }

StartPage* MainWindow::currentStartPage() const {
    return qobject_cast<StartPage*>(tabAt(m_strip->tabs()->currentIndex()));
}

Page* MainWindow::currentPage() const {
    const WindowTab* tab = currentTab();
    return tab != nullptr ? tab->currentPage() : nullptr;
}

int MainWindow::indexOf(const QWidget* widget) const {
    for (int i = 0; i < tabCount(); ++i) {
        if (tabAt(i) == widget) {
            return i;
        }
    }
    return -1;
}

std::vector<ModelTab*> MainWindow::modelTabs() const {
    std::vector<ModelTab*> tabs;
    for (int i = 0; i < tabCount(); ++i) {
        if (ModelTab* tab = modelTabAt(i)) {
            tabs.push_back(tab);
        }
    }
    return tabs;
}

void MainWindow::showTab(const QWidget* tab) { m_strip->tabs()->setCurrentIndex(indexOf(tab)); }

ModelTab* MainWindow::findTab(const std::filesystem::path& path) const {
    for (int i = 0; i < tabCount(); ++i) {
        if (ModelTab* tab = modelTabAt(i); tab != nullptr && tab->path() == path) {
            return tab;
        }
    }
    return nullptr;
}

int MainWindow::addTab(QWidget* widget, const QString& iconName, const QString& title, const QString& toolTip) {
    m_stack->addWidget(widget);
    TabBar* tabs = m_strip->tabs();
    const QSignalBlocker blocker(tabs); // the first tab becomes current before its data is set
    const int index = tabs->addTab(themeIcon(iconName), QString(title).replace(u'&', QStringLiteral("&&")));
    tabs->setTabData(index, QVariant::fromValue(widget));
    tabs->setTabToolTip(index, plainToolTip(toolTip));
    tabs->setCurrentIndex(index);
    return index;
}

StartPage* MainWindow::addStartPage() {
    auto* page = new StartPage(m_manager->recent(), m_stack);
    page->setSessionTabs(m_manager->restorableTabs());
    connect(m_manager, &WindowManager::restorableChanged, page,
            [this, page] { page->setSessionTabs(m_manager->restorableTabs()); });
    connect(page, &StartPage::openDialogRequested, this, &MainWindow::showOpenDialog);
    connect(page, &StartPage::restoreSessionRequested, this, &MainWindow::restoreSession);
    connect(page, &StartPage::openRequested, this, [this](const std::filesystem::path& path) { openPaths({path}); });
    addTab(page, QStringLiteral("overview"), tr("Start"), {});
    currentTabChanged();
    return page;
}

ModelTab* MainWindow::addModelTab(const std::filesystem::path& path, const QJsonObject& state) {
    auto* tab = new ModelTab(path, state, m_stack);
    connect(tab, &ModelTab::edited, this, [this, tab] { edited(tab); });
    connect(tab, &ModelTab::compareRequested, this, &MainWindow::compareWith);
    connect(tab, &ModelTab::convertRequested, this, &MainWindow::convertModel);
    connect(tab, &ModelTab::downloadRequested, this, [this, tab] { download(tab->path(), std::nullopt); });
    connect(tab, &ModelTab::wanted, this, [this, tab] {
        showTab(tab);
        bringToFront();
    });
    tab->setTakenPaths([this, tab](const std::filesystem::path& wanted) {
        const ModelTab* other = m_manager->findTab(wanted).tab;
        return other != nullptr && other != tab;
    });
    addWindowTab(tab);
    return tab;
}

void MainWindow::addWindowTab(WindowTab* tab) {
    tab->setCompactSidebar(width() < kCompactBelow);
    tab->setSidebarShown(namedAction("sidebar")->isChecked());
    connect(tab, &WindowTab::opened, this, [this, tab] { opened(tab); });
    connect(tab, &WindowTab::closeRequested, this, [this, tab] { closeTab(indexOf(tab)); });
    connect(tab, &WindowTab::titleChanged, this, [this, tab] {
        const int index = indexOf(tab);
        m_strip->tabs()->setTitle(index, tab->title());
        m_strip->tabs()->setTabToolTip(index, plainToolTip(tab->description()));
        if (tab == currentTab()) {
            writeTitle(tab);
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
            fillPagesMenu();
            updateGoTo();
            updateActions();
        }
        m_manager->sessionChanged();
    });
    addTab(tab, tab->iconName(), tab->title(), tab->description());
}

void MainWindow::opened(WindowTab* tab) {
    if (const auto* model = qobject_cast<ModelTab*>(tab); model != nullptr && model->model()) {
        m_manager->recent()->add(describeModel(*model->model(), model->path()));
    }
    if (const auto* compared = qobject_cast<CompareTab*>(tab)) {
        const auto& files = compared->comparison().files();
        std::for_each(files.rbegin(), files.rend(), [this](const ComparedFile& file) { // the first comes first
            m_manager->recent()->add(describeModel(*file.model, file.path));
        });
    }
    const int index = indexOf(tab);
    m_strip->tabs()->setTabIcon(index, themeIcon(tab->hasFailed() ? QStringLiteral("error") : tab->iconName(),
                                                 tab->hasFailed() ? Token::ErrorText : Token::Text));
    if (tab == currentTab()) {
        currentTabChanged();
    }
    offerToCompare();
}

void MainWindow::edited(ModelTab* tab) {
    m_strip->tabs()->setModified(indexOf(tab), tab->isModified());
    if (tab == currentTab()) {
        setWindowModified(tab->isModified());
        updateGoTo();
        updateActions();
    }
}

void MainWindow::writeTitle(const WindowTab* tab) {
    if (tab == nullptr) {
        setWindowTitle(QStringLiteral("Gufo"));
        return;
    }
    const auto* model = qobject_cast<const ModelTab*>(tab);
    setWindowTitle(tr("%1[*] — Gufo").arg(tab->title().replace(QStringLiteral("[*]"), QStringLiteral("[*][*]"))));
    setWindowModified(model != nullptr && model->isModified());
}

void MainWindow::bringToFront() {
    if (isMinimized()) {
        showNormal();
    }
    raise();
    activateWindow();
}

void MainWindow::closeTab(int index) {
    if (QWidget* widget = tabAt(index)) {
        closeTabs({widget});
    }
}

void MainWindow::closeTabs(const std::vector<QWidget*>& widgets) {
    std::vector<ModelTab*> models;
    for (QWidget* widget : widgets) {
        if (auto* tab = qobject_cast<ModelTab*>(widget)) {
            models.push_back(tab);
        }
    }
    UnsavedQuestion::ask(this, models, [this, widgets] {
        for (const QWidget* widget : widgets) {
            if (const int index = indexOf(widget); index >= 0) {
                closeTabNow(index);
            }
        }
    });
}

void MainWindow::closeTabNow(int index) {
    QWidget* widget = tabAt(index);
    if (widget == nullptr) {
        return;
    }
    auto* tab = qobject_cast<WindowTab*>(widget);
    if (tab != nullptr) {
        m_closed.push_back(tab->saveState());
        if (m_closed.size() > kMaxClosed) {
            m_closed.erase(m_closed.begin());
        }
    }
    m_strip->tabs()->setModified(index, false);
    m_strip->tabs()->removeTab(index);
    m_stack->removeWidget(widget);
    if (tab != nullptr) {
        disconnect(tab, nullptr, this, nullptr);
        tab->retire();
    } else {
        widget->deleteLater();
    }
    if (tabCount() == 0) {
        addStartPage();
    }
    updateActions();
    m_manager->sessionChanged();
}

void MainWindow::currentTabChanged() {
    QWidget* widget = tabAt(m_strip->tabs()->currentIndex());
    if (widget == nullptr) {
        return;
    }
    m_stack->setCurrentWidget(widget);
    const auto* tab = qobject_cast<WindowTab*>(widget);
    writeTitle(tab);
    for (int i = 0; i < tabCount(); ++i) { // only the current tab shows a close button
        if (QWidget* close = m_strip->tabs()->tabButton(i, QTabBar::RightSide)) {
            close->setVisible(tabAt(i) == widget);
        }
    }
    fillPagesMenu();
    updateGoTo();
    updateStatus();
    updateActions();
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

QJsonObject MainWindow::saveTabs() const {
    QJsonArray tabs;
    int current = 0;
    for (int i = 0; i < tabCount(); ++i) {
        if (const WindowTab* tab = windowTabAt(i)) {
            if (i == m_strip->tabs()->currentIndex()) {
                current = static_cast<int>(tabs.size());
            }
            tabs.append(tab->saveState());
        }
    }
    return {{kTabs, tabs}, {kCurrent, current}};
}

// Returns null if the state is not valid.
WindowTab* MainWindow::restoreTab(const QJsonObject& state) {
    if (const Paths compared = CompareTab::filesOfState(state); compared.size() >= 2) {
        return addCompareTab(compared, state);
    }
    if (const auto repository = RepositoryTab::pathOfState(state); !repository.empty()) {
        return addRepositoryTab(repository, state);
    }
    const auto path = ModelTab::pathOfState(state);
    return path.empty() ? nullptr : addModelTab(path, state);
}

void MainWindow::restoreTabs(const QJsonObject& state) {
    const QJsonArray tabs = state.value(kTabs).toArray();
    std::vector<WindowTab*> restored;
    StartPage* start = currentStartPage();
    for (const QJsonValue& value : tabs) {
        if (WindowTab* tab = restoreTab(value.toObject())) {
            restored.push_back(tab);
        }
    }
    if (restored.empty()) {
        return;
    }
    if (start != nullptr) {
        closeTabNow(indexOf(start));
    }
    const int current = std::clamp(state.value(kCurrent).toInt(), 0, static_cast<int>(restored.size()) - 1);
    m_strip->tabs()->setCurrentIndex(indexOf(restored[static_cast<std::size_t>(current)]));
    currentTabChanged();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    const auto tabs = modelTabs();
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
    for (int i = 0; i < tabCount(); ++i) {
        if (WindowTab* tab = windowTabAt(i)) {
            tab->setCompactSidebar(width() < kCompactBelow);
        }
    }
}

} // namespace gufo::ui

#include "moc_main_window.cpp"
