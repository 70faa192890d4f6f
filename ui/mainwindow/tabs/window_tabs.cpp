#include "ui/mainwindow/tabs/window_tabs.h"

#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/tabs/model_tab.h"
#include "ui/mainwindow/tabs/tab_titles.h"
#include "ui/mainwindow/tabs/unsaved_question.h"
#include "ui/shell/places.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QJsonArray>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace gufo::ui {
namespace {

constexpr std::size_t kMaxClosed = 20;

} // namespace

WindowTabs::WindowTabs(QWidget* parent)
    : QWidget(parent)
    , m_strip(new TabStrip(this))
    , m_stack(new QStackedWidget(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_strip);
    layout->addWidget(m_stack, 1);
    connect(m_strip, &TabStrip::newTabRequested, this, &WindowTabs::newTabRequested);
    connect(bar(), &QTabBar::currentChanged, this, &WindowTabs::currentChanged);
    connect(bar(), &QTabBar::tabCloseRequested, this, [this](int index) { close({at(index)}); });
    connect(bar(), &TabBar::menuRequested, this, &WindowTabs::showMenu);
    connect(bar(), &QTabBar::tabMoved, this, &WindowTabs::moved);
}

WindowTabs::~WindowTabs() {
    bar()->blockSignals(true); // the tabs are now removed one by one
}

int WindowTabs::indexOf(const QWidget* tab) const {
    for (int i = 0; i < count(); ++i) {
        if (at(i) == tab) {
            return i;
        }
    }
    return -1;
}

std::vector<WindowTab*> WindowTabs::windowTabs() const {
    std::vector<WindowTab*> tabs;
    for (int i = 0; i < count(); ++i) {
        if (auto* tab = qobject_cast<WindowTab*>(at(i))) {
            tabs.push_back(tab);
        }
    }
    return tabs;
}

std::vector<ModelTab*> WindowTabs::modelTabs() const {
    std::vector<ModelTab*> tabs;
    for (WindowTab* each : windowTabs()) {
        if (auto* tab = qobject_cast<ModelTab*>(each)) {
            tabs.push_back(tab);
        }
    }
    return tabs;
}

ModelTab* WindowTabs::find(const hub::ModelPlace& place) const {
    const auto tabs = modelTabs();
    const auto found = std::ranges::find_if(tabs, [&](const ModelTab* tab) { return tab->place() == place; });
    return found != tabs.end() ? *found : nullptr;
}

void WindowTabs::add(QWidget* tab, const QString& iconName, const QString& title, const QString& toolTip) {
    m_stack->addWidget(tab);
    TabBar* tabs = bar();
    const QSignalBlocker blocker(tabs); // the first tab becomes current before its data is set
    const int index = tabs->addTab(themeIcon(iconName), QString(title).replace(u'&', QStringLiteral("&&")));
    tabs->setTabData(index, QVariant::fromValue(tab));
    tabs->setTabToolTip(index, plainToolTip(toolTip));
    if (m_isAdding) {
        m_toShow = tab;
    } else {
        tabs->setCurrentIndex(index);
        updateTitles();
    }
}

void WindowTabs::show(const QWidget* tab) {
    if (m_isAdding) {
        m_toShow = tab;
    } else {
        bar()->setCurrentIndex(indexOf(tab));
    }
}

WindowTabs::Adding::Adding(WindowTabs* tabs)
    : m_tabs(tabs) {
    m_tabs->m_isAdding = true;
    m_tabs->bar()->hide(); // Qt lays out a visible row whenever a tab or a title changes
    m_tabs->bar()->setMeasuring(false);
}

WindowTabs::Adding::~Adding() {
    m_tabs->m_isAdding = false;
    m_tabs->updateTitles();
    m_tabs->bar()->setMeasuring(true);
    if (const QWidget* last = std::exchange(m_tabs->m_toShow, nullptr)) {
        const QSignalBlocker blocker(m_tabs->bar()); // as when a single tab is added
        m_tabs->show(last);
    }
    m_tabs->bar()->show();
}

