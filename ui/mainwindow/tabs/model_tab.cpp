#include "ui/mainwindow/tabs/model_tab.h"

#include "ui/mainwindow/tabs/page_table.h"
#include "ui/mainwindow/tabs/tab_states.h"
#include "ui/messages/format.h"
#include "ui/messages/model_status.h"
#include "ui/models/key_transfer.h"
#include "ui/pages/run/run_page.h"
#include "ui/pages/template/template_page.h"
#include "ui/saving/change_bar.h"
#include "ui/saving/tab_editing.h"
#include "ui/shell/native_path.h"
#include "ui/shell/notice_bar.h"
#include "ui/shell/settings.h"
#include "ui/shell/sidebar.h"

#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QLocale>
#include <QThreadPool>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

const QString kPath = QStringLiteral("path");
const QString kPage = QStringLiteral("page");
const QString kPageStates = QStringLiteral("pages");

QString pageId(std::size_t index) { return QString::fromLatin1(pageTable()[index].id); }

} // namespace

ModelTab::ModelTab(std::filesystem::path path, const QJsonObject& state, QWidget* parent)
    : WindowTab(parent)
    , m_path(std::move(path))
    , m_pageStates(state.value(kPageStates).toObject())
    , m_pageId(state.value(kPage).toString())
    , m_states(new QStackedWidget(this))
    , m_opening(new OpeningView(fileNameText(m_path), m_states))
    , m_error(new ErrorView(m_states))
    , m_body(new QWidget(m_states))
    , m_notice(new NoticeBar(m_body))
    , m_draft(new NoticeBar(m_body))
    , m_passing(new NoticeBar(m_body))
    , m_sidebar(new Sidebar(m_body))
    , m_stack(new QStackedWidget(m_body))
    , m_bar(new ChangeBar(m_body)) {
    m_states->addWidget(m_opening);
    m_states->addWidget(m_error);
    m_states->addWidget(m_body);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_states);

    m_stack->setAutoFillBackground(true);
    m_stack->setBackgroundRole(QPalette::Base);
    auto* line = new QFrame(m_body);
    line->setFrameShape(QFrame::VLine);
    line->setFixedWidth(1);
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    column->addWidget(m_notice);
    column->addWidget(m_draft);
    column->addWidget(m_passing);
    column->addWidget(m_stack, 1);
    column->addWidget(m_bar);
    auto* row = new QHBoxLayout(m_body);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_sidebar);
    row->addWidget(line);
    row->addLayout(column, 1);

    connect(m_opening, &OpeningView::cancelRequested, this, &ModelTab::closeRequested);
    connect(m_error, &ErrorView::retryRequested, this, &ModelTab::reload);
    connect(m_error, &ErrorView::closeRequested, this, &ModelTab::closeRequested);
    connect(m_sidebar, &QListWidget::currentRowChanged, this, &ModelTab::pageShown);
    connect(&m_watch, &FileWatch::changed, this, &ModelTab::fileChanged);
    setAcceptDrops(true);
    open();
}

ModelTab::~ModelTab() { rememberPageStates(); }

QString ModelTab::title() const { return modelNameText(m_path); }

QString ModelTab::description() const { return displayPath(m_path); }

bool ModelTab::hasFailed() const { return m_states->currentWidget() == m_error; }

QString ModelTab::errorText() const { return hasFailed() ? m_error->text() : QString(); }

Page* ModelTab::currentPage() const {
    const int row = m_stack->currentIndex();
    return row >= 0 && row < static_cast<int>(m_pages.size()) ? m_pages[static_cast<std::size_t>(row)] : nullptr;
}

void ModelTab::open() {
    if (!m_job.isNull()) {
        m_job->cancel();
    }
    m_states->setCurrentWidget(m_opening);
    m_opening->start();
    m_notice->hide();
    setStatus(tr("Opening %1").arg(displayPath(m_path)), {});
    m_clock.start();
    m_job = startJob<OpenedModel>(
        this, [path = m_path](const JobContext& job) { return openWithStamps(path, job); },
        [this](Result<OpenedModel> opened) {
            if (opened) {
                takeModel(std::move(*opened));
            } else {
                fail(opened.error());
            }
        });
    connect(m_job, &Job::progressed, m_opening, &OpeningView::setProgress);
}

void ModelTab::openAgain() {
    dropPages();
    open();
}

