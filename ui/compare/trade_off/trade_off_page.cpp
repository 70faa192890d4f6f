#include "ui/compare/trade_off/trade_off_page.h"

#include "ui/compare/comparison_export.h"
#include "ui/compare/trade_off/divergence_field.h"
#include "ui/compare/trade_off/trade_off_plot.h"
#include "ui/messages/error_text.h"
#include "ui/messages/figure_text.h"
#include "ui/plots/picture_menu.h"
#include "ui/quantize/imatrix_field.h"
#include "ui/report/fitting.h"
#include "ui/shell/native_path.h"
#include "ui/theme/style.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/elided_name.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/rows_table.h"
#include "ui/widgets/splitter_sizes.h"
#include "ui/widgets/table_text.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kPlotWidth = 880;
constexpr int kSideWidth = 392;
constexpr int kLeastChoice = 92; // width of a box
constexpr int kWholeModel = -1;

// Explains the frontier line, and pale points.
class PointLegend final : public QWidget { // no signals: needs no moc
public:
    using QWidget::QWidget;
    void setKeys(std::vector<PictureKey> keys) {
        m_keys = std::move(keys);
        update();
    }
    [[nodiscard]] QSize sizeHint() const override { return {200, 22}; }

protected:
    void paintEvent(QPaintEvent*) override {
        constexpr double kSample = 20;
        constexpr double kKeyGap = 22;
        QPainter painter(this);
        painter.setFont(themeFont(TextStyle::Table));
        double x = 0;
        for (const PictureKey& key : m_keys) {
            painter.save();
            key.sample(painter, {x, 0, kSample, static_cast<double>(height())});
            painter.restore();
            x += kSample + 5;
            painter.setPen(themeColor(Token::Muted));
            painter.drawText(QRectF(x, 0, width() - x, height()), Qt::AlignVCenter, key.text);
            x += painter.fontMetrics().horizontalAdvance(key.text) + kKeyGap;
        }
    }

private:
    std::vector<PictureKey> m_keys;
};

} // namespace

TradeOffPage::TradeOffPage(Comparison& comparison, QWidget* parent)
    : ComparePage(comparison, parent) {
    m_plot = new TradeOffPlot;
    QWidget* strip = buildStrip();
    auto* left = new QWidget;
    left->setAutoFillBackground(true);
    left->setBackgroundRole(QPalette::Base);
    auto* legend = new PointLegend(left);
    legend->setObjectName(QStringLiteral("points"));
    auto* leftColumn = new QVBoxLayout(left);
    leftColumn->setContentsMargins(20, 12, 12, 12);
    leftColumn->setSpacing(8);
    auto* aboveThePlot = new QHBoxLayout;
    aboveThePlot->addWidget(legend, 1);
    aboveThePlot->addWidget(m_frontier);
    leftColumn->addLayout(aboveThePlot);
    leftColumn->addWidget(m_plot, 1);
    m_parts = new QSplitter(Qt::Horizontal);
    m_parts->addWidget(left);
    m_parts->addWidget(buildSide());
    m_parts->setChildrenCollapsible(false);
    m_parts->setHandleWidth(1);
    m_parts->setStretchFactor(0, 1);
    m_parts->setStretchFactor(1, 0);
    m_parts->setSizes({kPlotWidth, kSideWidth});
    setContent(strip, m_parts);
    setFirstFocus(m_plot);

    connect(&comparison, &Comparison::filesChanged, this, [this] {
        m_chosen.reset();
        update();
    });
    connect(&comparison, &Comparison::matched, this, &TradeOffPage::update);
    connect(&comparison, &Comparison::totalsChanged, this, &TradeOffPage::update);
    connect(&comparison, &Comparison::divergencesMeasured, this, &TradeOffPage::update);
    connect(m_plot, &TradeOffPlot::pointChosen, this, &TradeOffPage::choose);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (now.isValid()) {
            choose(now.data(Qt::UserRole).toUInt());
        }
    });
    update();
}

QString TradeOffPage::title() const { return tr("Trade-off"); }

