// The layout of the details of a tensor.
#include "ui/pages/tensors/correlation_line.h"
#include "ui/pages/tensors/histogram_section.h"
#include "ui/pages/tensors/map_section.h"
#include "ui/pages/tensors/slice_selector.h"
#include "ui/pages/tensors/spectrum_section.h"
#include "ui/pages/tensors/tensor_detail.h"
#include "ui/pages/tensors/tensor_export.h"
#include "ui/pages/tensors/values_section.h"
#include "ui/quantize/what_if_button.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/folded_buttons.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace gufo::ui {
namespace {

constexpr int kDetailMargin = 18;
constexpr int kRightMargin = 12;
constexpr int kSectionGap = 14;
constexpr int kStatisticsWidth = 168;
constexpr int kStatisticsRow = 21;
constexpr int kMinimumDetailWidth = 540;
constexpr int kStartDelayMs = 40; // delay, so that holding an arrow key in the list starts no jobs

// Paints rows of name and figure with a line below each over the full width.
class StatisticsDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        if (option.state.testFlag(QStyle::State_Selected)) {
            painter->fillRect(option.rect, themeColor(Token::Selection));
        }
        painter->setFont(option.font);
        painter->setPen(index.data(Qt::ForegroundRole).value<QColor>());
        painter->drawText(option.rect.adjusted(0, 0, 0, -1), index.data(Qt::TextAlignmentRole).toInt(),
                          index.data().toString());
        painter->setPen(themeColor(Token::Line));
        painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    }
};

} // namespace

TensorDetail::TensorDetail(TensorSummaries& summaries, QWidget* parent)
    : QWidget(parent)
    , m_summaries(summaries) {
    setMinimumWidth(kMinimumDetailWidth);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    buildHead();
    buildSections();
    m_export = new TensorExport(*m_progress, *this);
    m_export->addPlot(m_histogram->plot(), tr("&Histogram"), QStringLiteral(".histogram"),
                      [this] { return m_histogram->frame(); });
    m_export->addFigures(m_histogram->plot(), QStringLiteral(".histogram"), [this] { return m_histogram->csv(); });
    m_export->addPlot(m_map->map(), tr("&Map of weights"), QStringLiteral(".map"), [this] { return m_map->frame(); });
    m_exportButton->setMenu(m_export->menu());

    m_startSoon.setSingleShot(true);
    m_startSoon.setInterval(kStartDelayMs);
    connect(&m_startSoon, &QTimer::timeout, this, &TensorDetail::analyse);
    connect(m_export, &TensorExport::written, this, [this](const QString& message) { updateStatus(message); });
    connect(m_export, &TensorExport::failed, this, &TensorDetail::showError);
    connect(m_histogram, &HistogramSection::failed, this, &TensorDetail::showError);
    connect(m_map, &MapSection::failed, this, &TensorDetail::showError);
    connect(m_values, &ValuesSection::failed, this, &TensorDetail::showError);
    connect(&m_map->map(), &HeatMap::picked, m_values, &ValuesSection::setCurrent);
    connect(&m_map->map(), &HeatMap::stepped, this, [this](int rows, int columns) {
        const auto moved = [](std::uint64_t at, int by) {
            return by < 0 && at == 0 ? at : at + static_cast<std::uint64_t>(by);
        };
        const ValueGrid& grid = m_values->grid();
        m_values->setCurrent(moved(grid.currentRow(), rows), moved(grid.currentColumn(), columns));
        m_map->map().showWeight(grid.currentRow(), grid.currentColumn(), false);
    });
    connect(m_values, &ValuesSection::windowChanged, this,
            [this] { m_map->map().setMarker(m_values->grid().window()); });
    connect(m_map, &MapSection::sliceChanged, this, [this] {
        m_values->setTensor(m_model, *m_tensor, m_map->slice().matrix());
        m_spectrum->setTensor(m_model, *m_tensor, m_map->slice().matrix());
    });
    connect(m_spectrum, &SpectrumSection::failed, this, &TensorDetail::showError);
    connect(
        m_spectrum, &SpectrumSection::measured, this,
        [this] { m_scroll->ensureWidgetVisible(m_spectrum, 0, kDetailMargin); },
        Qt::QueuedConnection); // once the section has its height
    connect(m_spectrum, &SpectrumSection::said, this, &TensorDetail::updateStatus);
    connect(m_correlation, &CorrelationLine::failed, this, &TensorDetail::showError);
    connect(m_spectrum, &SpectrumSection::rowPicked, this,
            [this](quint64 row) { showPlace(row, m_values->grid().currentColumn()); });
    connect(m_spectrum, &SpectrumSection::columnPicked, this,
            [this](quint64 column) { showPlace(m_values->grid().currentRow(), column); });
    connect(&Theme::instance(), &Theme::changed, this, &TensorDetail::restyle);
    restyle();
    clear();
}