void ModelTab::takeModel(OpenedModel read) {
    makeDocument(std::move(read.model));
    m_openedMs = m_clock.elapsed();
    watch(std::move(read.files));
    tellRecovery(read.recovery);
    const QString time = m_openedMs < 100
                             ? tr("%1 ms").arg(m_openedMs)
                             : tr("%1 s").arg(QLocale().toString(static_cast<double>(m_openedMs) / 1000.0, 'f', 2));
    m_openedText = tr("Opened in %1, mapped read-only").arg(time);
    setStatus(m_openedText, modelStatus(*m_document->current()));
    if (isVisible()) {
        m_pagesBegun = true;
        makePages();
    }
    emit opened();
}

void ModelTab::makeDocument(std::shared_ptr<const Model> model) {
    const bool whole = std::ranges::all_of(model->files, [](const ModelFile& file) { return file.source != nullptr; });
    m_document = new ModelDocument(std::move(model), this);
    if (!whole) {
        m_document->setWhyNotEditable(
            tr("A part of this model is missing or cannot be read, so it cannot be changed."));
    }
    connect(m_document, &ModelDocument::edited, this, &ModelTab::edited);
    connect(m_document, &ModelDocument::modifiedChanged, this, &ModelTab::edited);
    connect(m_document, &ModelDocument::editableChanged, this, &ModelTab::edited);
    m_discarded = false;
    m_editing = new TabEditing({.document = m_document, .bar = m_bar, .passing = m_passing, .draft = m_draft}, this);
    m_editing->setTakenPaths([this](const std::filesystem::path& path) { return m_isTaken && m_isTaken(path); });
    connect(m_editing, &TabEditing::aboutToSave, this, &ModelTab::stopReaders);
    connect(m_editing, &TabEditing::saved, this, &ModelTab::takeSaved);
    connect(m_editing, &TabEditing::notSaved, this, &ModelTab::watchAgain);
    connect(m_editing, &TabEditing::fileChangedOnDisk, this, [this] { fileChanged(m_path, false); });
}

void ModelTab::fail(const Error& error) {
    m_watch.setFiles({});
    m_error->setError(error, m_path);
    m_states->setCurrentWidget(m_error);
    setStatus(tr("Not opened"), {});
    emit opened();
}

// One page in each turn of the event loop, so that the window never waits for all of them.
void ModelTab::makePages() {
    if (m_pages.size() == pageTable().size()) {
        showWantedPage();
        return;
    }
    makePage(m_pages.size());
    QMetaObject::invokeMethod(
        this,
        [this, document = m_document] {
            if (m_document == document && document != nullptr) { // not reloaded meanwhile
                makePages();
            }
        },
        Qt::QueuedConnection);
}

void ModelTab::makePage(std::size_t index) {
    const QString id = pageId(index);
    Page* page = pageTable()[index].make(m_stack);
    const QJsonValue own = m_pageStates.value(id);
    page->restoreState(own.isObject() ? own.toObject() : readJson(QSettings(), setting::kPages + id));
    page->setDocument(m_document);
    page->setModel(m_document->current());
    m_pages.push_back(page);
    m_stack->addWidget(page);
    m_sidebar->addPage(*page);
    connect(page, &Page::badgeChanged, this,
            [this, page, index] { m_sidebar->updatePage(static_cast<int>(index), *page); });
    connect(page, &Page::placeRequested, this, &ModelTab::goTo);
    if (auto* templates = qobject_cast<TemplatePage*>(page)) {
        connect(templates, &TemplatePage::chatRequested, this, &ModelTab::chatWith);
    }
    connect(page, &Page::statusChanged, this, [this, page](const QString& left, const QStringList& right) {
        m_pageStatus[page] = {left.isEmpty() ? m_openedText : left,
                              right.isEmpty() ? modelStatus(*m_document->current()) : right};
        showPageStatus();
    });
}

void ModelTab::showWantedPage() {
    int shown = 0;
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        if (pageId(i) == m_pageId) {
            shown = static_cast<int>(i);
        }
    }
    m_states->setCurrentWidget(m_body);
    if (!m_pages.empty()) {
        m_sidebar->setCurrentRow(shown);
    }
    m_ready = true;
    emit pagesChanged();
}

