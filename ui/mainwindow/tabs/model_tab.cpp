#include "ui/mainwindow/tabs/model_tab.h"

#include "ui/mainwindow/tabs/page_table.h"
#include "ui/mainwindow/tabs/remote_states.h"
#include "ui/mainwindow/tabs/tab_states.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/model_text.h"
#include "ui/models/key_transfer.h"
#include "ui/pages/bytes/bytes_page.h"
#include "ui/pages/inside/inside_page.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/pages/run/run_page.h"
#include "ui/pages/template/template_page.h"
#include "ui/saving/change_bar.h"
#include "ui/saving/tab_editing.h"
#include "ui/shell/notice_bar.h"
#include "ui/shell/places.h"
#include "ui/shell/settings.h"

#include <QDragEnterEvent>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

const QString kPath = QStringLiteral("path");

// `model` is called when the pages are created, when there is one.
std::vector<PageHost::Row> pageRows(const std::function<std::shared_ptr<const Model>()>& model) {
    std::vector<PageHost::Row> rows;
    for (const PageRow& row : pageTable()) {
        rows.push_back({QString::fromLatin1(row.id),
                        [make = row.make, model](QWidget* parent) { return make(parent, *model()); }});
    }
    return rows;
}

} // namespace

ModelTab::ModelTab(hub::ModelPlace place, const QJsonObject& state, QWidget* parent)
    : WindowTab(pageRows([this] { return model(); }), setting::kPages, state, parent)
    , m_place(std::move(place))
    , m_states(new QStackedWidget(this))
    , m_opening(new OpeningView(fileNameText(m_place), m_states))
    , m_error(new ErrorView(m_states))
    , m_server(new ServerStrip(&host()))
    , m_notice(new NoticeBar(&host()))
    , m_draft(new NoticeBar(&host()))
    , m_passing(new NoticeBar(&host()))
    , m_bar(new ChangeBar(&host())) {
    m_server->setObjectName(QStringLiteral("serverStrip"));
    m_states->addWidget(m_opening);
    m_states->addWidget(m_error);
    m_states->addWidget(&host());
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_states);

    host().addAbove(m_server);
    host().addBelow(m_notice);
    host().addBelow(m_draft);
    host().addBelow(m_passing);
    host().addBelow(m_bar);

    connect(m_opening, &OpeningView::cancelRequested, this, &ModelTab::closeRequested);
    connect(m_error, &ErrorView::retryRequested, this, &ModelTab::reload);
    connect(m_error, &ErrorView::recoveryRequested, this, [this] { open(MovedFile::Accept); });
    connect(m_error, &ErrorView::closeRequested, this, &ModelTab::closeRequested);
    connect(m_error, &ErrorView::bytesRequested, this, &ModelTab::showBytesOfFile);
    connect(&host(), &PageHost::aboutToShow, this, [this] { m_states->setCurrentWidget(&host()); });
    connect(&host(), &PageHost::statusChanged, this, &ModelTab::showPageStatus);
    connect(&host(), &PageHost::pagesDeleted, this, &ModelTab::deleteDyingDocuments);
    connect(&m_watch, &FileWatch::changed, this, &ModelTab::fileChanged);
    connect(m_server, &ServerStrip::downloadRequested, this, &ModelTab::downloadRequested);
    setAcceptDrops(true);
    if (isRemote()) {
        makeRemoteStates();
    }
    if (isRemote() && !state.isEmpty()) {
        m_states->setCurrentWidget(m_waiting);
        setStatus(tr("Not contacted"), {});
    } else {
        open();
    }
}

void ModelTab::makeRemoteStates() {
    m_waiting = new WaitingView(title(), description(), hostOf(m_place), m_states);
    m_fetching = new FetchingView(title(), hostOf(m_place), m_states);
    m_states->addWidget(m_waiting);
    m_states->addWidget(m_fetching);
    connect(m_waiting, &WaitingView::contactRequested, this, &ModelTab::reload);
    connect(m_waiting, &WaitingView::closeRequested, this, &ModelTab::closeRequested);
    connect(m_fetching, &FetchingView::cancelRequested, this, &ModelTab::closeRequested);
}

ModelTab::~ModelTab() {
    host().rememberStates();
    delete m_editing; // before the document, because it keeps a draft of it
}

QString ModelTab::title() const { return modelNameText(m_place); }

QString ModelTab::description() const { return pathText(m_place); }

bool ModelTab::isWaiting() const { return m_waiting != nullptr && m_states->currentWidget() == m_waiting; }

bool ModelTab::hasFailed() const {
    const QWidget* shown = m_states->currentWidget();
    return shown == m_error || (m_bytes != nullptr && shown == m_bytes);
}

QString ModelTab::errorText() const { return hasFailed() ? m_error->text() : QString(); }

