#include "ui/quantize/what_if_dialog.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/quantize/imatrix_field.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/job_dialog.h"
#include "ui/widgets/table_text.h"
#include "ui/widgets/text_color.h"

#include <QClipboard>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr std::uint64_t kSample = 4U << 20U; // number of weights; takes a second or two for all types

} // namespace

WhatIfDialog::WhatIfDialog(std::shared_ptr<const Model> model, std::vector<TensorIndex> tensors, const QString& subject,
                           QWidget* parent)
    : QDialog(parent)
    , m_model(std::move(model))
    , m_tensors(std::move(tensors))
    , m_imatrix(new ImatrixField)
    , m_extent(new QComboBox(this)) // a child of the dialog even if it is in no row
    , m_table(new QTableView)
    , m_looked(themedLabel({}, TextStyle::Table, Token::Muted, this))
    , m_notice(themedLabel({}, TextStyle::Body, Token::ErrorText, this))
    , m_progress(new JobBar)
    , m_quantise(new QPushButton(tr("&Quantise with This Type…"))) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("What if: %1").arg(subject));
    const auto typeOf = [&](TensorIndex tensor) { return m_model->tensor(tensor).typeId; };
    const bool oneType =
        std::ranges::all_of(m_tensors, [&](TensorIndex tensor) { return typeOf(tensor) == typeOf(m_tensors.front()); });
    if (oneType && !m_tensors.empty()) {
        m_present = typeOf(m_tensors.front());
    }
    build(subject);
    connect(m_imatrix, &ImatrixField::changed, this, &WhatIfDialog::start);
    connect(m_imatrix, &ImatrixField::failed, this, &WhatIfDialog::showError);
    connect(m_extent, &QComboBox::activated, this, &WhatIfDialog::start);
    connect(m_progress, &JobBar::cancelled, this, [this] { m_job.cancel(); });
    start();
}

void WhatIfDialog::build(const QString& subject) {
    std::uint64_t weights = 0;
    std::uint64_t bytes = 0;
    for (const TensorIndex tensor : m_tensors) {
        weights += m_model->tensor(tensor).weights();
        bytes += m_model->tensor(tensor).bytes.value_or(0);
    }
    auto* title = themedLabel(subject, TextStyle::MonoTitle, Token::Text, this);
    title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    title->setWordWrap(true);
    const QString type =
        m_present ? QString::fromStdString(m_model->tensor(m_tensors.front()).typeName()) : tr("several types");
    auto* facts = themedLabel(
        tr("%1, %2 weights, %3", nullptr, numerus(weights)).arg(type, formatCount(weights), formatBytes(bytes)),
        TextStyle::Table, Token::Muted, this);

    m_extent->addItem(tr("%1 weights", nullptr, numerus(kSample)).arg(formatCount(kSample)),
                      QVariant::fromValue<quint64>(kSample));
    m_extent->addItem(tr("All weights"), QVariant::fromValue<quint64>(0));
    m_extent->setToolTip(tr("The sample is spread evenly over the tensors."));
    m_extent->setVisible(weights > kSample);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(12);
    form->addRow(tr("&Importance matrix"), m_imatrix);
    if (weights > kSample) {
        form->addRow(tr("Anal&yse"), m_extent);
    }

    m_sorted.setSourceModel(&m_figures);
    m_sorted.setSortRole(WhatIfModel::kSortRole);
    m_table->setModel(&m_sorted);
    m_table->setAccessibleName(tr("Types"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(static_cast<int>(WhatIfColumn::BitsPerWeight), Qt::DescendingOrder);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    showWeighted(false);

    m_notice->setWordWrap(true);
    m_notice->hide();
    auto* copyButton = new QPushButton(themeIcon(QStringLiteral("copy")), tr("&Copy"));
    copyButton->setToolTip(tr("Copy the table as text"));
    auto* close = new QPushButton(tr("Close"));
    m_quantise->setEnabled(false);
    m_quantise->setToolTip(tr("Quantise the model with these tensors in the chosen type"));
    for (QPushButton* button : {m_quantise, copyButton, close}) {
        button->setAutoDefault(false);
    }
    auto* below = new QHBoxLayout;
    below->setSpacing(8);
    below->addWidget(m_looked);
    below->addWidget(m_progress, 1);
    below->addStretch();
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_quantise);
    buttons->addWidget(copyButton);
    buttons->addStretch();
    buttons->addWidget(close);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(10);
    column->addWidget(title);
    column->addWidget(facts);
    column->addLayout(form);
    column->addWidget(m_table, 1);
    column->addWidget(m_notice);
    column->addLayout(below);
    column->addLayout(buttons);
    resizeOverWindow(*this, {760, 670}); // shows all types without scrolling

    connect(copyButton, &QPushButton::clicked, this, &WhatIfDialog::copy);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { m_quantise->setEnabled(m_table->selectionModel()->hasSelection()); });
    connect(m_quantise, &QPushButton::clicked, this, [this] {
        const QModelIndexList rows = m_table->selectionModel()->selectedRows();
        const auto wanted = rows.isEmpty() ? std::nullopt : m_figures.typeAt(m_sorted.mapToSource(rows.front()).row());
        if (wanted) {
            emit quantiseRequested(m_tensors, *wanted);
        }
    });
}

