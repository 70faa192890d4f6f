#include "ui/pages/overview/findings_panel.h"

#include "document/open_model.h"
#include "model/file_kind.h"
#include "model/finding_code.h"
#include "pairing/neighbours.h"
#include "text/audit/template_findings.h"
#include "ui/document/fetching.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/messages/finding_text.h"
#include "ui/shell/chosen_models.h"
#include "ui/shell/file_dialogs.h"
#include "ui/shell/native_path.h"
#include "ui/theme/theme.h"
#include "ui/tools/copy_report.h"
#include "ui/widgets/table_text.h"
#include "ui/widgets/text_color.h"
#include "validate/fixes.h"
#include "validate/of_base.h"

#include <QApplication>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <set>

namespace gufo::ui {
namespace {

constexpr int kBatch = 40;       // rows laid out at a time, because a broken file may have thousands
constexpr int kMaxButtons = 200; // "Fix all" also repairs findings without a button
constexpr int kFollowMs = 400;   // after the last edit

// Adds findings of an earlier look at weights, which have no repairs, to checks that did not repeat it.
void addFindings(Validation& validation, FindingsModel::Fixes& fixes, const std::vector<Finding>& findings) {
    for (const Finding& finding : findings) {
        const auto at = std::ranges::find_if(
            validation.findings, [&](const Finding& other) { return other.severity() < finding.severity(); });
        if (!fixes.empty()) {
            fixes.insert(fixes.begin() + (at - validation.findings.begin()), FindingsModel::Fix());
        }
        validation.findings.insert(at, finding);
    }
}

} // namespace

FindingsView::FindingsView(QWidget* parent)
    : QListView(parent) {
    setFrameShape(QFrame::NoFrame);
    setItemDelegate(new FindingsDelegate(this));
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setLayoutMode(Batched);
    setBatchSize(kBatch);
    setResizeMode(Adjust);
    setMouseTracking(true);
    setSelectionMode(ExtendedSelection);
    setAccessibleName(tr("Findings"));
    connect(&Theme::instance(), &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

int FindingsView::heightOf(int rows) const {
    int height = 2;
    for (int row = 0; model() != nullptr && row < std::min(model()->rowCount(), rows); ++row) {
        height += sizeHintForIndex(model()->index(row, 0)).height();
    }
    return height;
}

// The height of a few rows; the rest is scrolled.
QSize FindingsView::sizeHint() const { return {300, std::clamp(heightOf(6), 48, 420)}; }

// Beside a long list, the column is no higher than it must be.
QSize FindingsView::minimumSizeHint() const {
    return {QListView::minimumSizeHint().width(), std::clamp(heightOf(3), 48, 150)};
}

QModelIndex FindingsView::linkAt(QPoint point) const {
    const QModelIndex index = indexAt(point);
    if (!index.isValid()) {
        return {};
    }
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    option.rect = visualRect(index);
    return FindingsDelegate::linkRect(option, index).contains(point) ? index : QModelIndex();
}

void FindingsView::mouseReleaseEvent(QMouseEvent* event) {
    QListView::mouseReleaseEvent(event);
    const QModelIndex index = linkAt(event->pos());
    if (event->button() == Qt::LeftButton && index.isValid()) {
        emit followed(index);
    }
}

void FindingsView::mouseMoveEvent(QMouseEvent* event) {
    QListView::mouseMoveEvent(event);
    viewport()->setCursor(linkAt(event->pos()).isValid() ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void FindingsView::keyPressEvent(QKeyEvent* event) {
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid()) {
        emit followed(currentIndex());
        return;
    }
    if ((event->key() == Qt::Key_Left || event->key() == Qt::Key_Right) && currentIndex().isValid()) {
        emit foldingWanted(currentIndex(), event->key() == Qt::Key_Left);
        return;
    }
    QListView::keyPressEvent(event);
}

void FindingsView::resizeEvent(QResizeEvent* event) {
    QListView::resizeEvent(event);
    if (event->oldSize().width() != event->size().width()) {
        scheduleDelayedItemsLayout(); // the line breaks depend on the width
    }
}

FindingsPanel::FindingsPanel(QWidget* parent)
    : QWidget(parent)
    , m_counts(new ElidedLabel(TextStyle::Table, Token::Muted, Qt::ElideRight, this))
    , m_view(new FindingsView(this))
    , m_findings(new FindingsModel(this))
    , m_groups(new FindingGroups(m_findings, this))
    , m_bar(new JobBar(this))
    , m_none(themedLabel(tr("Nothing to report."), TextStyle::Table, Token::Muted, this))
    , m_fixAll(new QPushButton(this))
    , m_base(new QPushButton(tr("Check against base model…"), this))
    , m_report(new QPushButton(tr("Copy report"), this)) {
    setTabOrder(m_fixAll, m_report);
    setTabOrder(m_report, m_view);
    setTabOrder(m_view, m_base);
    m_fixAll->setObjectName(QStringLiteral("fixAllButton"));
    m_report->setObjectName(QStringLiteral("reportButton"));
    m_view->setModel(m_groups);
    m_none->hide();
    m_none->setWordWrap(true);
    auto* heading = new QHBoxLayout;
    heading->addWidget(themedLabel(tr("Findings"), TextStyle::Section, Token::Text, this));
    heading->addStretch();
    heading->addWidget(m_counts);
    heading->addWidget(m_fixAll);
    heading->addWidget(m_report);
    m_base->setObjectName(QStringLiteral("baseButton"));
    m_base->setProperty("small", true);
    m_base->setAutoDefault(false);
    m_base->setToolTip(
        tr("Compares weights with the model from which this one is said to be quantised: is it made from "
           "it? Reads a sample of each tensor"));
    m_base->hide(); // until there is a model
    connect(m_base, &QPushButton::clicked, this, &FindingsPanel::askForBase);
    m_report->setProperty("small", true);
    m_report->setAutoDefault(false);
    m_report->setToolTip(tr("Copies a text about the model and its findings for a thread about a fault; it holds no "
                            "folders of this computer"));
    connect(m_report, &QPushButton::clicked, this, [this] {
        if (m_model) {
            copyReport(this, m_model, [this](const QString& text) { emit reported(text); });
        }
    });
    m_fixAll->setProperty("small", true);
    m_fixAll->setAutoDefault(false);
    m_fixAll->setToolTip(
        tr("Applies all repairs that guess nothing and lose nothing, in one step, which can be undone. "
           "The others have buttons of their own."));
    m_fixAll->hide();
    m_again.setSingleShot(true);
    m_again.setInterval(kFollowMs);
    connect(&m_again, &QTimer::timeout, this, [this] { validateModel(false); });
    connect(m_fixAll, &QPushButton::clicked, this, &FindingsPanel::fixAll);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(heading);
    layout->addWidget(m_bar);
    layout->addWidget(m_none);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_base, 0, Qt::AlignLeft);
    connect(m_view, &FindingsView::followed, this, [this](const QModelIndex& index) {
        const auto row = m_groups->findingAt(index);
        const QModelIndex finding = row ? m_findings->index(*row) : QModelIndex();
        if (!row) {
            m_groups->setUnfolded(index, !m_groups->isUnfolded(index));
        } else if (m_findings->isNotRun(finding)) {
            validateModel(true);
        } else if (const Place* place = m_findings->place(finding)) {
            emit placeRequested(*place);
        }
    });
    connect(m_view, &FindingsView::foldingWanted, m_groups,
            [this](const QModelIndex& index, bool fold) { m_groups->setUnfolded(index, !fold); });
    connect(m_groups, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex&, int first, int last) {
        addButtons(first, last);
        m_view->updateGeometry();
    });
    connect(m_groups, &QAbstractItemModel::rowsRemoved, m_view, &QWidget::updateGeometry);
    connect(m_bar, &JobBar::cancelled, this, [this] {
        if (m_comparing.isRunning() && m_comparing.job()->isCancelled()) { // otherwise the bar showed the checks
            m_comparing.cancel();
            m_base->setEnabled(true);
            return;
        }
        m_job.cancel();
        if (m_stale) {
            m_again.start();
        }
        if (m_run) {
            m_run->setEnabled(true);
        }
        if (m_findings->validation() == nullptr) {
            m_started = false; // restarted when the page is shown again
            m_counts->setText(tr("not checked"));
        }
    });
}

void FindingsPanel::setModel(std::shared_ptr<const Model> model) {
    m_model = std::move(model);
    m_started = false;
    forgetBase();
    m_base->setVisible(!m_publishing && m_model && fileKind(*m_model) == FileKind::Model && !m_model->tensors.empty() &&
                       !isOnServer(*m_model));
}

void FindingsPanel::runChecks() {
    if (m_model && !m_started) {
        m_started = true;
        m_counts->setText(tr("checking …"));
        validateModel(false);
    }
}

void FindingsPanel::follow(std::shared_ptr<const Model> model, bool tensorsChanged) {
    m_model = std::move(model);
    if (tensorsChanged) {
        m_ofWeights.reset();
        forgetBase();
    }
    if (m_started) {
        m_again.start();
    }
}

void FindingsPanel::forgetBase() {
    m_comparing.cancel();
    m_base->setEnabled(true);
    m_ofBase.clear();
}

void FindingsPanel::validateModel(bool deep) {
    if (m_job.isRunning() && deep) {
        return; // one at a time; the button reappears with the result
    }
    if (m_job.isRunning() && m_scanning) {
        m_stale = true;
        return;
    }
    if (m_run) {
        m_run->setEnabled(false);
    }
    m_stale = false;
    m_scanning = deep;
    m_job.start<Checked>(
        [model = m_model, deep, fixes = m_document != nullptr,
         publish = m_publishing](const JobContext& context) -> Result<Checked> {
            auto validation = GUFO_TRY(validate(*model,
                                                {.deep = deep,
                                                 .chatTemplates = text::checkChatTemplates,
                                                 .templateAudit = publish ? text::auditFindings : nullptr,
                                                 .publish = publish},
                                                context));
            GUFO_TRY(addNeighbourFindings(model, validation, context));
            Checked checked{.validation = std::move(validation), .fixes = {}, .deep = deep};
            for (std::size_t i = 0; fixes && i < checked.validation.findings.size(); ++i) {
                if (context.stopRequested()) {
                    return gufo::fail(ErrorCode::Cancelled);
                }
                const Finding& finding = checked.validation.findings[i];
                checked.fixes.push_back({fixFor(finding, *model), isSoundFix(finding, *model)});
            }
            return checked;
        },
        [this](Result<Checked> result) { showResult(std::move(result)); },
        [this] { // a save has stopped the checks; they are run again for the saved model
            if (m_stale) {
                m_again.start();
            }
            if (m_run) {
                m_run->setEnabled(true);
            }
        });
    m_bar->watch(m_job.job(), deep ? tr("Scanning weights") : tr("Checking"));
}

void FindingsPanel::showResult(Result<Checked> result) {
    if (m_stale) {
        m_again.start();
    }
    if (!result) {
        m_counts->setText(errorReason(result.error()));
        if (m_run) {
            m_run->setEnabled(true);
        }
        return;
    }
    if (result->deep) {
        m_ofWeights.emplace();
        std::ranges::copy_if(result->validation.findings, std::back_inserter(*m_ofWeights),
                             [](const Finding& finding) { return isOfWeights(finding.code); });
    } else if (m_ofWeights) {
        std::erase(result->validation.checksNotRun, std::string_view("weights_finite"));
        addFindings(result->validation, result->fixes, *m_ofWeights);
        result->validation.checksPassed += m_ofWeights->empty() ? 1 : 0;
    }
    addFindings(result->validation, result->fixes, m_ofBase);
    // Keeps the focused row visible.
    const bool hadFocus = m_view->isAncestorOf(QApplication::focusWidget());
    const int scrolled = m_view->verticalScrollBar()->value();
    const int current = m_view->currentIndex().row();
    m_findings->setValidation(std::make_shared<Validation>(std::move(result->validation)),
                              isOnServer(*m_model) ? bytesToFetch(*m_model) : m_model->totals().tensorBytes,
                              std::make_shared<FindingsModel::Fixes>(std::move(result->fixes)), serverOf(*m_model));
    m_counts->setText(m_findings->countsText());
    m_none->setVisible(m_findings->rowCount() == 0);
    m_view->setVisible(m_findings->rowCount() != 0);
    m_view->updateGeometry();
    const std::size_t fixable = m_findings->fixCount();
    const std::size_t sound = m_findings->soundFixCount();
    m_fixAll->setVisible(sound > 1);
    m_fixAll->setText(sound == fixable ? tr("Fix all %1").arg(formatCount(fixable))
                                       : tr("Fix %1 of %2").arg(formatCount(sound), formatCount(fixable)));
    m_run.clear(); // deleted with its row
    m_buttons = 0;
    addButtons(0, m_groups->rowCount() - 1);
    if (const int last = m_findings->rowCount() - 1; last >= 0 && m_findings->isNotRun(m_findings->index(last))) {
        m_run = addButton(m_groups->indexOf(last), tr("Run"), tr("Run the scan of all weights"),
                          tr("Reads all weights and searches for NaN and infinity"), [this] { validateModel(true); });
    }
    if (current >= 0 && m_groups->rowCount() > 0) {
        m_view->setCurrentIndex(m_groups->index(std::min(current, m_groups->rowCount() - 1)));
        m_view->clearSelection();
    }
    m_view->verticalScrollBar()->setValue(scrolled);
    if (hadFocus) {
        m_view->setFocus();
    }
    emit checked();
}

void FindingsPanel::askForBase() {
    auto* dialog = new QFileDialog(this, tr("Choose the base model"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({openModelFilter(), tr("All files (*)")});
    rememberFolder(*dialog, FolderFor::Imports);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& file) { compareWithBaseModel(fromQtPath(file)); });
    dialog->open();
}

void FindingsPanel::compareWithBaseModel(const std::filesystem::path& path) {
    m_base->setEnabled(false);
    m_comparing.start<BaseComparison>(
        [model = m_model, path](const JobContext& context) -> Result<BaseComparison> {
            const auto base = openModel(path, context);
            if (!base) {
                return std::unexpected(Error(base.error()).in(path));
            }
            return compareWithBase(*model, **base, context);
        },
        [this, name = fileNameText(path)](Result<BaseComparison> compared) {
            m_base->setEnabled(true);
            if (!compared) {
                emit reported(errorLine(compared.error()));
                return;
            }
            m_ofBase = std::move(compared->findings);
            emit reported(compared->compared == 0 ? tr("%1 has no tensor of the same name and shape").arg(name)
                          : m_ofBase.empty()      ? tr("The weights are those of %1: %n tensors compared", nullptr,
                                                       numerus(compared->compared))
                                                   .arg(name)
                                             : tr("The weights are not those of %1").arg(name));
            validateModel(false);
        },
        [this] { m_base->setEnabled(true); });
    m_bar->watch(m_comparing.job(), tr("Comparing with %1").arg(fileNameText(path)));
}

void FindingsPanel::addButtons(int firstRow, int lastRow) {
    for (int row = firstRow; row <= lastRow && m_buttons < kMaxButtons; ++row) {
        const QModelIndex index = m_groups->index(row);
        const auto finding = m_groups->findingAt(index);
        const QString text = index.data(FindingsModel::FixTextRole).toString();
        if (finding && !text.isEmpty()) {
            ++m_buttons;
            const auto at = static_cast<std::size_t>(*finding);
            const bool sound = m_findings->fix(m_findings->index(*finding))->sound;
            const QString consequence = sound ? QString() : fixConsequence(m_findings->validation()->findings[at].code);
            addButton(index, text, tr("%1: %2").arg(text, index.data().toString()),
                      (tr("Repairs this finding; can be undone") + u'\n' + consequence).trimmed(),
                      [this, row = *finding] { fix(row); });
        }
    }
}

QPushButton* FindingsPanel::addButton(const QModelIndex& index, const QString& text, const QString& name,
                                      const QString& toolTip, std::function<void()> run) {
    auto* place = new QWidget;
    auto* layout = new QHBoxLayout(place);
    layout->setContentsMargins(0, 10, 4, 0);
    layout->addStretch();
    auto* button = new QPushButton(text, place);
    button->setProperty("small", true);
    button->setFont(themeFont(TextStyle::Table));
    button->setAccessibleName(name);
    button->setToolTip(toolTip);
    layout->addWidget(button, 0, Qt::AlignTop);
    m_view->setIndexWidget(index, place);
    connect(button, &QPushButton::clicked, this, std::move(run));
    return button;
}

QPushButton* FindingsPanel::fixButton(int row) const {
    const QWidget* place = m_view->indexWidget(m_groups->indexOf(row));
    return place != nullptr && m_findings->fix(m_findings->index(row)) != nullptr ? place->findChild<QPushButton*>()
                                                                                  : nullptr;
}

void FindingsPanel::fix(int row) {
    const QModelIndex index = m_findings->index(row);
    if (const auto* repair = m_findings->fix(index); repair != nullptr && m_document != nullptr) {
        m_document->apply(std::vector(repair->changes), tr("Fix: %1").arg(index.data().toString()));
    }
}

// Applies all sound repairs as one undo step. A repair that an earlier one has made impossible is omitted, and the
// checks, which run again, report it.
void FindingsPanel::fixAll() {
    if (m_document == nullptr) {
        return;
    }
    static int count = 0; // gives the steps of separate clicks different keys
    const QString together = QStringLiteral("fix-all-%1").arg(++count);
    const QString label = tr("Fix %n findings", nullptr, numerus(m_findings->soundFixCount()));
    std::vector<std::vector<Change>> repairs;
    for (int row = 0; row < m_findings->rowCount(); ++row) {
        if (const auto* repair = m_findings->fix(m_findings->index(row)); repair != nullptr && repair->sound) {
            repairs.push_back(repair->changes);
        }
    }
    for (std::vector<Change>& changes : repairs) {
        m_document->apply(std::move(changes), label, together);
    }
}

QString FindingsPanel::copyText(CopyFormat format) const {
    QList<QStringList> rows;
    std::set<int> selected;
    for (const QModelIndex& index : m_view->selectionModel()->selectedIndexes()) {
        const std::vector<int> findings = m_groups->findingsAt(index);
        selected.insert(findings.begin(), findings.end());
    }
    for (int row = 0; row < std::min(m_findings->rowCount(), kMaxCopiedRows); ++row) {
        const QModelIndex index = m_findings->index(row);
        if (selected.empty() || selected.contains(row)) {
            rows << QStringList{markName(static_cast<Mark>(index.data(FindingsModel::MarkRole).toInt())),
                                index.data().toString(), index.data(FindingsModel::MessageRole).toString(),
                                index.data(FindingsModel::PlaceTextRole).toString()};
        }
    }
    return tableText(format, {tr("Severity"), tr("Finding"), tr("Message"), tr("Place")}, rows);
}

} // namespace gufo::ui

#include "moc_findings_panel.cpp"
