#include "ui/compare/compare_tab.h"

#include "ui/compare/differences/metadata_diff_page.h"
#include "ui/compare/differences/template_diff_page.h"
#include "ui/compare/file_chips.h"
#include "ui/compare/lock_step/lock_step_page.h"
#include "ui/compare/map/map_page.h"
#include "ui/compare/origin_verdict.h"
#include "ui/compare/short_labels.h"
#include "ui/compare/trade_off/trade_off_page.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/shell/notice_bar.h"
#include "ui/shell/places.h"
#include "ui/shell/settings.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/tool_strip.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace gufo::ui {
namespace {

const QString kCompare = QStringLiteral("compare");
const QString kReference = QStringLiteral("reference");
constexpr std::size_t kNamed = 3; // files named in a title

template<typename P>
PageHost::Row rowOf(const char* id, Comparison& comparison) {
    return {QLatin1String(id), [&comparison](QWidget* parent) { return new P(comparison, parent); }};
}

std::vector<PageHost::Row> pageRows(Comparison& comparison) {
    return {rowOf<MapPage>("map", comparison), rowOf<TradeOffPage>("tradeoff", comparison),
            rowOf<MetadataDiffPage>("metadata", comparison), rowOf<TemplateDiffPage>("template", comparison),
            rowOf<LockStepPage>("run", comparison)};
}

constexpr int kChipRow = 32; // height of a second row of files

} // namespace

CompareTab::CompareTab(const Places& files, const QJsonObject& state, QWidget* parent)
    // m_comparison is constructed after the rows, which only keep a reference to it.
    : WindowTab(pageRows(m_comparison), setting::kPages + QStringLiteral("compare/"), state, parent)
    , m_notice(new NoticeBar(&host())) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(&host());
    host().addBelow(m_notice);
    buildHead();

    connect(&host(), &PageHost::statusChanged, this, &CompareTab::updateStatus);
    connect(&host(), &PageHost::pagesDeleted, this, &CompareTab::deleteLater);
    connect(&m_comparison, &Comparison::stateChanged, this, &CompareTab::updateState);
    connect(&m_comparison, &Comparison::metadataCompared, this, [this] {
        updateStatus();
        emit pagesChanged(); // exports have become possible
    });
    connect(&m_comparison, &Comparison::filesChanged, this, [this] {
        emit titleChanged();
        updateStatus();
    });
    connect(&m_comparison, &Comparison::fileChanged, this,
            [this](const std::filesystem::path& file, FileChange change) {
                m_cancelNoticed = false;
                const QString stale =
                    change == FileChange::Overwritten
                        ? tr("The results are those of the version read before; its weights can no longer be "
                             "read.")
                        : tr("The version read before is still shown.");
                m_notice->showNotice(fileChangeText(file, change) + QLatin1Char(' ') + stale,
                                     {{.text = tr("Compare again"), .run = [this] { m_comparison.reload(); }}});
            });
    connect(&host(), &PageHost::aboutToShow, &m_comparison, &Comparison::announce); // each page has been made by then
    m_comparison.setFiles(files, decodePlace(state.value(kReference).toString()));
    m_waits = !filesOfState(state).empty() && !std::ranges::all_of(files, &hub::ModelPlace::isLocal);
}

CompareTab::~CompareTab() { host().rememberStates(); }