void WhatIfDialog::showWeighted(bool weighted) {
    for (const WhatIfColumn column : {WhatIfColumn::WeightedWithout, WhatIfColumn::WeightedWith}) {
        m_table->setColumnHidden(static_cast<int>(column), !weighted);
    }
    // Wide enough for all titles.
    const QHeaderView& header = *m_table->horizontalHeader();
    int widest = 0;
    int shown = 0;
    for (int column = 0; column < header.count(); ++column) {
        if (!header.isSectionHidden(column)) {
            widest = std::max(widest, header.sectionSizeHint(column));
            ++shown;
        }
    }
    m_table->setMinimumWidth(shown * widest + 2 * m_table->frameWidth() +
                             style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, m_table));
}

void WhatIfDialog::start() {
    m_notice->hide();
    m_looked->clear();
    showWeighted(m_imatrix->imatrix() != nullptr);
    const WhatIfRequest request{.tensors = m_tensors,
                                .types = {},
                                .imatrix = m_imatrix->imatrix(),
                                .maxWeights = m_extent->currentData().toULongLong()};
    m_latest = std::make_shared<Latest>();
    m_job.start<WhatIf>(
        [model = m_model, request, latest = m_latest](const JobContext& context) {
            const auto update = [&](const WhatIf& sofar) {
                const std::scoped_lock lock(latest->mutex);
                latest->result = sofar;
            };
            return whatIf(*model, request, update, context);
        },
        [this](Result<WhatIf> result) {
            if (result) {
                take(std::move(*result));
            } else {
                showError(result.error());
            }
        });
    connect(m_job.job(), &Job::progressed, this, &WhatIfDialog::takeLatest);
    m_progress->watch(m_job.job(), tr("Encoding"));
}

void WhatIfDialog::takeLatest() {
    std::optional<WhatIf> result;
    {
        const std::scoped_lock lock(m_latest->mutex);
        result.swap(m_latest->result);
    }
    if (result) {
        take(std::move(*result));
    }
}

void WhatIfDialog::take(WhatIf result) {
    m_looked->setText(result.examined == result.weights
                          ? tr("All %1 weights", nullptr, numerus(result.weights)).arg(formatCount(result.weights))
                          : tr("%1 of %2 weights", nullptr, numerus(result.weights))
                                .arg(formatCount(result.examined), formatCount(result.weights)));
    if (m_imatrix->imatrix() != nullptr && !result.hasImportance && result.examined == result.toExamine) {
        m_notice->setText(tr("The importance matrix has no entry for these tensors."));
        m_notice->show();
    }
    m_figures.setResult(std::move(result), m_present);
}

void WhatIfDialog::showError(const Error& error) {
    QStringList parts;
    if (m_imatrix->imatrix() != nullptr && error.file == m_imatrix->imatrix()->path()) {
        parts << displayText(error.file.filename().native()) + QLatin1Char(':');
    }
    if (!error.place.name.empty()) {
        parts << displayText(error.place.name) + QLatin1Char(':');
    }
    parts << errorReason(error) << errorHint(error);
    parts.removeAll(QString());
    m_notice->setText(parts.join(QLatin1Char(' ')));
    m_notice->show();
}

void WhatIfDialog::copy() const {
    // Copies all rows, regardless of the selection.
    QStringList header;
    QList<QStringList> rows;
    for (int row = -1; row < m_sorted.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < kWhatIfColumns; ++column) {
            if (!m_table->isColumnHidden(column)) {
                cells << (row < 0 ? m_sorted.headerData(column, Qt::Horizontal) : m_sorted.index(row, column).data())
                             .toString();
            }
        }
        if (row < 0) {
            header = cells;
        } else {
            rows << cells;
        }
    }
    QGuiApplication::clipboard()->setText(tableText(CopyFormat::Text, header, rows));
}

void WhatIfDialog::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        copy();
        return;
    }
    QDialog::keyPressEvent(event);
}

} // namespace gufo::ui

#include "moc_what_if_dialog.cpp"
