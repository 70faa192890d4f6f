#include "ui/compare/compare_tab.h"

#include "ui/compare/differences/metadata_diff_page.h"
#include "ui/compare/differences/template_diff_page.h"
#include "ui/compare/file_chips.h"
#include "ui/compare/lock_step/lock_step_page.h"
#include "ui/compare/map/map_page.h"
#include "ui/compare/short_labels.h"
#include "ui/compare/trade_off/trade_off_page.h"
#include "ui/messages/error_text.h"
#include "ui/messages/format.h"
#include "ui/shell/native_path.h"
#include "ui/shell/notice_bar.h"
#include "ui/shell/settings.h"
#include "ui/shell/sidebar.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/tool_strip.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace gufo::ui {
namespace {

const QString kCompare = QStringLiteral("compare");
const QString kReference = QStringLiteral("reference");
const QString kPage = QStringLiteral("page");
const QString kPageStates = QStringLiteral("pages");
constexpr std::size_t kNamed = 3; // files in a title

template<typename P>
ComparePage* make(Comparison& comparison, QWidget* parent) {
    return new P(comparison, parent);
}

struct ComparePageRow {
    const char* id; // in settings and sessions
    ComparePage* (*make)(Comparison& comparison, QWidget* parent);
};
constexpr auto kPages = std::to_array<ComparePageRow>({
    {"map", make<MapPage>},
    {"tradeoff", make<TradeOffPage>},
    {"metadata", make<MetadataDiffPage>},
    {"template", make<TemplateDiffPage>},
    {"run", make<LockStepPage>},
});

QString settingsKey(const char* id) { return setting::kPages + QStringLiteral("compare/") + QLatin1String(id); }

} // namespace

CompareTab::CompareTab(const std::vector<std::filesystem::path>& files, const QJsonObject& state, QWidget* parent)
    : WindowTab(parent)
    , m_pageStates(state.value(kPageStates).toObject())
    , m_pageId(state.value(kPage).toString())
    , m_sidebar(new Sidebar(this))
    , m_notice(new NoticeBar(this))
    , m_states(new QStackedWidget(this))
    , m_stack(new QStackedWidget(m_states)) {
    m_stack->setAutoFillBackground(true);
    m_stack->setBackgroundRole(QPalette::Base);
    auto* line = new QFrame(this);
    line->setFrameShape(QFrame::VLine);
    line->setFixedWidth(1);
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    column->addWidget(m_notice);
    buildHead(column);
    m_states->addWidget(m_stack);
    m_states->addWidget(m_problemView);
    column->addWidget(m_states, 1);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_sidebar);
    row->addWidget(line);
    row->addLayout(column, 1);

    connect(m_sidebar, &QListWidget::currentRowChanged, this, &CompareTab::pageShown);
    connect(&m_comparison, &Comparison::stateChanged, this, &CompareTab::updateState);
    connect(&m_comparison, &Comparison::metadataCompared, this, [this] {
        updateStatus();
        emit pagesChanged(); // exports are possible now
    });
    connect(&m_comparison, &Comparison::filesChanged, this, [this] {
        emit titleChanged();
        updateStatus();
    });
    connect(&m_comparison, &Comparison::fileChanged, this, [this](const std::filesystem::path& file, bool gone) {
        m_cancelNoticed = false;
        m_notice->showNotice(gone ? tr("%1 is no longer there. What is shown is from before.").arg(fileNameText(file))
                                  : tr("%1 has changed on disk. What is shown is from before.").arg(fileNameText(file)),
                             {{.text = tr("Compare again"), .run = [this] { m_comparison.reload(); }}});
    });
    m_comparison.start(files, decodePath(state.value(kReference).toString()));
}

CompareTab::~CompareTab() { rememberPageStates(); }

