#include "ui/shell/page_host.h"

#include "ui/shell/settings.h"
#include "ui/shell/sidebar.h"
#include "ui/widgets/tool_strip.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QStackedWidget>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr QSize kSmallestRoom(855, 440); // what a window of 900 × 600 leaves to a page, below all bars

const QString kPage = QStringLiteral("page");
const QString kPageStates = QStringLiteral("pages");

// `known` with the values that differ between `before` and `now`.
QJsonObject merged(QJsonObject known, const QJsonObject& before, const QJsonObject& now) {
    for (auto value = now.begin(); value != now.end(); ++value) {
        const QJsonValue old = before.value(value.key());
        if (value->isObject() && old.isObject() && known.value(value.key()).isObject()) {
            known.insert(value.key(), merged(known.value(value.key()).toObject(), old.toObject(), value->toObject()));
        } else if (*value != old || !known.contains(value.key())) {
            known.insert(value.key(), *value);
        }
    }
    return known;
}

// Gives its child its size. Without a layout it has no height for its width: a scroll area would give pages with
// wrapped texts the height that they prefer, and put the end of the page below the window.
class Room final : public QWidget {
public:
    using QWidget::QWidget;

protected:
    void resizeEvent(QResizeEvent* event) override {
        QWidget::resizeEvent(event);
        for (QWidget* const child : findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
            child->resize(size());
        }
    }
};

} // namespace

PageHost::PageHost(std::vector<Row> rows, QString settings, const QJsonObject& state, QWidget* parent)
    : QWidget(parent)
    , m_rows(std::move(rows))
    , m_settings(std::move(settings))
    , m_states(state.value(kPageStates).toObject())
    , m_pageId(state.value(kPage).toString())
    , m_sidebar(new Sidebar(this))
    , m_column(new QVBoxLayout)
    , m_scroll(new QScrollArea(this))
    , m_front(new QStackedWidget(new Room(m_scroll)))
    , m_stack(new QStackedWidget(m_front)) {
    m_stack->setAutoFillBackground(true);
    m_stack->setBackgroundRole(QPalette::Base);
    m_front->addWidget(m_stack);
    QFrame* line = makeSeparator(Qt::Vertical, this);
    m_column->setSpacing(0);
    // Pages fit a window of 900 × 600. In a smaller one, which screens with large text need, they scroll.
    m_scroll->setObjectName(QStringLiteral("pages"));
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    QWidget* const room = m_front->parentWidget();
    m_scroll->setWidget(room);
    // Stated here, because a page that has been wide keeps the minimum size of its wide arrangement.
    room->setMinimumSize(kSmallestRoom);
    m_column->addWidget(m_scroll, 1);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_sidebar);
    row->addWidget(line);
    row->addLayout(m_column, 1);
    connect(m_sidebar, &QListWidget::currentRowChanged, this, &PageHost::pageShown);
}

void PageHost::showInstead(QWidget* widget) {
    if (widget != nullptr && m_front->indexOf(widget) < 0) {
        m_front->addWidget(widget);
    }
    m_front->setCurrentWidget(widget != nullptr ? widget : m_stack);
}

void PageHost::makePages(std::function<void(Page&)> prepare) {
    if (!m_begun) {
        m_begun = true;
        m_prepare = std::move(prepare);
        makeNextPage();
    }
}

void PageHost::makeNextPage() {
    if (m_pages.size() == m_rows.size()) {
        showWantedPage();
        return;
    }
    const Row& row = m_rows[m_pages.size()];
    const auto index = static_cast<int>(m_pages.size());
    // The page is made outside of the window, because Qt goes through all widgets of a window whenever one of them gets
    // another parent, as widgets do that a constructor adds to a layout.
    Page* page = row.make(nullptr);
    page->setParent(m_stack);
    const QJsonValue kept = m_states.value(row.id);
    page->restoreState(kept.isObject() ? kept.toObject() : readJson(QSettings(), m_settings + row.id));
    m_prepare(*page);
    m_pages.push_back(page);
    m_restored.push_back(page->saveState());
    m_stack->addWidget(page);
    m_sidebar->addPage(*page);
    connect(page, &Page::badgeChanged, this, [this, page, index] { m_sidebar->updatePage(index, *page); });
    connect(page, &Page::placeRequested, this, &PageHost::goTo);
    connect(page, &Page::statusChanged, this, [this, page](const QString& left, const QStringList& right) {
        m_status[page] = {left, right};
        emit statusChanged();
    });
    QMetaObject::invokeMethod(
        this,
        [this, generation = m_generation] {
            if (generation == m_generation) { // the pages have not been dropped in the meantime
                makeNextPage();
            }
        },
        Qt::QueuedConnection);
}