void CompareTab::buildHead() {
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
    host().addAbove(strip);
    host().addAbove(new OriginVerdict(m_comparison, this));
    auto* report = new QPushButton(tr("Report…"), strip);
    report->setIcon(themeIcon(QStringLiteral("export")));
    report->setToolTip(tr("Write the comparison as an HTML page"));
    report->setEnabled(false);
    row->addWidget(report);
    connect(report, &QPushButton::clicked, this, [this] { exportAs(ComparisonFormat::Html); });
    const auto enable = [this, report] { report->setEnabled(canExport()); };
    connect(&m_comparison, &Comparison::stateChanged, report, enable);
    connect(&m_comparison, &Comparison::metadataCompared, report, enable);
    connect(add, &QPushButton::clicked, this, &CompareTab::addFilesRequested);
    connect(&m_comparison, &Comparison::filesChanged, add,
            [this, add] { add->setEnabled(m_comparison.places().size() < kMaxCompared); });
    connect(m_chips, &FileChips::rowsChanged, strip,
            [strip, one = strip->height()](int rows) { strip->setFixedHeight(one + (rows - 1) * kChipRow); });
    connect(m_chips, &FileChips::referenceChosen, &m_comparison, &Comparison::setReference);
    connect(m_chips, &FileChips::removed, &m_comparison, &Comparison::removeFile);
    connect(m_chips, &FileChips::openRequested, this,
            [this](const hub::ModelPlace& file) { emit openInTab(file, Place{}); });
    connect(m_progress, &JobBar::cancelled, &m_comparison, &Comparison::cancel);

    m_problemView = new QWidget(this);
    m_problemView->setAutoFillBackground(true);
    m_problemView->setBackgroundRole(QPalette::Base);
    m_problemView->hide(); // until it is shown instead of the pages
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
    connect(again, &QPushButton::clicked, this, &CompareTab::reload);
    connect(other, &QPushButton::clicked, this, &CompareTab::addFilesRequested);
}

QString CompareTab::title() const {
    const Places& places = m_comparison.places();
    const QString common = commonName(places);
    const QStringList labels = shortLabels(places);
    if (places.size() > kNamed) {
        return common.isEmpty() ? tr("Compare: %n files", nullptr, numerus(places.size()))
                                : tr("Compare: %1 (%n files)", nullptr, numerus(places.size())).arg(common);
    }
    const QString joined = labels.join(QStringLiteral(" ↔ "));
    return common.isEmpty() || common == labels.value(0) ? joined : QStringLiteral("%1: %2").arg(common, joined);
}

QString CompareTab::description() const {
    QStringList lines;
    for (const hub::ModelPlace& place : m_comparison.places()) {
        lines << pathText(place);
    }
    return lines.join(u'\n');
}

void CompareTab::prepare(ComparePage& page) {
    connect(&page, &ComparePage::openInTab, this, &CompareTab::openInTab);
    connect(&page, &ComparePage::keyCopied, this, &CompareTab::keyCopied);
    connect(&page, &ComparePage::fileWritten, &host(), &PageHost::setStatus);
    if (const auto* run = qobject_cast<LockStepPage*>(&page)) {
        connect(run, &LockStepPage::blameRequested, this, [this](const BehaviourText& text) {
            for (std::size_t row = 0; row < pages().size(); ++row) {
                if (auto* map = qobject_cast<MapPage*>(pages()[row])) {
                    showPage(static_cast<int>(row));
                    map->showBehaviour(text);
                }
            }
        });
    }
}

void CompareTab::reload() {
    m_started = true;
    m_comparison.reload();
}

void CompareTab::addFiles(const Places& files) { m_comparison.addFiles(files); }

void CompareTab::cancel() { m_comparison.cancel(); }

void CompareTab::exportAs(ComparisonFormat format) {
    const auto translated = [](const char* text) {
        return QCoreApplication::translate("gufo::ui::ComparisonExport", text);
    };
    std::vector<ExportKind> kinds;
    for (const ComparisonFormatFact& row : comparisonFormats()) {
        kinds.push_back({translated(row.filter), QLatin1String(row.suffix)});
    }
    const auto proposed = static_cast<std::size_t>(format);
    const QString common = commonName(m_comparison.places());
    askExportPath(*this, translated(comparisonFormats()[proposed].title),
                  (common.isEmpty() ? tr("comparison") : tr("%1 comparison").arg(common)) + kinds[proposed].suffix,
                  kinds, proposed, [this](const std::filesystem::path& path, std::size_t kind) {
                      writeExport(path, comparisonFormats()[kind].format);
                  });
}