void CompareTab::buildHead(QVBoxLayout* column) {
    auto* strip = new ToolStrip(this);
    m_chips = new FileChips(m_comparison, strip);
    m_progress = new JobBar(strip);
    m_progress->setMinimumWidth(200);
    auto* add = new QPushButton(tr("Add file…"), strip);
    add->setIcon(themeIcon(QStringLiteral("plus")));
    add->setToolTip(tr("Add models to the comparison: at most %1").arg(kMaxCompared));
    auto* row = static_cast<QHBoxLayout*>(strip->layout());
    row->addWidget(m_chips, 10);
    row->addStretch(1);
    row->addWidget(m_progress, 4);
    row->addWidget(add);
    column->addWidget(strip);
    auto* report = new QPushButton(tr("Report…"), strip);
    report->setIcon(themeIcon(QStringLiteral("export")));
    report->setToolTip(tr("Write the comparison as a page to read in a browser"));
    report->setEnabled(false);
    row->addWidget(report);
    connect(report, &QPushButton::clicked, this, [this] { exportAs(ComparisonFormat::Html); });
    const auto enable = [this, report] { report->setEnabled(canExport()); };
    connect(&m_comparison, &Comparison::stateChanged, report, enable);
    connect(&m_comparison, &Comparison::metadataCompared, report, enable);
    connect(add, &QPushButton::clicked, this, &CompareTab::addFilesRequested);
    connect(&m_comparison, &Comparison::filesChanged, add,
            [this, add] { add->setEnabled(m_comparison.paths().size() < kMaxCompared); });
    connect(m_chips, &FileChips::referenceChosen, &m_comparison, &Comparison::setReference);
    connect(m_chips, &FileChips::removed, &m_comparison, &Comparison::removeFile);
    connect(m_chips, &FileChips::openRequested, this,
            [this](const std::filesystem::path& file) { emit openInTab(file, Place{}); });
    connect(m_progress, &JobBar::cancelled, &m_comparison, &Comparison::cancel);

    m_problemView = new QWidget(this);
    m_problemView->setAutoFillBackground(true);
    m_problemView->setBackgroundRole(QPalette::Base);
    m_problem = new EmptyState(m_problemView);
    auto* again = new QPushButton(tr("Compare again"), m_problemView);
    again->setIcon(themeIcon(QStringLiteral("reload"), Token::OnAccent));
    again->setProperty("primary", true);
    auto* other = new QPushButton(tr("Add file…"), m_problemView);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(again);
    buttons->addWidget(other);
    buttons->addStretch(1);
    auto* body = new QVBoxLayout(m_problemView);
    body->addWidget(m_problem, 3);
    body->addLayout(buttons);
    body->addStretch(2);
    connect(again, &QPushButton::clicked, &m_comparison, &Comparison::reload);
    connect(other, &QPushButton::clicked, this, &CompareTab::addFilesRequested);
}

QString CompareTab::title() const {
    const auto& paths = m_comparison.paths();
    const QString common = commonName(paths);
    const QStringList labels = shortLabels(paths);
    if (paths.size() > kNamed) {
        return common.isEmpty() ? tr("Compare: %1 files").arg(paths.size())
                                : tr("Compare: %1 (%2 files)").arg(common).arg(paths.size());
    }
    const QString joined = labels.join(QStringLiteral(" ↔ "));
    return common.isEmpty() || common == labels.value(0) ? joined : QStringLiteral("%1: %2").arg(common, joined);
}

QString CompareTab::description() const {
    QStringList lines;
    for (const auto& path : m_comparison.paths()) {
        lines << displayPath(path);
    }
    return lines.join(u'\n');
}

Page* CompareTab::currentPage() const {
    const int row = m_stack->currentIndex();
    return m_states->currentWidget() == m_stack && row >= 0 && row < static_cast<int>(m_pages.size())
               ? m_pages[static_cast<std::size_t>(row)]
               : nullptr;
}

// One page in each turn of the event loop, so that the window never waits for all of them.
void CompareTab::makePages() {
    if (m_retired) {
        return;
    }
    if (m_pages.size() == kPages.size()) {
        int shown = 0;
        for (std::size_t i = 0; i < kPages.size(); ++i) {
            if (m_pageId == QLatin1String(kPages[i].id)) {
                shown = static_cast<int>(i);
            }
        }
        m_pagesMade = true;
        m_sidebar->setCurrentRow(shown);
        emit pagesChanged();
        return;
    }
    const std::size_t index = m_pages.size();
    const char* id = kPages[index].id;
    ComparePage* page = kPages[index].make(m_comparison, m_stack);
    const QJsonValue own = m_pageStates.value(QLatin1String(id));
    page->restoreState(own.isObject() ? own.toObject() : readJson(QSettings(), settingsKey(id)));
    m_pages.push_back(page);
    m_stack->addWidget(page);
    m_sidebar->addPage(*page);
    connect(page, &Page::badgeChanged, this,
            [this, page, index] { m_sidebar->updatePage(static_cast<int>(index), *page); });
    connect(page, &Page::placeRequested, this, &CompareTab::goTo);
    connect(page, &ComparePage::openInTab, this, &CompareTab::openInTab);
    connect(page, &ComparePage::keyCopied, this, &CompareTab::keyCopied);
    connect(page, &Page::statusChanged, this, [this, page](const QString& left) {
        if (page == currentPage()) {
            m_pageStatus = left;
            updateStatus();
        }
    });
    connect(page, &ComparePage::fileWritten, this, [this](const QString& message) {
        m_pageStatus = message;
        updateStatus();
    });
    QMetaObject::invokeMethod(this, &CompareTab::makePages, Qt::QueuedConnection);
}