QWidget* TradeOffPage::buildStrip() {
    auto* strip = new ToolStrip(this);
    const auto combo = [strip](const QString& name) {
        auto* made = new QComboBox(strip);
        made->setAccessibleName(name);
        made->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        made->setMinimumWidth(kLeastChoice); // small windows cut the longest choices
        return made;
    };
    m_size = combo(tr("Size"));
    m_size->addItems({tr("File size"), tr("Bits per weight")});
    m_metric = combo(tr("Quality"));
    constexpr int kMetricCharacters = 8; // the longest names are elided in the field, and whole in its list
    m_metric->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_metric->setMinimumContentsLength(kMetricCharacters);
    for (const MetricFact& info : mapMetrics()) {
        if (info.ofPair()) {
            m_metric->addItem(metricFullTitle(info), static_cast<int>(info.metric));
        }
    }
    m_group = combo(tr("Tensors"));
    m_group->addItem(tr("Whole model"), kWholeModel);
    for (const TensorGroup group :
         {TensorGroup::Embedding, TensorGroup::Attention, TensorGroup::FeedForward, TensorGroup::Recurrent,
          TensorGroup::Norm, TensorGroup::Output, TensorGroup::Other}) {
        m_group->addItem(groupTitle(group), static_cast<int>(group));
    }
    m_limit = new RealBox(strip);
    m_limit->setObjectName(QStringLiteral("limitField"));
    m_limit->setRange(0, 16'384);
    m_limit->setDecimals(1);
    m_limit->setSuffix(tr(" GiB"));
    m_limit->setSpecialValueText(tr("any"));
    m_limit->setAccessibleName(tr("Memory limit"));
    m_limit->setToolTip(tr("Memory to run the file, with a context of %1 tokens: the best file that fits is chosen")
                            .arg(formatCount(kFittingContext)));
    connect(m_limit, &QDoubleSpinBox::valueChanged, this, [this] {
        m_chosen.reset(); // the best that fits is shown
        update();
    });
    m_frontier = new QCheckBox(tr("Frontier"), strip);
    m_frontier->setChecked(true);
    auto* menu = new PictureMenu(*this);
    menu->setPlot(*m_plot, tr("trade-off"), [this] {
        PictureFrame frame =
            comparisonFrame(m_comparison, tr("Size against quality"), m_comparison.others(), m_group->currentText());
        frame.keys = m_plot->keys();
        return frame;
    });
    menu->addText(tr("Figures as &CSV…"), QStringLiteral(".csv"), tr("Comma-separated values (*.csv)"), [this] {
        QList<QStringList> rows;
        for (const TradeOffPoint& point : m_model.points()) {
            rows << QStringList{point.label, QString::number(point.bytes), csvNumber(point.bits),
                                csvNumber(point.quality), point.frontier ? QStringLiteral("1") : QStringLiteral("0")};
        }
        return csvText({tr("File"), tr("Bytes"), tr("Bits per weight"), metricFullTitle(metricFact(shownMetric())),
                        tr("Frontier")},
                       rows);
    });
    connect(menu, &PictureMenu::message, this, &ComparePage::fileWritten);
    auto* row = static_cast<QHBoxLayout*>(strip->layout());
    row->addWidget(themedLabel(tr("Size"), TextStyle::Table, Token::Muted, strip));
    row->addWidget(m_size);
    row->addSpacing(8);
    row->addWidget(themedLabel(tr("Quality"), TextStyle::Table, Token::Muted, strip));
    row->addWidget(m_metric);
    row->addSpacing(8);
    row->addWidget(themedLabel(tr("Tensors"), TextStyle::Table, Token::Muted, strip));
    row->addWidget(m_group);
    row->addSpacing(8);
    row->addWidget(themedLabel(tr("Memory"), TextStyle::Table, Token::Muted, strip));
    row->addWidget(m_limit);
    row->addStretch(1);
    row->addWidget(menu->button());
    for (QComboBox* field : {m_size, m_metric, m_group}) {
        connect(field, &QComboBox::currentIndexChanged, this, &TradeOffPage::update);
    }
    connect(m_frontier, &QCheckBox::toggled, this, [this](bool on) { m_plot->setFrontierShown(on); });
    return strip;
}

QWidget* TradeOffPage::buildSide() {
    auto* side = new QWidget;
    side->setAutoFillBackground(true);
    side->setBackgroundRole(QPalette::Base);
    m_chosenCaption = themedLabel({}, TextStyle::Axis, Token::Muted, side);
    m_chosenName = new ElidedLabel(TextStyle::PageTitle, Token::Text, Qt::ElideMiddle, side);
    m_chosenName->setObjectName("chosenName");
    m_chosenFacts = themedLabel({}, TextStyle::Table, Token::Muted, side);
    m_chosenFacts->setWordWrap(true);
    m_table = makeRowsTable(tr("Files by size and quality"), &m_model, kRowHeight, side);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->horizontalHeader()->setMinimumSectionSize(40);
    m_table->setItemDelegateForColumn(TradeOffModel::kFile, new NameDelegate(m_table));
    m_table->viewport()->installEventFilter(this);
    m_table->horizontalHeader()->setSortIndicator(TradeOffModel::kSize, Qt::DescendingOrder);
    m_table->setSortingEnabled(true);
    connect(m_table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &TradeOffPage::fitColumns);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 16, 0, 0);
    column->setSpacing(2);
    m_chosenCaption->setContentsMargins(16, 0, 16, 0);
    m_chosenFacts->setContentsMargins(16, 0, 16, 0);
    auto* name = new QHBoxLayout;
    name->setContentsMargins(16, 0, 16, 0);
    name->addWidget(m_chosenName);
    column->addWidget(m_chosenCaption);
    column->addLayout(name);
    column->addWidget(m_chosenFacts);
    column->addSpacing(14);
    column->addWidget(m_table, 1);
    m_imatrix = new ImatrixField(side);
    m_imatrix->setObjectName(QStringLiteral("imatrixField"));
    m_importance = themedLabel({}, TextStyle::Axis, Token::Muted, side);
    m_importance->setWordWrap(true);
    m_importance->hide();
    auto* weights = new QHBoxLayout;
    weights->setContentsMargins(16, 8, 16, 0);
    weights->setSpacing(8);
    weights->addWidget(themedLabel(tr("Importance matrix"), TextStyle::Table, Token::Muted, side));
    weights->addWidget(m_imatrix, 1);
    m_importance->setContentsMargins(16, 0, 16, 8);
    m_divergence = new DivergenceField(m_comparison, side);
    m_divergence->setObjectName(QStringLiteral("divergenceField"));
    connect(m_divergence, &DivergenceField::measured, this,
            [this] { m_metric->setCurrentIndex(m_metric->findData(static_cast<int>(Metric::Divergence))); });
    column->addLayout(weights);
    column->addWidget(m_importance);
    column->addWidget(m_divergence);
    connect(m_imatrix, &ImatrixField::changed, this, [this] { m_comparison.setImatrix(m_imatrix->imatrix()); });
    connect(m_imatrix, &ImatrixField::failed, this, [this](const Error& error) {
        setTextColor(m_importance, Token::ErrorText);
        m_importance->setText(errorLine(error));
        m_importance->show();
    });
    side->setMinimumWidth(300);
    return side;
}