void ModelTab::open(MovedFile moved) {
    m_job.cancel();
    m_notice->hide();
    setStatus(tr("Opening %1").arg(description()), {});
    m_clock.start();
    if (isRemote()) {
        fetch();
        return;
    }
    m_states->setCurrentWidget(m_opening);
    m_opening->start();
    m_job.start<OpenedModel>(
        [place = m_place, moved](const JobContext& job) { return openWithStamps(place, job, moved); },
        [this](Result<OpenedModel> opened) {
            if (opened) {
                takeModel(std::move(*opened));
            } else {
                fail(opened.error());
            }
        });
    connect(m_job.job(), &Job::progressed, m_opening, &OpeningView::setProgress);
}

// The keys are shown while the header arrives.
void ModelTab::fetch() {
    const auto header = std::make_shared<ArrivingHeader>();
    m_states->setCurrentWidget(m_fetching);
    m_fetching->start(header);
    m_job.start<OpenedModel>(
        [place = m_place, header](const JobContext& job) {
            return openWithStamps(place, job, MovedFile::Refuse, header->watch());
        },
        [this](Result<OpenedModel> opened) {
            m_fetching->stop();
            if (opened) {
                takeModel(std::move(*opened));
            } else {
                fail(opened.error());
            }
        });
}

void ModelTab::openAgain() {
    dropModel();
    open();
}

void ModelTab::takeModel(OpenedModel read) {
    m_keepsDescription = read.keepsDescription;
    makeDocument(std::move(read.model));
    m_openedMs = m_clock.elapsed();
    watch(std::move(read.files));
    tellRecovery(read.recovery);
    const QString time =
        m_openedMs < 100 ? tr("%1 ms").arg(m_openedMs)
                         : tr("%1 s").arg(figureLocale().toString(static_cast<double>(m_openedMs) / 1000.0, 'f', 2));
    m_openedText = isRemote() ? tr("Opened in %1; weights are fetched when they are looked at").arg(time)
                              : tr("Opened in %1, mapped read-only").arg(time);
    setStatus(m_openedText, modelStatus(*m_document->current()));
    if (isVisible()) {
        makePages();
    }
    emit opened();
}

void ModelTab::makeDocument(std::shared_ptr<const Model> model) {
    const bool whole = std::ranges::all_of(model->files, [](const ModelFile& file) { return file.source != nullptr; });
    m_document = new ModelDocument(std::move(model), this);
    if (!whole) {
        m_document->setBlocked(tr("A shard of this model is missing or cannot be read, so it cannot be edited."));
    } else if (isRemote()) {
        m_document->setBlocked(tr("This model is on %1: download it to change or save it.").arg(hostOf(m_place)));
    }
    if (isRemote()) {
        m_server->setModel(m_document->current(), m_place);
    }
    connect(m_document, &ModelDocument::edited, this, &ModelTab::edited);
    connect(m_document, &ModelDocument::modifiedChanged, this, &ModelTab::edited);
    connect(m_document, &ModelDocument::editableChanged, this, &ModelTab::edited);
    m_discarded = false;
    m_editing = new TabEditing(
        {.document = m_document, .pages = &host(), .bar = m_bar, .passing = m_passing, .draft = m_draft}, this);
    m_editing->setTakenPaths([this](const std::filesystem::path& path) { return m_isTaken && m_isTaken(path); });
    connect(m_editing, &TabEditing::aboutToSave, this, &ModelTab::stopReaders);
    connect(m_editing, &TabEditing::saved, this, &ModelTab::takeSaved);
    connect(m_editing, &TabEditing::notSaved, this, &ModelTab::watchAgain);
    connect(m_editing, &TabEditing::keepChangesRequested, this, &ModelTab::keepChangesOnFile);
    connect(m_editing, &TabEditing::openAgainRequested, this, [this] {
        discardChanges();
        openAgain();
    });
    // Queued, because the tab may drop the model, and the object that emits this with it.
    connect(m_editing, &TabEditing::conflict, this, &ModelTab::showChange, Qt::QueuedConnection);
}

void ModelTab::fail(const Error& error) {
    m_watch.setFiles({});
    m_error->setError(error, m_place);
    m_states->setCurrentWidget(m_error);
    setStatus(tr("Could not be opened"), {});
    emit opened();
}

void ModelTab::showBytesOfFile(quint64 offset) {
    const auto* file = m_place.localPath();
    if (file == nullptr) {
        return;
    }
    if (m_bytes == nullptr) {
        m_bytes = new BytesPage(m_states);
        m_states->addWidget(m_bytes);
        connect(m_bytes, &Page::statusChanged, this,
                [this](const QString& left, const QStringList& right) { setStatus(left, right); });
    }
    m_states->setCurrentWidget(m_bytes);
    m_bytes->openFile(*file, offset);
    m_bytes->setFocus();
}