void WindowTabs::updateTitles() {
    if (m_isAdding) {
        return;
    }
    const std::vector<WindowTab*> tabs = windowTabs();
    std::vector<TabName> names;
    for (const WindowTab* tab : tabs) {
        names.push_back({tab->title(), tab->description()});
    }
    const std::vector<QString> titles = distinctTitles(names);
    for (std::size_t i = 0; i < tabs.size(); ++i) {
        bar()->setTitle(indexOf(tabs[i]), titles[i]);
    }
}

QString WindowTabs::titleOf(const QWidget* tab) const {
    const int index = indexOf(tab);
    return index < 0 ? QString() : bar()->title(index);
}

void WindowTabs::step(int by) { bar()->setCurrentIndex((bar()->currentIndex() + by + count()) % count()); }

QWidget* WindowTabs::showCurrent() {
    QWidget* tab = current();
    if (tab == nullptr) {
        return nullptr;
    }
    m_stack->setCurrentWidget(tab);
    for (int i = 0; i < count(); ++i) { // only the current tab shows a close button
        if (QWidget* close = bar()->tabButton(i, QTabBar::RightSide)) {
            close->setVisible(at(i) == tab);
        }
    }
    return tab;
}

void WindowTabs::close(const std::vector<QWidget*>& tabs) {
    std::vector<ModelTab*> models;
    for (QWidget* widget : tabs) {
        if (auto* tab = qobject_cast<ModelTab*>(widget)) {
            models.push_back(tab);
        }
    }
    UnsavedQuestion::ask(window(), models, [this, tabs] {
        for (QWidget* widget : tabs) {
            if (indexOf(widget) >= 0) {
                closeNow(widget);
            }
        }
    });
}

void WindowTabs::closeNow(QWidget* widget) {
    const int index = indexOf(widget);
    if (index < 0) {
        return;
    }
    auto* tab = qobject_cast<WindowTab*>(widget);
    if (tab != nullptr) {
        m_closed.push_back(tab->saveState());
        if (m_closed.size() > kMaxClosed) {
            m_closed.erase(m_closed.begin());
        }
    }
    bar()->setModified(index, false);
    bar()->removeTab(index);
    m_stack->removeWidget(widget);
    if (tab != nullptr) {
        disconnect(tab, nullptr, window(), nullptr);
        tab->retire();
    } else {
        widget->deleteLater();
    }
    updateTitles();
    emit closed();
}

QJsonObject WindowTabs::takeClosed() {
    QJsonObject state = std::move(m_closed.back());
    m_closed.pop_back();
    return state;
}

QJsonObject WindowTabs::save() const {
    QJsonArray states;
    int current = 0;
    for (const WindowTab* tab : windowTabs()) {
        if (tab == this->current()) {
            current = static_cast<int>(states.size());
        }
        states.append(tab->saveState());
    }
    return {{QStringLiteral("tabs"), states}, {QStringLiteral("current"), current}};
}

void WindowTabs::showMenu(int index, const QPoint& at) {
    QMenu menu(this);
    QWidget* widget = this->at(index);
    menu.addAction(MainWindow::tr("Close Tab"), this, [this, widget] { close({widget}); });
    QAction* others = menu.addAction(MainWindow::tr("Close Other Tabs"), this, [this, widget] {
        std::vector<QWidget*> rest;
        for (int i = count() - 1; i >= 0; --i) {
            if (this->at(i) != widget) {
                rest.push_back(this->at(i));
            }
        }
        close(rest);
    });
    others->setEnabled(count() > 1);
    if (auto* tab = qobject_cast<WindowTab*>(widget)) {
        menu.addSeparator();
        menu.addAction(MainWindow::tr("Reload"), tab, &WindowTab::reload);
    }
    if (const auto* tab = qobject_cast<ModelTab*>(widget)) {
        menu.addAction(MainWindow::tr("Copy File Path"), this,
                       [text = copiedText(tab->place())] { QGuiApplication::clipboard()->setText(text); });
    }
    menu.exec(at);
}

} // namespace gufo::ui

#include "moc_window_tabs.cpp"