Metric TradeOffPage::shownMetric() const { return static_cast<Metric>(m_metric->currentData().toInt()); }

std::optional<TensorGroup> TradeOffPage::group() const {
    const int value = m_group->currentData().toInt();
    return value == kWholeModel ? std::nullopt : std::optional(static_cast<TensorGroup>(value));
}

// Metrics that only some comparisons have: the divergence of predictions, and errors weighted by an importance matrix.
void TradeOffPage::offerMeasured() {
    bool measured = false;
    for (std::size_t file = 0; file < m_comparison.files().size(); ++file) {
        measured = measured || m_comparison.divergence(file);
    }
    const QSignalBlocker quiet(m_metric);
    offerMetric(*m_metric, Metric::WeightedSqnr, m_comparison.imatrix() != nullptr);
    offerMetric(*m_metric, Metric::Divergence, measured);
    if (measured && m_wantsDivergence) {
        m_wantsDivergence = false;
        m_metric->setCurrentIndex(m_metric->findData(static_cast<int>(Metric::Divergence)));
    }
}

void TradeOffPage::showImportance() {
    if (!m_imatrix->isBusy()) {
        m_imatrix->set(m_comparison.imatrix());
    }
    QStringList notes;
    if (const auto& error = m_comparison.imatrixError()) {
        notes << errorLine(*error);
    } else if (m_comparison.matches() != nullptr) {
        notes = importanceNotes(*m_comparison.matches(), m_comparison.imatrix().get());
    }
    setTextColor(m_importance, m_comparison.imatrixError() ? Token::ErrorText : Token::Muted);
    m_importance->setText(notes.join(u'\n'));
    m_importance->setVisible(!notes.isEmpty());
}

