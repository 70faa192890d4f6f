#include "ui/mainwindow/tabs/repository_tab.h"

#include "inference/interface/memory_needs.h"
#include "ui/mainwindow/tabs/remote_states.h"
#include "ui/mainwindow/tabs/tab_states.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/pages/repository/repository_page.h"
#include "ui/shell/places.h"
#include "ui/shell/settings.h"

#include <QStackedWidget>
#include <QVBoxLayout>

#include <utility>

namespace gufo::ui {
namespace {

const QString kRepository = QStringLiteral("repository");

std::vector<PageHost::Row> pageRows() {
    return {{kRepository, [](QWidget* parent) { return new RepositoryPage(parent); }}};
}

} // namespace

RepositoryTab::RepositoryTab(hub::HubName name, const QJsonObject& state, QWidget* parent)
    : WindowTab(pageRows(), setting::kPages, state, parent)
    , m_name(std::move(name))
    , m_states(new QStackedWidget(this))
    , m_waiting(new WaitingView(title(), description(), hostOf(m_name), m_states))
    , m_opening(new OpeningView(tr("the list of files on %1").arg(hostOf(m_name)), m_states))
    , m_error(new ErrorView(m_states)) {
    for (QWidget* widget : std::initializer_list<QWidget*>{m_waiting, m_opening, m_error, &host()}) {
        m_states->addWidget(widget);
    }
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_states);
    connect(m_waiting, &WaitingView::contactRequested, this, &RepositoryTab::reload);
    connect(m_waiting, &WaitingView::closeRequested, this, &RepositoryTab::closeRequested);
    connect(m_opening, &OpeningView::cancelRequested, this, &RepositoryTab::closeRequested);
    connect(m_error, &ErrorView::retryRequested, this, &RepositoryTab::reload);
    connect(m_error, &ErrorView::closeRequested, this, &RepositoryTab::closeRequested);
    connect(&host(), &PageHost::aboutToShow, this, [this] { m_states->setCurrentWidget(&host()); });
    connect(&host(), &PageHost::pagesDeleted, this, [this] {
        if (m_retired) {
            deleteLater();
        }
    });
    if (state.isEmpty()) {
        list();
    } else {
        setStatus(tr("Not contacted"), {});
    }
}

RepositoryTab::~RepositoryTab() { host().rememberStates(); }

QString RepositoryTab::title() const { return displayText(m_name.name.repository); }

QString RepositoryTab::description() const { return pathText(m_name); }

bool RepositoryTab::hasFailed() const { return m_states->currentWidget() == m_error; }

QString RepositoryTab::errorText() const { return hasFailed() ? m_error->text() : QString(); }

bool RepositoryTab::isWaiting() const { return m_states->currentWidget() == m_waiting; }

RepositoryPage* RepositoryTab::page() const {
    return pages().empty() ? nullptr : qobject_cast<RepositoryPage*>(pages().front());
}

void RepositoryTab::reload() {
    m_listed = {};
    host().dropPages();
    list();
}

void RepositoryTab::list() {
    m_job.cancel();
    m_states->setCurrentWidget(m_opening);
    m_opening->start();
    setStatus(tr("Contacting %1…").arg(hostOf(m_name)), {});
    m_job.start<Listed>(
        [name = m_name.name](const JobContext& job) -> Result<Listed> {
            auto repository = GUFO_TRY(hub::listRepository(*net::Client::shared(), name, job));
            return Listed{.repository = std::make_shared<const hub::Repository>(std::move(repository)),
                          .freeMemory = inference::machineMemory().available};
        },
        [this](Result<Listed> listed) {
            if (!listed) {
                m_error->setError(listed.error(), m_name);
                m_states->setCurrentWidget(m_error);
                setStatus(tr("Could not be listed"), {});
            } else {
                m_listed = *std::move(listed);
                setStatus(tr("Listed from %1").arg(hostOf(m_name)),
                          {tr("%n files", nullptr, numerus(m_listed.repository->files.size()))});
                if (isVisible()) {
                    makePage();
                }
            }
            emit opened();
        });
}

void RepositoryTab::makePage() {
    host().makePages([this](Page& made) {
        if (auto* page = qobject_cast<RepositoryPage*>(&made)) {
            connect(page, &RepositoryPage::openRequested, this, &RepositoryTab::openRequested);
            connect(page, &RepositoryPage::compareRequested, this, &RepositoryTab::compareRequested);
            connect(page, &RepositoryPage::downloadRequested, this, &RepositoryTab::downloadRequested);
            page->setRepository(m_listed.repository, m_listed.freeMemory);
        }
    });
}

void RepositoryTab::retire() {
    m_retired = true;
    m_job.cancel();
    host().dropPages();
}

QJsonObject RepositoryTab::saveState() const {
    QJsonObject state = host().saveState();
    state.insert(kRepository, encodePlace(m_name));
    return state;
}

std::optional<hub::ModelPlace> RepositoryTab::placeOfState(const QJsonObject& state) {
    return decodePlace(state.value(kRepository).toString());
}

void RepositoryTab::showEvent(QShowEvent* event) {
    WindowTab::showEvent(event);
    if (m_listed.repository != nullptr) {
        makePage();
    }
}

} // namespace gufo::ui

#include "moc_repository_tab.cpp"
