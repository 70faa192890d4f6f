#include "ui/mainwindow/window_manager.h"

#include "ui/mainwindow/main_window.h"
#include "ui/mainwindow/tabs/unsaved_question.h"
#include "ui/shell/native_path.h"
#include "ui/shell/places.h"
#include "ui/shell/settings.h"

#include <QApplication>
#include <QDropEvent>
#include <QFileOpenEvent>
#include <QJsonObject>
#include <QMimeData>

#include <algorithm>
#include <iterator>

namespace gufo::ui {
namespace {

constexpr int kSaveDelayMs = 500;
const QString kWindows = QStringLiteral("windows");

} // namespace

int Session::tabCount() const {
    int count = 0;
    for (const QJsonValue& window : windows) {
        count += static_cast<int>(window.toObject().value(QStringLiteral("tabs")).toArray().size());
    }
    return count;
}

Session Session::load() { return {.windows = readJson(QSettings(), setting::kSession).value(kWindows).toArray()}; }

void Session::save() const {
    QSettings settings;
    writeJson(settings, setting::kSession, {{kWindows, windows}});
}

WindowManager::WindowManager(SessionKeeping keeping, QObject* parent)
    : QObject(parent)
    , m_keeping(keeping)
    , m_previous(Session::load()) {
    m_saveSoon.setSingleShot(true);
    m_saveSoon.setInterval(kSaveDelayMs);
    connect(&m_saveSoon, &QTimer::timeout, this, &WindowManager::saveSession);
    connect(qApp, &QGuiApplication::commitDataRequest, this, &WindowManager::saveSession); // the user logs out
    qApp->installEventFilter(this);
}

WindowManager::~WindowManager() {
    while (!m_windows.empty()) {
        delete m_windows.back(); // the window removes itself from the list
    }
}

MainWindow* WindowManager::newWindow() {
    auto* window = new MainWindow(this);
    window->setAttribute(Qt::WA_DeleteOnClose);
    m_windows.push_back(window);
    connect(window, &QObject::destroyed, this, [this, window] { std::erase(m_windows, window); });
    connect(window, &MainWindow::activated, this, [this, window] {
        const auto it = std::ranges::find(m_windows, window);
        if (it != m_windows.end()) {
            std::rotate(it, it + 1, m_windows.end());
        }
    });
    window->show();
    return window;
}

void WindowManager::openFiles(const Places& places) {
    MainWindow* window = m_windows.empty() ? newWindow() : m_windows.back();
    std::error_code error;
    const bool anyFolder = std::ranges::any_of(places, [&](const hub::ModelPlace& place) {
        const auto* path = place.localPath();
        return path != nullptr && std::filesystem::is_directory(*path, error);
    });
    anyFolder ? window->openChosen(places) : window->openPlaces(places); // all models of a folder, as if it was dropped
    window->bringToFront();
}

void WindowManager::compareFiles(const Places& places) {
    MainWindow* window = m_windows.empty() ? newWindow() : m_windows.back();
    window->openComparison(places);
    window->bringToFront();
}

void WindowManager::restoreSession(MainWindow* into) {
    const Session session = std::exchange(m_previous, {});
    emit restorableChanged();
    for (qsizetype i = 0; i < session.windows.size(); ++i) {
        MainWindow* window = i == 0 ? into : newWindow();
        window->restoreTabs(session.windows[i].toObject());
    }
}

void WindowManager::sessionChanged() {
    if (!m_quitting) {
        m_saveSoon.start();
    }
}

void WindowManager::windowClosing(MainWindow* window) {
    if (m_windows.size() == 1 && !m_quitting) { // the tabs of the last window are restored at the next start
        saveSession();
        m_quitting = true;
    }
    m_saveSoon.stop();
    if (!m_quitting) {
        std::erase(m_windows, window);
        saveSession();
    }
}

WindowManager::FoundTab WindowManager::findTab(const hub::ModelPlace& place) const {
    for (MainWindow* window : m_windows) {
        if (ModelTab* tab = window->findTab(place)) {
            return {window, tab};
        }
    }
    return {};
}

void WindowManager::quit() {
    std::vector<ModelTab*> tabs;
    for (const MainWindow* window : m_windows) {
        std::ranges::copy(window->modelTabs(), std::back_inserter(tabs));
    }
    QWidget* parent = m_windows.empty() ? nullptr : m_windows.back();
    UnsavedQuestion::ask(parent, tabs, [this] { quitNow(); });
}

void WindowManager::quitNow() {
    saveSession();
    m_quitting = true;
    for (MainWindow* window : std::vector(m_windows)) {
        window->close();
    }
}

void WindowManager::saveSession() {
    if (m_keeping == SessionKeeping::Off || m_quitting) {
        return;
    }
    Session session;
    for (const MainWindow* window : m_windows) {
        const QJsonObject state = window->saveTabs();
        if (!state.value(QStringLiteral("tabs")).toArray().isEmpty()) {
            session.windows.append(state);
        }
    }
    // A run that opened nothing keeps the previous session.
    m_hadTabs = m_hadTabs || session.tabCount() > 0;
    if (m_hadTabs) {
        session.save();
    }
}

bool WindowManager::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::DragEnter:
    case QEvent::DragMove:
    case QEvent::Drop: {
        auto* widget = qobject_cast<QWidget*>(watched);
        auto* window = widget != nullptr ? qobject_cast<MainWindow*>(widget->window()) : nullptr;
        if (window == nullptr) {
            break;
        }
        auto* drop = static_cast<QDropEvent*>(event);
        const Places places = placesOf(*drop->mimeData());
        if (places.empty()) {
            break;
        }
        drop->setDropAction(Qt::CopyAction);
        drop->accept();
        const QPoint at = widget->mapTo(window, drop->position().toPoint());
        if (event->type() == QEvent::Drop) {
            window->dropChosen(places, at);
            window->setDropHovered(false);
        } else {
            window->setDropHovered(true, at);
        }
        return true;
    }
    case QEvent::DragLeave:
        if (auto* widget = qobject_cast<QWidget*>(watched)) {
            if (auto* window = qobject_cast<MainWindow*>(widget->window())) {
                window->setDropHovered(false);
            }
        }
        break;
    case QEvent::FileOpen:
        openFiles({absolutePath(fromQtPath(static_cast<QFileOpenEvent*>(event)->file()))});
        return true;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace gufo::ui

#include "moc_window_manager.cpp"