void CompareTab::writeExport(const std::filesystem::path& path, ComparisonFormat format) {
    if (!canExport()) {
        return;
    }
    const auto* map = pages().empty() ? nullptr : qobject_cast<MapPage*>(pages().front());
    FinishedComparison result{m_comparison.matches(), m_comparison.result(), m_comparison.metadata(),
                              m_comparison.origin(),  m_comparison.proof(),  m_comparison.imatrix()};
    result.fileOrigins = m_comparison.fileOrigins();
    result.exchanged = m_comparison.exchanged();
    for (std::size_t file = 0; file < m_comparison.files().size(); ++file) {
        result.divergences.push_back(m_comparison.divergence(file));
        result.behaviours.push_back(m_comparison.behaviour(file));
    }
    result.behaviourText = m_comparison.behaviourText();
    if (std::ranges::none_of(result.divergences, [](const auto& kl) { return kl.has_value(); })) {
        result.divergences.clear(); // nothing was run
    }
    Job* job = startJob<void>(
        this,
        [finished = std::move(result), path, format, metric = map != nullptr ? map->shownMetric() : Metric::Sqnr](
            const JobContext&) { return writeComparison(finished, format, metric, path); },
        [this, path](const Result<>& written) {
            host().setStatus(written ? tr("Written: %1").arg(displayPath(path)) : errorLine(written.error()));
        });
    m_progress->watch(job, tr("Writing %1").arg(fileNameText(path)));
}

void CompareTab::retire() {
    m_retired = true;
    m_comparison.cancel();
    disconnect(&m_comparison, nullptr, this, nullptr);
    host().dropPages();
}

void CompareTab::updateState() {
    if (m_comparison.isBusy() && m_comparison.job() != nullptr) { // a job that is done lives on for a moment
        m_progress->watch(m_comparison.job(),
                          m_comparison.state() == Comparison::State::Comparing
                              ? m_comparison.result() ? tr("Checking the conversion") : tr("Comparing")
                              : tr("Matching tensors"));
    }
    if (m_comparison.state() == Comparison::State::Failed) {
        showProblem();
    } else {
        host().showInstead(nullptr);
    }
    if (m_comparison.waitsForFetching()) {
        m_cancelNoticed = true;
        m_notice->showNotice(tr("Keys and templates are compared. Comparing the weights would fetch %1 from %2.")
                                 .arg(formatBytes(m_comparison.bytesToFetch()), serversText()),
                             {{.text = tr("Fetch and compare"), .run = [this] { m_comparison.resume(); }}},
                             NoticeBar::Tone::Info);
    } else if (m_comparison.state() == Comparison::State::Cancelled && m_comparison.matches()) {
        m_cancelNoticed = true;
        m_notice->showNotice(
            tr("Cancelled: %1 of %n tensors were compared.", nullptr, numerus(m_comparison.matches()->rows.size()))
                .arg(formatCount(m_comparison.rowsDone())),
            {{.text = tr("Continue"), .run = [this] { m_comparison.resume(); }}});
    } else if (m_comparison.state() == Comparison::State::Opening || m_cancelNoticed) {
        m_cancelNoticed = false;
        m_notice->hide();
    }
    host().clearStatus();
    updateStatus();
    if (!m_comparison.isBusy()) {
        emit opened();
        emit pagesChanged(); // exports may have become possible or impossible
    }
}

// The hosts of the compared files.
QString CompareTab::serversText() const {
    QStringList hosts;
    for (const hub::ModelPlace& place : m_comparison.places()) {
        if (!place.isLocal()) {
            hosts << hostOf(place);
        }
    }
    hosts.removeDuplicates();
    return hosts.join(QStringLiteral(", "));
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
        lines << QStringLiteral("%1: %2").arg(pathText(file.place), errorReason(file.error)) +
                     (hint.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(hint));
    }
    if (lines.isEmpty()) {
        lines << (m_comparison.wasGivenTwice() ? tr("This would compare %1 with itself. Add another file.")
                                                     .arg(fileNameText(m_comparison.places().front()))
                                               : tr("A comparison needs at least two models."));
    }
    return lines.join(u'\n');
}