void TradeOffPage::update() {
    offerMeasured();
    showImportance();
    std::vector<TradeOffPoint> points;
    m_best.reset();
    const bool known = m_comparison.matches() && !m_comparison.totals().empty();
    if (known) {
        points = tradeOff(m_comparison, shownMetric(), static_cast<SizeMeasure>(m_size->currentIndex()), group());
        constexpr double kGiB = 1024.0 * 1024 * 1024;
        if (m_limit->value() > 0) {
            const auto best = fitPoints(points, static_cast<std::uint64_t>(m_limit->value() * kGiB),
                                        metricFact(shownMetric()).higherIsCloser);
            m_best = best ? std::optional(points[*best].file) : std::nullopt;
        }
    }
    const bool any = std::ranges::any_of(points, TradeOffPlot::isShown);
    if (!any) {
        m_nothing->setTexts(known ? tr("Nothing to compare") : tr("No results yet"),
                            known ? tr("No file differs from the reference in these tensors by this metric.")
                                  : tr("Points appear as tensors are compared."));
    }
    any ? showContent() : showNothing();
    const QString reference =
        m_comparison.files().empty() ? QString() : m_comparison.files()[m_comparison.reference()].label;
    m_model.setPoints(points, shownMetric());
    fitColumns();
    m_plot->setPoints(std::move(points), shownMetric(), static_cast<SizeMeasure>(m_size->currentIndex()), reference);
    static_cast<PointLegend*>(findChild<QWidget*>(QStringLiteral("points")))->setKeys(m_plot->keys());
    showChosen();
}

// Figures are shown whole. The file takes the remaining width; if its name would be cut, the verdict is hidden, which
// the plot shows too.
void TradeOffPage::fitColumns() {
    constexpr int kPadding = 16;
    constexpr int kSortArrow = 15;
    const QFontMetrics metrics(themeFont(TextStyle::Table));
    const auto widthOf = [&](int column) {
        const bool sorted = m_table->horizontalHeader()->sortIndicatorSection() == column;
        int width = metrics.horizontalAdvance(m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()) +
                    (sorted ? kSortArrow : 0);
        for (int row = 0; row < m_model.rowCount(); ++row) {
            width = std::max(width, metrics.horizontalAdvance(m_model.index(row, column).data().toString()));
        }
        return width + kPadding;
    };
    int left = m_table->viewport()->width();
    for (const int column : {TradeOffModel::kSize, TradeOffModel::kBits, TradeOffModel::kQuality}) {
        const int width = widthOf(column);
        m_table->setColumnWidth(column, width);
        left -= width;
    }
    const int verdict = widthOf(TradeOffModel::kVerdict);
    const bool room = left - verdict >= widthOf(TradeOffModel::kFile);
    m_table->setColumnHidden(TradeOffModel::kVerdict, !room);
    if (room) {
        m_table->setColumnWidth(TradeOffModel::kVerdict, verdict);
        left -= verdict;
    }
    m_table->setColumnWidth(TradeOffModel::kFile, std::max(left, 40));
}

bool TradeOffPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_table->viewport() && event->type() == QEvent::Resize) {
        fitColumns();
    }
    return ComparePage::eventFilter(watched, event);
}

void TradeOffPage::choose(std::size_t file) {
    m_chosen = file;
    showChosen();
}