void CompareTab::pageShown(int index) {
    if (!m_pagesMade || index < 0 || index >= static_cast<int>(m_pages.size())) {
        return;
    }
    m_pageId = QLatin1String(kPages[static_cast<std::size_t>(index)].id);
    m_stack->setCurrentIndex(index);
    m_pageStatus.clear();
    updateStatus();
    m_pages[static_cast<std::size_t>(index)]->activate();
    emit pagesChanged();
}

void CompareTab::showPage(int index) {
    if (m_pagesMade && index >= 0 && index < m_sidebar->count()) {
        m_sidebar->setCurrentRow(index);
        if (Page* page = currentPage()) {
            page->setFocus(Qt::ShortcutFocusReason);
        }
    }
}

bool CompareTab::goTo(const Place& place) {
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        if (m_pages[i]->goTo(place)) {
            m_sidebar->setCurrentRow(static_cast<int>(i));
            return true;
        }
    }
    return false;
}

void CompareTab::reload() { m_comparison.reload(); }

void CompareTab::addFiles(const std::vector<std::filesystem::path>& files) { m_comparison.addFiles(files); }

void CompareTab::cancel() { m_comparison.cancel(); }

void CompareTab::exportAs(ComparisonFormat format) {
    const ComparisonFormatInfo& row = comparisonFormats()[static_cast<std::size_t>(format)];
    const auto translated = [](const char* text) {
        return QCoreApplication::translate("gufo::ui::ComparisonExport", text);
    };
    auto* dialog = new QFileDialog(window(), translated(row.title), {}, translated(row.filter));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    const QString common = commonName(m_comparison.paths());
    dialog->selectFile((common.isEmpty() ? tr("comparison") : tr("%1 comparison").arg(common)) +
                       QLatin1String(row.suffix));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, format](const QString& file) { writeExport(fromQtPath(file), format); });
    dialog->open();
}

void CompareTab::writeExport(const std::filesystem::path& path, ComparisonFormat format) {
    if (!canExport()) {
        return;
    }
    const auto* map = m_pages.empty() ? nullptr : qobject_cast<MapPage*>(m_pages.front());
    Job* job = startJob<void>(
        this,
        [finished = FinishedComparison{m_comparison.matches(), m_comparison.result(), m_comparison.metadata()}, path,
         format, metric = map != nullptr ? map->metric() : Metric::Sqnr](const JobContext&) {
            return writeComparison(finished, format, metric, path);
        },
        [this, path](const Result<>& written) {
            m_pageStatus = written ? tr("Written: %1").arg(displayPath(path)) : errorLine(written.error());
            updateStatus();
        });
    m_progress->watch(job, tr("Writing %1").arg(fileNameText(path)));
}

void CompareTab::retire() {
    m_retired = true;
    rememberPageStates();
    m_comparison.cancel();
    disconnect(&m_comparison, nullptr, this, nullptr);
    deletePages();
}

// One in each turn of the event loop, so that the window never waits for all of them.
void CompareTab::deletePages() {
    if (m_pages.empty()) {
        deleteLater();
        return;
    }
    delete m_pages.back();
    m_pages.pop_back();
    QMetaObject::invokeMethod(this, &CompareTab::deletePages, Qt::QueuedConnection);
}

void CompareTab::setCompactSidebar(bool compact) { m_sidebar->setCompact(compact); }

void CompareTab::setSidebarShown(bool shown) { m_sidebar->setVisible(shown); }

void CompareTab::updateState() {
    if (m_comparison.job() != nullptr) {
        m_progress->watch(m_comparison.job(), m_comparison.state() == Comparison::State::Comparing
                                                  ? tr("Comparing")
                                                  : tr("Matching tensors"));
    }
    if (m_comparison.state() == Comparison::State::Failed) {
        showProblem();
    } else {
        m_states->setCurrentWidget(m_stack);
    }
    if (m_comparison.state() == Comparison::State::Cancelled && m_comparison.matches()) {
        m_cancelNoticed = true;
        m_notice->showNotice(
            tr("Cancelled: %1 of %2 tensors were compared.")
                .arg(formatCount(m_comparison.rowsDone()), formatCount(m_comparison.matches()->rows.size())),
            {{.text = tr("Continue"), .run = [this] { m_comparison.resume(); }}});
    } else if (m_comparison.state() == Comparison::State::Opening || m_cancelNoticed) {
        m_cancelNoticed = false;
        m_notice->hide();
    }
    m_pageStatus.clear();
    updateStatus();
    if (!m_comparison.isBusy()) {
        emit opened();
        emit pagesChanged(); // exports are possible now, or not any more
    }
}