void TensorDetail::buildHead() {
    m_name = new ElidedLabel(TextStyle::MonoTitle, Token::Text, Qt::ElideMiddle, this);
    m_facts = themedLabel({}, TextStyle::Table, Token::Muted, this);
    m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_facts->setMinimumWidth(1);
    m_facts->setWordWrap(true);
    m_copy = new QPushButton(themeIcon(QStringLiteral("copy")), tr("Copy"));
    m_copy->setToolTip(tr("The tensor's facts and statistics as text"));
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(tensorText()); });
    m_whatIf = new WhatIfButton;
    m_exportButton = new QPushButton(themeIcon(QStringLiteral("export")), tr("Export"));
    m_notice = new QLabel;
    m_notice->setWordWrap(true);
    m_notice->setContentsMargins(8, 6, 8, 6);
    m_notice->setAutoFillBackground(true);
    m_notice->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_progress = new JobBar;
    m_progress->putOver(*this, Qt::AlignBottom | Qt::AlignRight); // tensors without figures are exported too
    connect(m_progress, &JobBar::cancelled, this, [this] {
        if (m_job.isRunning() && m_job.job()->isCancelled()) { // otherwise the bar showed an export
            m_job.cancel();
            m_summaries.setPaused(false);
        }
    });

    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    texts->addWidget(m_name);
    texts->addWidget(m_facts);
    auto* strip = new QWidget(this);
    auto* head = new QHBoxLayout(strip);
    head->setContentsMargins(kDetailMargin, 12, kRightMargin, 4);
    head->setSpacing(8);
    head->addLayout(texts, 1);
    head->addWidget(m_copy, 0, Qt::AlignTop);
    head->addWidget(m_whatIf, 0, Qt::AlignTop);
    head->addWidget(m_exportButton, 0, Qt::AlignTop);
    auto* notice = new QHBoxLayout;
    notice->setContentsMargins(kDetailMargin, 4, kRightMargin, 0);
    notice->addWidget(m_notice);
    new FoldedButtons(strip, {m_copy});
    static_cast<QVBoxLayout*>(layout())->addWidget(strip);
    static_cast<QVBoxLayout*>(layout())->addLayout(notice);
}

void TensorDetail::buildSections() {
    m_histogram = new HistogramSection;
    m_map = new MapSection;
    m_values = new ValuesSection;
    m_spectrum = new SpectrumSection;
    m_correlation = new CorrelationLine;
    m_empty = new EmptyState;
    m_unfetched = new QWidget;
    m_fetchTexts = new EmptyState(m_unfetched);
    m_fetch = new QPushButton(themeIcon(QStringLiteral("download"), Token::OnAccent), {}, m_unfetched);
    m_fetch->setProperty("primary", true);
    auto* unfetched = new QVBoxLayout(m_unfetched);
    unfetched->setSpacing(0);
    unfetched->addStretch(2);
    unfetched->addWidget(m_fetchTexts); // as high as its texts, so that the button follows them
    unfetched->addWidget(m_fetch, 0, Qt::AlignHCenter);
    unfetched->addStretch(3);
    connect(m_fetch, &QPushButton::clicked, this, [this] {
        m_wanted = m_tensor;
        showSections(m_model->tensor(*m_tensor));
    });
    m_statisticsView = new QTableView;
    m_statisticsView->ensurePolished(); // the style makes rows higher
    m_statisticsView->setModel(&m_statistics);
    m_statisticsView->setAccessibleName(tr("Statistics"));
    m_statisticsView->setFrameShape(QFrame::NoFrame);
    m_statisticsView->horizontalHeader()->hide();
    m_statisticsView->verticalHeader()->hide();
    m_statisticsView->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_statisticsView->verticalHeader()->setMinimumSectionSize(kStatisticsRow);
    m_statisticsView->verticalHeader()->setDefaultSectionSize(kStatisticsRow);
    m_statisticsView->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_statisticsView->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_statisticsView->setShowGrid(false);
    m_statisticsView->setTabKeyNavigation(false);
    m_statisticsView->setItemDelegate(new StatisticsDelegate(m_statisticsView));
    m_statisticsView->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_statisticsView->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_statisticsView->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_statisticsView->setFixedSize(kStatisticsWidth, kStatisticsRow * m_statistics.rowCount());

    auto* statistics = new QVBoxLayout;
    statistics->setSpacing(8);
    QLabel* title = themedLabel(tr("Statistics"), TextStyle::Section, Token::Text, this);
    title->setFixedHeight(26);
    statistics->addWidget(title);
    statistics->addWidget(m_statisticsView);
    statistics->addStretch();
    m_figures = new QWidget;
    auto* figures = new QHBoxLayout(m_figures);
    figures->setContentsMargins(0, 0, 0, 0);
    figures->setSpacing(20);
    figures->addWidget(m_histogram, 1);
    figures->addLayout(statistics);

    auto* content = new QWidget;
    auto* sections = new QVBoxLayout(content);
    sections->setContentsMargins(kDetailMargin, 8, kRightMargin, 6);
    sections->setSpacing(kSectionGap);
    sections->addWidget(m_figures);
    sections->addWidget(m_map, 1);
    sections->addWidget(m_values, 1);
    sections->addWidget(m_spectrum);
    sections->addWidget(m_correlation);
    content->setAutoFillBackground(true);
    content->setBackgroundRole(QPalette::Base);
    m_scroll = new QScrollArea;
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setWidget(content);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_unfetched);
    m_stack->addWidget(m_scroll);
    static_cast<QVBoxLayout*>(layout())->addWidget(m_stack, 1);
}

void TensorDetail::restyle() {
    QPalette colours = palette();
    colours.setColor(QPalette::Window, themeColor(Token::WarningFill));
    colours.setColor(QPalette::WindowText, themeColor(Token::WarningText));
    m_notice->setPalette(colours);
    m_notice->setFont(themeFont(TextStyle::Table));
}

} // namespace gufo::ui