void PageHost::showWantedPage() {
    m_ready = true;
    emit aboutToShow();
    m_sidebar->setCurrentRow(std::max(rowOf(m_pageId), 0));
    emit pagesChanged();
}

void PageHost::pageShown(int row) {
    if (!m_ready || row < 0 || row >= static_cast<int>(m_pages.size())) {
        return; // the sidebar is being filled or cleared
    }
    m_pageId = m_rows[static_cast<std::size_t>(row)].id;
    m_stack->setCurrentIndex(row);
    emit statusChanged();
    m_pages[static_cast<std::size_t>(row)]->activate();
    emit pagesChanged();
}

void PageHost::dropPages() {
    rememberStates();
    m_ready = false;
    m_begun = false;
    ++m_generation;
    m_sidebar->clear();
    for (Page* page : m_pages) {
        page->disconnect(this);
        m_stack->removeWidget(page); // remains a hidden child, so that it is deleted with the window at the latest
    }
    m_dying.insert(m_dying.end(), m_pages.begin(), m_pages.end());
    m_pages.clear();
    m_restored.clear();
    m_status.clear();
    deleteDying();
}

void PageHost::deleteDying() {
    if (m_dying.empty()) {
        emit pagesDeleted();
        return;
    }
    delete m_dying.back();
    m_dying.pop_back();
    QMetaObject::invokeMethod(this, &PageHost::deleteDying, Qt::QueuedConnection);
}

Page* PageHost::currentPage() const {
    const int row = m_stack->currentIndex();
    const bool shown = m_front->currentWidget() == m_stack && row >= 0 && row < static_cast<int>(m_pages.size());
    return shown ? m_pages[static_cast<std::size_t>(row)] : nullptr;
}

int PageHost::rowOf(const QString& id) const {
    const auto row = std::ranges::find(m_rows, id, &Row::id);
    return row != m_rows.end() ? static_cast<int>(row - m_rows.begin()) : -1;
}

void PageHost::showPage(int row) {
    if (m_ready && row >= 0 && row < m_sidebar->count()) {
        m_sidebar->setCurrentRow(row);
        if (Page* page = currentPage()) {
            page->setFocus(Qt::ShortcutFocusReason);
        }
    }
}

bool PageHost::goTo(const Place& place) {
    const auto page = std::ranges::find_if(m_pages, [&](Page* one) { return one->goTo(place); });
    if (page != m_pages.end()) {
        m_sidebar->setCurrentRow(static_cast<int>(page - m_pages.begin()));
    }
    return page != m_pages.end();
}

PageHost::Status PageHost::status() const {
    const auto status = m_status.find(currentPage());
    return status != m_status.end() ? status->second : Status{};
}

void PageHost::setStatus(const QString& left) {
    m_status[currentPage()] = {left, {}};
    emit statusChanged();
}

void PageHost::clearStatus() { m_status.clear(); }

void PageHost::setCompactSidebar(bool compact) { m_sidebar->setCompact(compact); }

void PageHost::setSidebarShown(bool shown) { m_sidebar->setVisible(shown && m_rows.size() > 1); }

QJsonObject PageHost::saveState() const {
    QJsonObject states = m_states;
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        states.insert(m_rows[i].id, m_pages[i]->saveState());
    }
    return {{kPage, m_pageId}, {kPageStates, states}};
}

QJsonObject PageHost::stateOfPage(const QString& id) { return id.isEmpty() ? QJsonObject() : QJsonObject{{kPage, id}}; }

void PageHost::rememberStates() {
    QSettings settings;
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        QJsonObject state = m_pages[i]->saveState();
        m_states.insert(m_rows[i].id, state);
        state.remove(QStringLiteral("model")); // not for the tabs of other files, see page.h
        // Only what was changed here: another tab may have remembered something else in the meantime.
        const QJsonObject known = readJson(settings, m_settings + m_rows[i].id);
        writeJson(settings, m_settings + m_rows[i].id, known.isEmpty() ? state : merged(known, m_restored[i], state));
        m_restored[i] = state;
    }
}

void PageHost::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    rememberStates(); // for the tab that is shown next, which may be a new one
}

} // namespace gufo::ui

#include "moc_page.cpp"
#include "moc_page_host.cpp"
#include "moc_window_tab.cpp"