void ModelTab::dropPages() {
    rememberPageStates();
    m_sidebar->clear();
    for (Page* page : m_pages) {
        disconnect(page, nullptr, this, nullptr);
        m_stack->removeWidget(page); // stays a hidden child, so that it goes with the window at the latest
    }
    m_dying.insert(m_dying.end(), m_pages.begin(), m_pages.end());
    m_pages.clear();
    m_pageStatus.clear();
    m_pagesBegun = false;
    m_ready = false;
    if (m_document != nullptr) {
        delete std::exchange(m_editing, nullptr);
        m_passing->hide();
        m_document->disconnect(this);
        m_dyingDocuments.push_back(std::exchange(m_document, nullptr));
    }
    deleteDying();
}

void ModelTab::deleteDying() {
    if (!m_dying.empty()) {
        delete m_dying.back();
        m_dying.pop_back();
        QMetaObject::invokeMethod(this, &ModelTab::deleteDying, Qt::QueuedConnection);
    } else if (!m_dyingDocuments.empty()) {
        ModelDocument* document = m_dyingDocuments.back();
        m_dyingDocuments.pop_back();
        // Unmapping gigabytes and freeing the tables of a large model takes a while.
        std::vector held{document->current(), document->document().base()};
        delete document;
        QThreadPool::globalInstance()->start([held = std::move(held)]() mutable { held.clear(); });
        deleteDying();
    } else if (m_retired) {
        deleteLater();
    }
}

void ModelTab::retire() {
    m_retired = true;
    if (!m_job.isNull()) {
        m_job->cancel();
    }
    m_watch.setFiles({});
    dropPages();
}

void ModelTab::rememberPageStates() {
    QSettings settings;
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        QJsonObject state = m_pages[i]->saveState();
        m_pageStates.insert(pageId(i), state);
        state.remove(QStringLiteral("model")); // page.h: what another file's tab does not get
        writeJson(settings, setting::kPages + pageId(i), state);
    }
}

void ModelTab::pageShown(int index) {
    if (m_states->currentWidget() != m_body || index < 0 || index >= static_cast<int>(m_pages.size())) {
        return; // the sidebar is being filled or cleared
    }
    m_pageId = pageId(static_cast<std::size_t>(index));
    m_stack->setCurrentIndex(index);
    showPageStatus();
    m_pages[static_cast<std::size_t>(index)]->activate();
    emit pagesChanged();
}

void ModelTab::showPage(int index) {
    if (m_ready && index >= 0 && index < m_sidebar->count()) {
        m_sidebar->setCurrentRow(index);
        currentPage()->setFocus(Qt::ShortcutFocusReason);
    }
}

void ModelTab::dragEnterEvent(QDragEnterEvent* event) {
    const auto page = std::ranges::find(pageTable(), std::string_view("metadata"), &PageRow::id);
    const auto row = static_cast<int>(page - pageTable().begin());
    event->setAccepted(m_ready && carriesKeys(event->mimeData()) && m_stack->currentIndex() != row);
    if (event->isAccepted()) {
        m_sidebar->setCurrentRow(row);
    }
}

bool ModelTab::goTo(const Place& place) {
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        if (m_pages[i]->goTo(place)) {
            m_sidebar->setCurrentRow(static_cast<int>(i));
            return true;
        }
    }
    return false;
}

void ModelTab::checkFiles() {
    if (m_document != nullptr) {
        m_watch.check();
    }
}

void ModelTab::chatWith(const QString& templateName, bool pictures) {
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        if (auto* run = qobject_cast<RunPage*>(m_pages[i])) {
            showPage(static_cast<int>(i));
            run->chatWith(templateName, pictures);
        }
    }
}

void ModelTab::setCompactSidebar(bool compact) { m_sidebar->setCompact(compact); }

void ModelTab::setSidebarShown(bool shown) { m_sidebar->setVisible(shown); }

void ModelTab::showPageStatus() {
    const auto status = m_pageStatus.find(currentPage());
    if (status != m_pageStatus.end()) {
        setStatus(status->second.left, status->second.right);
    } else {
        setStatus(m_openedText, modelStatus(*m_document->current()));
    }
}

QJsonObject ModelTab::saveState() const {
    QJsonObject states = m_pageStates;
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        states.insert(pageId(i), m_pages[i]->saveState());
    }
    return {{kPath, encodePath(m_path)}, {kPage, m_pageId}, {kPageStates, states}};
}

std::filesystem::path ModelTab::pathOfState(const QJsonObject& state) {
    return decodePath(state.value(kPath).toString());
}

void ModelTab::showEvent(QShowEvent* event) {
    WindowTab::showEvent(event);
    if (m_document != nullptr && !m_pagesBegun) {
        m_pagesBegun = true;
        makePages();
    }
}

} // namespace gufo::ui