QString CompareTab::errorText() const {
    if (!hasFailed()) {
        return {};
    }
    QStringList lines;
    if (m_comparison.error()) {
        lines << errorLine(*m_comparison.error());
    }
    for (const UnreadableFile& file : m_comparison.unreadable()) {
        const QString hint = errorHint(file.error);
        lines << QStringLiteral("%1: %2").arg(displayPath(file.path), errorReason(file.error)) +
                     (hint.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(hint));
    }
    if (lines.isEmpty()) {
        lines << tr("A comparison needs two models at least.");
    }
    return lines.join(u'\n');
}

void CompareTab::showProblem() {
    m_problem->setTexts(m_comparison.files().size() < 2 ? tr("A comparison needs two models that can be read")
                                                        : tr("The comparison failed"),
                        errorText());
    m_states->setCurrentWidget(m_problemView);
}

void CompareTab::updateStatus() {
    QStringList right;
    QString left = m_pageStatus;
    const auto& files = m_comparison.files();
    std::uint64_t bytes = 0;
    for (const ComparedFile& file : files) {
        bytes += file.totals.fileBytes;
    }
    right << tr("%1 files, %2").arg(files.size()).arg(formatBytes(bytes));
    const auto& totals = m_comparison.totals();
    if (m_comparison.state() == Comparison::State::Done && !totals.empty()) {
        std::uint64_t reshaped = 0;
        std::uint64_t unmatched = 0;
        for (const ModelTotals& one : totals) {
            reshaped += one.all.reshaped;
            unmatched += one.all.missing + one.all.extra;
        }
        right << (reshaped == 0 ? tr("All shapes equal") : tr("%1 of other shape").arg(formatCount(reshaped)));
        if (unmatched > 0) {
            right << tr("%1 without counterpart").arg(formatCount(unmatched));
        }
    }
    if (m_comparison.metadata()) {
        const auto& rows = m_comparison.metadata()->rows;
        const auto different =
            static_cast<std::uint64_t>(std::ranges::count_if(rows, [](const MetadataRow& row) { return !row.same(); }));
        right << (different == 0   ? tr("Metadata equal")
                  : different == 1 ? tr("1 metadata difference")
                                   : tr("%1 metadata differences").arg(formatCount(different)));
    }
    if (left.isEmpty()) {
        switch (m_comparison.state()) {
        case Comparison::State::Opening:
            left = tr("Opening %1 files").arg(m_comparison.paths().size());
            break;
        case Comparison::State::Matching:
            left = tr("Matching tensors");
            break;
        case Comparison::State::Comparing:
            left = tr("Comparing %1 tensors").arg(formatCount(m_comparison.matches()->rows.size()));
            break;
        case Comparison::State::Done: {
            const qint64 ms = m_comparison.elapsedMs();
            const QString time = ms < 100
                                     ? tr("%1 ms").arg(ms)
                                     : tr("%1 s").arg(QLocale().toString(static_cast<double>(ms) / 1000.0, 'f', 1));
            left = tr("Compared %1 tensors of %2 files in %3")
                       .arg(formatCount(m_comparison.matches()->rows.size()))
                       .arg(files.size())
                       .arg(time);
            break;
        }
        case Comparison::State::Cancelled:
            left = tr("Cancelled");
            break;
        case Comparison::State::Failed:
            left = tr("Not compared");
            break;
        }
    }
    setStatus(left, right);
}

void CompareTab::rememberPageStates() {
    QSettings settings;
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        QJsonObject state = m_pages[i]->saveState();
        m_pageStates.insert(QLatin1String(kPages[i].id), state);
        state.remove(QStringLiteral("model")); // page.h: what another tab does not get
        writeJson(settings, settingsKey(kPages[i].id), state);
    }
}

QJsonObject CompareTab::stateFor(const QString& pageId) {
    return pageId.isEmpty() ? QJsonObject() : QJsonObject{{kPage, pageId}};
}

QJsonObject CompareTab::saveState() const {
    QJsonArray files;
    for (const auto& path : m_comparison.paths()) {
        files.append(encodePath(path));
    }
    QJsonObject states = m_pageStates;
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        states.insert(QLatin1String(kPages[i].id), m_pages[i]->saveState());
    }
    return {{kCompare, files},
            {kReference, encodePath(m_comparison.referencePath())},
            {kPage, m_pageId},
            {kPageStates, states}};
}

std::vector<std::filesystem::path> CompareTab::filesOfState(const QJsonObject& state) {
    std::vector<std::filesystem::path> files;
    for (const QJsonValue& file : state.value(kCompare).toArray()) {
        if (auto path = decodePath(file.toString()); !path.empty()) {
            files.push_back(std::move(path));
        }
    }
    return files;
}

void CompareTab::showEvent(QShowEvent* event) {
    WindowTab::showEvent(event);
    if (!m_pagesBegun) {
        m_pagesBegun = true;
        makePages();
    }
}

} // namespace gufo::ui
