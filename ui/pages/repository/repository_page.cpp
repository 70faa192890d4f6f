#include "ui/pages/repository/repository_page.h"

#include "hub/remote_model.h"
#include "hub/repository.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/places.h"
#include "ui/theme/style.h"
#include "ui/widgets/diff_view.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/text_color.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <mutex>

namespace gufo::ui {
namespace {

constexpr QSize kSize(820, 560);

constexpr int kMargin = 20;
constexpr int kDrainMs = 100;
constexpr std::size_t kMaxCompared = 8;
constexpr std::size_t kCommitDigits = 10;
constexpr std::array<int, RepositoryModel::ColumnCount> kWidths{230, 80, 160, 72, 84, 72, 66, 156};

QString utf8(const std::string& text) { return displayText(text); }

} // namespace

TemplateDifferenceDialog::TemplateDifferenceDialog(const QString& modelName, TemplateDifference difference,
                                                   QWidget* parent)
    : QDialog(parent)
    , m_summary(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_diff(new DiffView(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Chat template"));
    resize(kSize);
    QLabel* title =
        themedLabel(difference.isBaseModels ? tr("From the base model's template to that of %1").arg(modelName)
                                            : tr("From the template of most files to that of %1").arg(modelName),
                    TextStyle::Section, Token::Text, this);
    title->setTextFormat(Qt::PlainText); // names in repositories could contain HTML
    title->setWordWrap(true);
    m_diff->setFrameShape(QFrame::StyledPanel);
    m_diff->setAccessibleName(tr("Differences of the templates"));
    auto* closeButton = new QPushButton(tr("Close"), this);
    connect(closeButton, &QPushButton::clicked, this, &QDialog::close);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(closeButton);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(8);
    column->addWidget(title);
    column->addWidget(m_summary);
    column->addWidget(m_diff, 1);
    column->addLayout(buttons);
    startJob<FoldedDiff>(
        this,
        [difference = std::move(difference)](const JobContext& job) {
            constexpr std::size_t kContext = 3;
            return foldedDiff(difference.reference, difference.candidate, kContext, job);
        },
        [this](const Result<FoldedDiff>& diff) {
            m_diff->setDiff(*diff);
            m_summary->setText(tr("%n lines removed", nullptr, numerus(diff->removed)) + QStringLiteral(", ") +
                               tr("%n lines added", nullptr, numerus(diff->added)));
        });
}

QString TemplateDifferenceDialog::summary() const { return m_summary->text(); }

// What the job has found and the page does not show yet.
struct RepositoryPage::Arrived {
    std::mutex mutex; // guards all other members
    std::vector<std::pair<std::size_t, Result<HeaderFacts>>> rows;
    std::optional<std::string> baseTemplate;
};

RepositoryPage::RepositoryPage(QWidget* parent)
    : Page(parent)
    , m_files(new RepositoryModel(this))
    , m_rows(new RepositoryFilter(this))
    , m_title(themedLabel({}, TextStyle::PageTitle, Token::Text, this))
    , m_facts(new ElidedLabel(TextStyle::Body, Token::Muted, Qt::ElideRight, this))
    , m_filter(new FilterField(tr("Filter"), this))
    , m_onlyFitting(new QCheckBox(tr("Only what &fits"), this))
    , m_summary(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_table(new QTableView(this))
    , m_progress(new JobBar(this))
    , m_read(new QPushButton(tr("&Read headers"), this))
    , m_template(new QPushButton(themeIcon(QStringLiteral("template")), tr("&Template…"), this))
    , m_open(new QPushButton(themeIcon(QStringLiteral("open"), Token::OnAccent), tr("&Open"), this))
    , m_compare(new QPushButton(themeIcon(QStringLiteral("compare")), tr("&Compare"), this))
    , m_download(new QPushButton(themeIcon(QStringLiteral("download")), tr("&Download…"), this)) {
    m_read->setObjectName(QStringLiteral("readButton"));
    m_template->setObjectName(QStringLiteral("templateButton"));
    m_rows->setSourceModel(m_files);
    build();
    m_drainSoon.setInterval(kDrainMs);
    connect(&m_drainSoon, &QTimer::timeout, this, &RepositoryPage::drain);
    connect(m_filter, &FilterField::filterChanged, m_rows, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_filter, &FilterField::leftDownwards, m_table, qOverload<>(&QWidget::setFocus));
    connect(m_onlyFitting, &QCheckBox::toggled, m_rows, &RepositoryFilter::setOnlyFitting);
    connect(m_read, &QPushButton::clicked, this, &RepositoryPage::readHeaders);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RepositoryPage::follow);
    connect(m_table, &QTableView::activated, m_open, &QPushButton::click);
    connect(m_open, &QPushButton::clicked, this, [this] {
        for (const hub::ModelPlace& file : selectedFiles()) {
            emit openRequested(file);
        }
    });
    connect(m_template, &QPushButton::clicked, this, &RepositoryPage::showTemplateDifference);
    connect(m_compare, &QPushButton::clicked, this, [this] { emit compareRequested(selectedFiles()); });
    connect(m_download, &QPushButton::clicked, this, [this] {
        if (const auto rows = selectedRows(); !rows.empty()) {
            emit downloadRequested(m_files->filesAt(rows.front()));
        }
    });
    follow();
}

void RepositoryPage::build() {
    m_title->setTextFormat(Qt::PlainText);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_onlyFitting->setToolTip(tr("Hide what does not fit into the memory that is free"));
    m_compare->setToolTip(tr("Compare two to eight of these, without downloading them"));
    m_template->setToolTip(tr("How the chat template differs from that of the base model, or of most files"));
    m_read->setToolTip(tr("Read the headers that are missing"));
    m_open->setProperty(kPrimaryProperty, true);
    m_table->ensurePolished(); // the style makes rows higher
    m_table->setModel(m_rows);
    m_table->setAccessibleName(tr("Models in the repository"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setAlternatingRowColors(true);
    m_table->setSortingEnabled(true);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(RepositoryModel::NameColumn, QHeaderView::Stretch);
    m_table->horizontalHeader()->setSortIndicator(-1,
                                                  Qt::AscendingOrder); // in the order of the hub: by role, then by size
    for (int column = 0; column < RepositoryModel::ColumnCount; ++column) {
        m_table->setColumnWidth(column, kWidths[static_cast<std::size_t>(column)]);
    }
    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    texts->addWidget(m_title);
    texts->addWidget(m_facts);
    auto* strip = new QHBoxLayout;
    strip->setSpacing(12);
    strip->addWidget(m_summary);
    strip->addStretch(1);
    strip->addWidget(m_onlyFitting);
    strip->addWidget(m_filter);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_progress, 1);
    buttons->addWidget(m_read);
    buttons->addStretch(1);
    buttons->addWidget(m_template);
    buttons->addWidget(m_download);
    buttons->addWidget(m_compare);
    buttons->addWidget(m_open);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kMargin, 16, kMargin, 12);
    column->setSpacing(12);
    column->addLayout(texts);
    column->addLayout(strip);
    column->addWidget(m_table, 1);
    column->addLayout(buttons);
}

void RepositoryPage::setRepository(std::shared_ptr<const hub::Repository> repository, std::uint64_t freeMemory) {
    m_repository = std::move(repository);
    m_freeMemory = freeMemory;
    m_files->setRepository(*m_repository, m_freeMemory);
    m_title->setText(utf8(m_repository->name.repository));
    QStringList facts{
        tr("On %1").arg(hostOf(hub::HubName::of(m_repository->name))),
        m_repository->commit.empty() ? QString()
                                     : tr("commit %1").arg(utf8(m_repository->commit.substr(0, kCommitDigits))),
        m_repository->license.empty() ? tr("no licence stated") : tr("licence %1").arg(utf8(m_repository->license)),
    };
    for (const std::string& base : m_repository->baseModels) {
        facts << tr("made of %1").arg(utf8(base));
    }
    if (m_repository->isGated) {
        facts << tr("gated: files are only sent to users who have accepted its conditions");
    }
    facts.removeAll(QString());
    m_facts->setText(facts.join(QStringLiteral(", ")));
    follow();
    readHeaders();
}

void RepositoryPage::readHeaders() {
    if (isReading() || m_repository == nullptr) {
        return;
    }
    std::vector<std::size_t> rows;
    std::vector<hub::ModelFiles> models;
    for (int row = 0; row < m_files->rowCount(); ++row) {
        if (m_files->isPending(row) && m_files->filesAt(row).missing == 0) {
            rows.push_back(static_cast<std::size_t>(row));
            models.push_back(m_files->filesAt(row));
        }
    }
    const std::string base = m_repository->baseModels.size() == 1 ? m_repository->baseModels.front() : std::string();
    const auto baseName = hub::parseShortName(base); // the repository states it, so it is not trusted
    m_arrived = std::make_shared<Arrived>();
    m_job.start<void>(
        [rows = std::move(rows), models = std::move(models), arrived = m_arrived, baseName,
         where = m_repository->name.hub](const JobContext& job) -> Result<> {
            const auto client = net::Client::shared();
            if (baseName && baseName->hub == net::Hub::HuggingFace) { // "owner/repo"
                // That the base model has no template, or that it may not be read, is no reason to stop.
                const auto published = hub::publishedTemplate(*client, where, baseName->repository, job);
                const std::scoped_lock lock(arrived->mutex);
                arrived->baseTemplate = published ? *published : std::nullopt;
            }
            return hub::readHeaders(
                client, models,
                [&](std::size_t index, Result<std::shared_ptr<const Model>> model) {
                    Result<HeaderFacts> facts =
                        model ? Result<HeaderFacts>(headerFacts(*model)) : std::unexpected(model.error());
                    const std::scoped_lock lock(arrived->mutex);
                    arrived->rows.emplace_back(rows[index], std::move(facts));
                },
                job);
        },
        [this](const Result<>&) { endReading(); }, [this] { endReading(); });
    m_drainSoon.start();
    m_progress->watch(m_job.job(), tr("Reading headers"));
    follow();
}

void RepositoryPage::endReading() {
    drain();
    m_drainSoon.stop();
    follow();
    emit headersRead();
}

void RepositoryPage::drain() {
    std::vector<std::pair<std::size_t, Result<HeaderFacts>>> rows;
    std::optional<std::string> baseTemplate;
    {
        const std::scoped_lock lock(m_arrived->mutex);
        rows = std::exchange(m_arrived->rows, {});
        baseTemplate = std::exchange(m_arrived->baseTemplate, {});
    }
    const bool isChanged = baseTemplate.has_value() || !rows.empty();
    if (baseTemplate) {
        m_files->setBaseTemplate(std::move(baseTemplate));
    }
    for (auto& [row, facts] : rows) {
        facts ? m_files->setFacts(row, *std::move(facts)) : m_files->setProblem(row, facts.error());
    }
    if (isChanged) {
        follow();
    }
}

void RepositoryPage::follow() {
    const auto rows = selectedRows();
    const bool areComplete = std::ranges::all_of(rows, [this](int row) { return m_files->filesAt(row).missing == 0; });
    m_open->setEnabled(!rows.empty() && areComplete);
    m_compare->setEnabled(rows.size() >= 2 && rows.size() <= kMaxCompared && areComplete);
    m_download->setEnabled(rows.size() == 1 && areComplete);
    m_template->setEnabled(templateDifference().has_value());
    std::uint64_t bytes = 0;
    int pending = 0;
    for (int row = 0; row < m_files->rowCount(); ++row) {
        bytes += m_files->filesAt(row).bytes;
        pending += m_files->isPending(row) && m_files->filesAt(row).missing == 0 ? 1 : 0;
    }
    m_read->setVisible(pending > 0 && !isReading());
    QString text = tr("%n models, %1", nullptr, m_files->rowCount()).arg(formatBytes(bytes));
    if (m_freeMemory != 0 && pending < m_files->rowCount()) {
        text +=
            QStringLiteral("; ") +
            tr("%n fit into the %1 of free memory", nullptr, m_files->fittingCount()).arg(formatBytes(m_freeMemory));
    }
    m_summary->setText(m_files->rowCount() == 0 && m_repository != nullptr ? tr("There is no GGUF file in this "
                                                                                "repository.")
                                                                           : text);
}

std::optional<TemplateDifference> RepositoryPage::templateDifference() const {
    const auto rows = selectedRows();
    const std::string& reference = m_files->referenceTemplate();
    std::string candidate = rows.size() == 1 ? m_files->chatTemplateAt(rows.front()) : std::string();
    if (reference.empty() || candidate.empty() || candidate == reference) {
        return std::nullopt;
    }
    return TemplateDifference{reference, std::move(candidate), m_files->knowsBaseTemplate()};
}

void RepositoryPage::showTemplateDifference() {
    if (auto difference = templateDifference()) {
        const QString name = utf8(m_files->filesAt(selectedRows().front()).name);
        auto* dialog = new TemplateDifferenceDialog(name, *std::move(difference), this);
        dialog->open();
    }
}

std::vector<int> RepositoryPage::selectedRows() const {
    std::vector<int> rows;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) {
        rows.push_back(m_rows->mapToSource(index).row());
    }
    return rows;
}

std::vector<hub::ModelPlace> RepositoryPage::selectedFiles() const {
    std::vector<hub::ModelPlace> files;
    for (const int row : selectedRows()) {
        files.push_back(hub::ModelPlace::parse(m_files->filesAt(row).files.front().url));
    }
    return files;
}

QString RepositoryPage::copyText(CopyFormat format) const { return viewText(*m_table, format); }

QWidget* RepositoryPage::filterField() const { return m_filter; }

QJsonObject RepositoryPage::saveState() const {
    const QHeaderView* header = m_table->horizontalHeader();
    return {{QStringLiteral("sortColumn"), header->sortIndicatorSection()},
            {QStringLiteral("sortDescending"), header->sortIndicatorOrder() == Qt::DescendingOrder}};
}

void RepositoryPage::restoreState(const QJsonObject& state) {
    const int column = state[QStringLiteral("sortColumn")].toInt(-1);
    m_table->horizontalHeader()->setSortIndicator(
        column < RepositoryModel::ColumnCount ? column : -1,
        state[QStringLiteral("sortDescending")].toBool() ? Qt::DescendingOrder : Qt::AscendingOrder);
}

} // namespace gufo::ui

#include "moc_repository_page.cpp"