void CompareTab::showProblem() {
    m_problem->setTexts(m_comparison.files().size() < 2 ? tr("A comparison needs two models that can be read")
                                                        : tr("The comparison failed"),
                        errorText());
    host().showInstead(m_problemView);
}

void CompareTab::updateStatus() {
    QStringList right;
    QString left = host().status().left;
    const auto& files = m_comparison.files();
    std::uint64_t bytes = 0;
    for (const ComparedFile& file : files) {
        bytes += file.totals.fileBytes;
    }
    right << tr("%n files, %1", nullptr, numerus(files.size())).arg(formatBytes(bytes));
    const auto& totals = m_comparison.totals();
    if (m_comparison.state() == Comparison::State::Done && !totals.empty()) {
        std::uint64_t reshaped = 0;
        std::uint64_t unmatched = 0;
        for (const ModelTotals& one : totals) {
            reshaped += one.all.reshaped;
            unmatched += one.all.missing + one.all.extra;
        }
        right << (reshaped == 0 ? tr("All shapes equal") : tr("%1 with another shape").arg(formatCount(reshaped)));
        if (unmatched > 0) {
            right << tr("%1 without counterpart").arg(formatCount(unmatched));
        }
    }
    if (m_comparison.metadata()) {
        const auto& rows = m_comparison.metadata()->rows;
        const auto different =
            static_cast<std::uint64_t>(std::ranges::count_if(rows, [](const MetadataRow& row) { return !row.same(); }));
        right << (different == 0 ? tr("Metadata equal") : tr("%n metadata differences", nullptr, numerus(different)));
    }
    if (left.isEmpty()) {
        switch (m_comparison.state()) {
        case Comparison::State::Opening:
            left = tr("Opening %n files", nullptr, numerus(m_comparison.places().size()));
            break;
        case Comparison::State::Matching:
            left = tr("Matching tensors");
            break;
        case Comparison::State::Comparing:
            left = tr("Comparing %n tensors", nullptr, numerus(m_comparison.matches()->rows.size()));
            break;
        case Comparison::State::Done: {
            const qint64 ms = m_comparison.elapsedMs();
            const QString time =
                ms < 100 ? tr("%1 ms").arg(ms)
                         : tr("%1 s").arg(figureLocale().toString(static_cast<double>(ms) / 1000.0, 'f', 1));
            left = tr("Compared %n tensors of %1 files in %2", nullptr, numerus(m_comparison.matches()->rows.size()))
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

QJsonObject CompareTab::stateFor(const QString& pageId) { return PageHost::stateOfPage(pageId); }

QJsonObject CompareTab::saveState() const {
    QJsonArray files;
    for (const hub::ModelPlace& place : m_comparison.places()) {
        files.append(encodePlace(place));
    }
    QJsonObject state = host().saveState();
    state.insert(kCompare, files);
    const auto reference = m_comparison.referencePlace();
    state.insert(kReference, reference ? encodePlace(*reference) : QString());
    return state;
}

Places CompareTab::filesOfState(const QJsonObject& state) {
    Places files;
    for (const QJsonValue& file : state.value(kCompare).toArray()) {
        if (auto place = decodePlace(file.toString())) {
            files.push_back(*std::move(place));
        }
    }
    return files;
}

void CompareTab::showEvent(QShowEvent* event) {
    WindowTab::showEvent(event);
    if (!m_retired) {
        if (m_waits && !m_started) { // no server is contacted before the user asks for it
            m_problem->setTexts(tr("Files of this comparison are not on this computer"),
                                tr("They are on %1. Nothing has been sent there for this tab yet.").arg(serversText()));
            host().showInstead(m_problemView);
            setStatus(tr("Not contacted"), {});
        } else if (!std::exchange(m_started, true)) { // a restored tab reads its files only when it is looked at
            m_comparison.reload();
        }
        host().makePages([this](Page& page) { prepare(static_cast<ComparePage&>(page)); });
    }
}

} // namespace gufo::ui

#include "moc_compare_tab.cpp"