void ModelTab::makePages() {
    host().makePages([this](Page& page) { prepare(page); });
}

void ModelTab::prepare(Page& page) {
    page.setDocument(m_document);
    page.setModel(m_document->current());
    if (auto* templates = qobject_cast<TemplatePage*>(&page)) {
        connect(templates, &TemplatePage::chatRequested, this, &ModelTab::chatWith);
    }
    if (auto* run = qobject_cast<RunPage*>(&page)) {
        connect(run, &RunPage::downloadRequested, this, &ModelTab::downloadRequested);
        connect(run, &RunPage::insideRequested, this, [this](std::size_t token) { lookInside(token); });
    }
    if (auto* inside = qobject_cast<InsidePage*>(&page)) {
        connect(inside, &InsidePage::conversationRequested, this, [this] { lookInside(std::nullopt); });
    }
    if (auto* overview = qobject_cast<OverviewPage*>(&page)) {
        connect(overview, &OverviewPage::compareRequested, this, &ModelTab::compareRequested);
        connect(overview, &OverviewPage::convertRequested, this, &ModelTab::convertRequested);
        connect(overview, &OverviewPage::chatRequested, this,
                [this] { showPage(host().rowOf(QStringLiteral("run"))); });
    }
}

void ModelTab::dropModel() {
    m_job.cancel(); // both may be reading the file for the document
    m_readingAgain.cancel();
    if (m_document != nullptr) {
        delete std::exchange(m_editing, nullptr);
        m_passing->hide();
        m_document->disconnect(this);
        m_dyingDocuments.push_back(std::exchange(m_document, nullptr));
    }
    for (Page* page : pages()) {
        page->disconnect(this);
    }
    host().dropPages();
}

void ModelTab::deleteDyingDocuments() {
    for (ModelDocument* document : std::exchange(m_dyingDocuments, {})) {
        std::vector models{document->current(), document->document().base()};
        delete document;
        destroyElsewhere(std::move(models));
    }
    if (m_retired) {
        deleteLater();
    }
}

void ModelTab::retire() {
    m_retired = true;
    m_watch.setFiles({});
    dropModel();
}

void ModelTab::dragEnterEvent(QDragEnterEvent* event) {
    const QString metadata = QStringLiteral("metadata");
    event->setAccepted(isReady() && carriesKeys(event->mimeData()) && host().currentId() != metadata);
    if (event->isAccepted()) {
        showPage(host().rowOf(metadata));
    }
}

void ModelTab::checkFiles() {
    if (m_document != nullptr) {
        m_watch.check();
    }
}

void ModelTab::chatWith(const QString& templateName, bool pictures) {
    for (std::size_t i = 0; i < pages().size(); ++i) {
        if (auto* run = qobject_cast<RunPage*>(pages()[i])) {
            showPage(static_cast<int>(i));
            run->chatWith(templateName, pictures);
        }
    }
}

void ModelTab::auditTemplate() {
    for (std::size_t i = 0; i < pages().size(); ++i) {
        if (auto* templates = qobject_cast<TemplatePage*>(pages()[i])) {
            showPage(static_cast<int>(i));
            templates->audit();
        }
    }
}

void ModelTab::lookInside(std::optional<std::size_t> token) {
    const RunPage* run = nullptr;
    InsidePage* inside = nullptr;
    for (Page* page : pages()) {
        run = run != nullptr ? run : qobject_cast<RunPage*>(page);
        inside = inside != nullptr ? inside : qobject_cast<InsidePage*>(page);
    }
    if (run != nullptr && inside != nullptr) {
        const std::vector<TokenId>& tokens = run->knownTokens();
        showPage(host().rowOf(QStringLiteral("inside")));
        inside->showTokens(tokens, token.value_or(tokens.empty() ? 0 : tokens.size() - 1));
    }
}

void ModelTab::showPageStatus() {
    if (m_document != nullptr) {
        const PageHost::Status status = host().status();
        setStatus(status.left.isEmpty() ? m_openedText : status.left,
                  status.right.isEmpty() ? modelStatus(*m_document->current()) : status.right);
    }
}

QJsonObject ModelTab::saveState() const {
    QJsonObject state = host().saveState();
    state.insert(kPath, encodePlace(m_place));
    return state;
}

std::optional<hub::ModelPlace> ModelTab::placeOfState(const QJsonObject& state) {
    return decodePlace(state.value(kPath).toString());
}

void ModelTab::showEvent(QShowEvent* event) {
    WindowTab::showEvent(event);
    if (m_document != nullptr) {
        makePages();
    }
}

} // namespace gufo::ui

#include "moc_model_tab.cpp"