// Shows the chosen file, or by default the smallest on the frontier whose quality is at least the median.
void TradeOffPage::showChosen() {
    const auto& points = m_model.points();
    auto found = std::ranges::find_if(points, [this](const TradeOffPoint& one) { return m_chosen == one.file; });
    m_chosenCaption->setText(tr("Chosen file"));
    const QString limit = m_limit->text();
    if (found == points.end() && m_limit->value() > 0) {
        found = std::ranges::find_if(points, [this](const TradeOffPoint& one) { return m_best == one.file; });
        if (found == points.end()) {
            m_chosenCaption->setText(tr("No file runs within %1").arg(limit));
            m_chosenName->setText({});
            m_chosenFacts->clear();
            return;
        }
        m_chosenCaption->setText(tr("The best that fits into %1").arg(limit));
    } else if (found == points.end()) {
        found = std::ranges::find_if(points, [](const TradeOffPoint& one) { return one.frontier; });
        m_chosenCaption->setText(tr("On the efficient frontier"));
    }
    if (found == points.end()) {
        m_chosenCaption->clear();
        m_chosenName->setText({});
        m_chosenFacts->clear();
        return;
    }
    QStringList facts{tr("Size %1").arg(formatBytes(found->bytes))};
    if (found->memory) {
        facts << tr("%1 of memory to run").arg(formatBytes(*found->memory));
    }
    if (found->bits) {
        facts << tr("%1 bits per weight").arg(formatBitsPerWeight(*found->bits));
    }
    if (found->quality) {
        const MetricFact& info = metricFact(shownMetric());
        facts << QStringLiteral("%1 %2").arg(metricTitle(info), metricTextWithUnit(info, *found->quality));
    }
    const auto reference = std::ranges::find_if(points, &TradeOffPoint::reference);
    if (reference != points.end() && reference->bytes > 0 && !found->reference) {
        facts << tr("%1 % of the reference's size")
                     .arg(formatFixed(100.0 * static_cast<double>(found->bytes) / static_cast<double>(reference->bytes),
                                      0));
    }
    facts << pathText(m_comparison.files()[found->file].place);
    m_chosenName->setText(found->label);
    m_chosenFacts->setText(facts.join(u'\n'));
    m_plot->setChosen(found->file);
    if (const int row = m_model.rowOf(found->file); row >= 0) {
        const QSignalBlocker quiet(m_table->selectionModel());
        m_table->selectRow(row);
        m_table->viewport()->update();
    }
}

QString TradeOffPage::copyText(CopyFormat format) const { return viewText(*m_table, format); }

QJsonObject TradeOffPage::saveState() const {
    return {{QStringLiteral("splitter"), splitterSizes(*m_parts)},
            {QStringLiteral("size"), m_size->currentIndex()},
            {QStringLiteral("metric"), QLatin1String(metricFact(shownMetric()).id)},
            {QStringLiteral("memory"), m_limit->value()},
            {QStringLiteral("divergence_text"), encodePath(m_divergence->text())},
            {QStringLiteral("frontier"), m_frontier->isChecked()}};
}

void TradeOffPage::restoreState(const QJsonObject& state) {
    restoreSplitter(*m_parts, state[QStringLiteral("splitter")].toArray());
    m_size->setCurrentIndex(std::clamp(state[QStringLiteral("size")].toInt(), 0, 1));
    for (const MetricFact& info : mapMetrics()) {
        if (info.ofPair() && state[QStringLiteral("metric")].toString() == QLatin1String(info.id)) {
            m_metric->setCurrentIndex(m_metric->findData(static_cast<int>(info.metric)));
        }
    }
    m_wantsDivergence = state[QStringLiteral("metric")].toString() == QLatin1String(metricFact(Metric::Divergence).id);
    m_limit->setValue(state[QStringLiteral("memory")].toDouble());
    m_divergence->setText(decodePath(state[QStringLiteral("divergence_text")].toString()));
    m_frontier->setChecked(state[QStringLiteral("frontier")].toBool(true));
}

} // namespace gufo::ui

#include "moc_trade_off_page.cpp"
