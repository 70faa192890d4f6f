#include "ui/tools/plan_check_view.h"

#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/shell/native_path.h"
#include "ui/tools/file_field.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/keep_focus.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr int kFrontPoints = 25;
constexpr int kTableHeight = 128;

QString percent(double share) { return formatReal(100 * share, 3) + QStringLiteral(" %"); }

} // namespace

struct PlanCheckView::Outline {
    std::vector<SizePlot::FrontPoint> front;
    std::vector<SizedFile> mixes;
};

PlanCheckView::PlanCheckView(std::shared_ptr<const Model> model, QWidget* parent)
    : QWidget(parent)
    , m_model(std::move(model))
    , m_text(new FileField(tr("held-out text"), textFilters(), FileField::Needs::FileOrNothing, this))
    , m_check(new QPushButton(tr("Chec&k the Plan"), this))
    , m_progress(new JobBar(this))
    , m_verdict(new ElidedLabel(TextStyle::Table, Token::Text, Qt::ElideRight, this))
    , m_plot(new SizePlot(this))
    , m_table(new QTableWidget(this)) {
    m_text->setToolTip(tr("A text on which nothing was measured or trained, so that the check is fair"));
    m_check->setAutoDefault(false);
    m_verdict->setAccessibleName(tr("Result of the check"));
    m_table->setAccessibleName(tr("Measured figures"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->verticalHeader()->hide();
    m_table->setFixedHeight(kTableHeight);
    m_table->hide();
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_text, 1);
    row->addWidget(m_check);
    row->addWidget(m_progress);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addLayout(row);
    column->addWidget(m_verdict);
    column->addWidget(m_plot, 1);
    column->addWidget(m_table);
    connect(m_text, &FileField::changed, this, [this] {
        m_checking.cancel();
        m_checked.clear(); // on another text
        m_problem.clear();
        showFiles();
    });
    connect(m_check, &QPushButton::clicked, this, &PlanCheckView::check);
    connect(m_progress, &JobBar::cancelled, this, [this] {
        m_checking.cancel();
        m_problem = tr("Cancelled.");
        updateState();
    });
    updateState();
}

QString PlanCheckView::verdict() const { return m_verdict->text(); }

void PlanCheckView::setCosts(std::shared_ptr<const CostTable> costs, const QuantizeRequest& request,
                             const PlanRules& rules) {
    m_outlining.cancel();
    m_costs = std::move(costs);
    m_mixes.clear();
    m_plot->setFront({});
    if (m_costs == nullptr) {
        setPlan(nullptr);
        return;
    }
    m_outlining.start<Outline>(
        [model = m_model, costs = m_costs, request, rules](const JobContext& job) -> Result<Outline> {
            Outline outline{.front = {}, .mixes = GUFO_TRY(sizedMixes(*model, *costs, request, job))};
            const double least = static_cast<double>(smallestBytes(*model, *costs, rules));
            const double most = static_cast<double>(model->totals().tensorBytes);
            for (int i = 0; i < kFrontPoints && !job.stopRequested(); ++i) {
                const double bytes = std::ceil(least * std::pow(most / least, i / (kFrontPoints - 1.0)));
                if (const auto plan = planForSize(*model, *costs, static_cast<std::uint64_t>(bytes), rules)) {
                    outline.front.push_back({.bytes = plan->bytes, .nats = plan->nats});
                }
            }
            return outline;
        },
        [this](Result<Outline> outline) {
            if (outline) {
                m_mixes = std::move(outline->mixes);
                m_plot->setFront(std::move(outline->front));
                showFiles();
            }
        });
}

void PlanCheckView::setPlan(std::shared_ptr<const RecipeOutcome> plan) {
    m_checking.cancel();
    m_plan = std::move(plan);
    m_written.clear();
    m_checked.clear();
    m_problem.clear();
    showFiles();
}

void PlanCheckView::setWritten(const std::filesystem::path& file) { m_written = file; }

void PlanCheckView::check() {
    if (m_plan == nullptr || m_costs == nullptr || m_text->path().empty() || isBusy()) {
        return;
    }
    m_checked.clear();
    m_problem.clear();
    PlanCheckRequest request{.model = m_model,
                             .costs = m_costs,
                             .plan = m_plan,
                             .written = m_written,
                             .others = m_others,
                             .text = m_text->path()};
    Job* job = m_checking.start<std::vector<SizedFile>>(
        [request = std::move(request)](const JobContext& context) { return checkPlan(request, context); },
        [this](Result<std::vector<SizedFile>> files) {
            if (files) {
                m_checked = std::move(*files);
            } else {
                m_problem = errorLine(files.error());
            }
            showFiles();
        });
    m_progress->watch(job, tr("Checking"));
    showFiles();
}

// The plan and the mixes, as they were measured or, otherwise, as they are expected.
void PlanCheckView::showFiles() {
    std::vector<SizedFile> files = m_checked;
    if (files.empty() && m_plan != nullptr) {
        files.push_back({.kind = SizedFile::Kind::Plan,
                         .name = tr("plan"),
                         .bytes = m_plan->file.fileBytes,
                         .expected = m_plan->nats});
    }
    for (const SizedFile& mix : m_mixes) {
        if (std::ranges::find(files, mix.name, &SizedFile::name) == files.end()) {
            files.push_back(mix);
        }
    }
    m_plot->setFiles(std::move(files));
    fillTable();
    updateState();
}

void PlanCheckView::fillTable() {
    m_table->setVisible(!m_checked.empty());
    m_table->setRowCount(0);
    const QStringList titles{tr("File"),   tr("Size"),     tr("Expected KL"), tr("KL"),      tr("99 %"),
                             tr("99.9 %"), tr("Same top"), tr("RMS Δp"),      tr("Tokens/s")};
    m_table->setColumnCount(static_cast<int>(titles.size()));
    m_table->setHorizontalHeaderLabels(titles);
    for (const SizedFile& file : m_checked) {
        const int row = m_table->rowCount();
        m_table->insertRow(row);
        QStringList cells{file.name, formatBytes(file.bytes),
                          file.expected ? formatReal(*file.expected, 3) : QStringLiteral("–")};
        if (file.measured) {
            const inference::Divergence& measured = *file.measured;
            cells << formatReal(measured.nats.mean, 3) << formatReal(measured.nats.percentile(99), 3)
                  << formatReal(measured.nats.percentile(99.9), 3) << percent(measured.topAgreement)
                  << percent(measured.change.rms)
                  << (file.tokensPerSecond > 0 ? formatReal(file.tokensPerSecond, 3) : QStringLiteral("–"));
        } else {
            cells << file.whyNot;
        }
        for (int column = 0; column < cells.size(); ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            item->setTextAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            m_table->setItem(row, column, item);
        }
    }
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
}

void PlanCheckView::updateState() {
    setEnabledKeepingFocus(*m_check, m_plan != nullptr && !m_text->path().empty() && !isBusy(), *this);
    m_check->setToolTip(m_text->path().empty()
                            ? tr("Choose a held-out text first")
                            : tr("Runs the original, the plan, the mixes of the nearest sizes, and other open files of "
                                 "this model on the text"));
    QString words = m_problem;
    if (!m_checked.empty() && m_checked.front().measured) {
        const SizedFile& plan = m_checked.front();
        const double nats = plan.measured->nats.mean;
        words = tr("Measured on %1: KL %2 nats.").arg(fileNameText(m_text->path()), formatReal(nats, 3));
        if (plan.expected && *plan.expected > 0) {
            words += u' ' + tr("Expected: %1 nats; measured is %2 times that.")
                                .arg(formatReal(*plan.expected, 3), formatReal(nats / *plan.expected, 3));
        }
    } else if (words.isEmpty() && !isBusy()) {
        words = tr("Choose a held-out text to check what is expected.");
    }
    m_verdict->setText(words);
}

} // namespace gufo::ui

#include "moc_plan_check_view.cpp"
