#include "ui/pages/tensors/histogram_section.h"

#include "analysis/weight_tile.h"
#include "ui/pages/tensors/tensor_export.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/table_text.h"
#include "ui/widgets/text_color.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <cmath>

namespace gufo::ui {
namespace {

constexpr std::uint32_t kBins = 256;
constexpr int kPlotHeight = 190;
constexpr int kMinimumWidth = 300;

} // namespace

HistogramSection::HistogramSection(QWidget* parent)
    : QWidget(parent) {
    m_subjectChoice = new SegmentedControl(tr("What is counted"));
    m_subjectChoice->addSegment(tr("Weights"));
    m_subjectChoice->addSegment(tr("Scales"), {}, tr("The scale by which each group of weights is multiplied"));
    m_subjectChoice->addSegment(tr("Codes"), {}, tr("How often each stored number is used"));
    m_axisChoice = new SegmentedControl(tr("Axis of the counts"));
    m_axisChoice->addSegment(tr("Linear"));
    m_axisChoice->addSegment(tr("Log"));
    m_axisChoice->setCurrent(1);
    m_tableButton = new QToolButton;
    m_tableButton->setIcon(themeIcon(QStringLiteral("list")));
    m_tableButton->setCheckable(true);
    m_tableButton->setToolTip(tr("Show the figures as a table"));
    m_tableButton->setAccessibleName(m_tableButton->toolTip());
    m_plot = new HistogramPlot;
    m_table = new QTableView;
    m_table->ensurePolished(); // the style makes rows higher
    m_table->setModel(&m_figures);
    m_table->setAccessibleName(tr("Figures of the histogram"));
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setMinimumSectionSize(20);
    m_table->verticalHeader()->setDefaultSectionSize(20);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_plot);
    m_stack->addWidget(m_table);
    m_stack->setMinimumHeight(kPlotHeight);
    m_progress = new JobBar;
    m_progress->putOver(*this, Qt::AlignBottom | Qt::AlignRight);

    auto* head = m_head = new QHBoxLayout;
    m_secondLine = new QHBoxLayout;
    head->setSpacing(8);
    head->setContentsMargins(0, 0, 8, 0);
    head->addWidget(themedLabel(tr("Histogram"), TextStyle::Section, Token::Text, this));
    head->addWidget(m_subjectChoice);
    head->addStretch();
    head->addWidget(m_axisChoice);
    head->addWidget(m_tableButton);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(head);
    layout->addLayout(m_secondLine);
    setMinimumWidth(kMinimumWidth);
    layout->addWidget(m_stack, 1);

    connect(m_subjectChoice, &SegmentedControl::chosen, this, &HistogramSection::setSubject);
    connect(m_axisChoice, &SegmentedControl::chosen, this, [this](int axis) { setLogarithmic(axis == 1); });
    connect(m_tableButton, &QToolButton::toggled, m_stack,
            [this](bool table) { m_stack->setCurrentIndex(table ? 1 : 0); });
    connect(m_plot, &HistogramPlot::recountWanted, this, &HistogramSection::recount);
    connect(m_plot, &HistogramPlot::shownChanged, this,
            [this] { m_figures.setHistogram(m_plot->histogram(), m_subject == kCodes); });
}

void HistogramSection::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    // If there is too little room for one line, the choice of subject gets a second one.
    const int needed = m_head->minimumSize().width() + (m_oneLine ? 0 : m_subjectChoice->sizeHint().width());
    if ((needed <= width()) == m_oneLine) {
        return;
    }
    m_oneLine = !m_oneLine;
    if (m_oneLine) {
        m_secondLine->removeWidget(m_subjectChoice);
        m_head->insertWidget(1, m_subjectChoice);
    } else {
        m_head->removeWidget(m_subjectChoice);
        m_secondLine->addWidget(m_subjectChoice, 0, Qt::AlignLeft);
    }
}

void HistogramSection::reset() {
    m_job.cancel();
    m_model.reset();
    m_weights.reset();
    m_blocks.reset();
    m_plot->clear();
}

void HistogramSection::setTensor(std::shared_ptr<const Model> model, TensorIndex tensor) {
    reset();
    m_model = std::move(model);
    m_tensor = tensor;
    const std::uint32_t type = m_model->tensor(tensor).typeId;
    const bool scales = subBlockSize(type) != 0;
    const bool codes = codeCount(type) != 0;
    m_subjectChoice->setVisible(scales || codes);
    m_subjectChoice->segment(kScales)->setEnabled(scales);
    m_subjectChoice->segment(kCodes)->setEnabled(codes);
    if ((m_subject == kScales && !scales) || (m_subject == kCodes && !codes)) {
        m_subject = kWeights;
        m_subjectChoice->setCurrent(kWeights);
    }
    showSubject();
}

void HistogramSection::setAnalysis(const TensorAnalysis& analysis) {
    m_weights = analysis;
    if (m_subject == kWeights) {
        showSubject();
    }
}

void HistogramSection::setSubject(int subject) {
    m_subject = subject;
    m_subjectChoice->setCurrent(subject);
    m_job.cancel();
    m_plot->clear();
    showSubject();
}

void HistogramSection::setLogarithmic(bool logarithmic) {
    m_axisChoice->setCurrent(logarithmic ? 1 : 0);
    m_plot->setLogarithmic(logarithmic);
}

void HistogramSection::showSubject() {
    if (m_model == nullptr) {
        return;
    }
    m_plot->setAccessibleName(m_subject == kWeights  ? tr("Histogram of the weights")
                              : m_subject == kScales ? tr("Histogram of the block scales")
                                                     : tr("Use of the codes"));
    if (m_subject == kWeights) {
        if (m_weights) {
            show(*m_weights, tr("weights"));
        }
    } else if (!m_blocks) {
        analyseBlocksThen({});
    } else if (m_subject == kScales) {
        show(m_blocks->scales, tr("scales"));
    } else {
        showCodes();
    }
}

void HistogramSection::show(const TensorAnalysis& analysis, const QString& things) {
    m_plot->setContent({.histogram = analysis.histogram,
                        .mean = analysis.statistics.mean,
                        .std = analysis.statistics.std,
                        .things = things});
}

void HistogramSection::showCodes() {
    const double first = firstStored(m_model->tensor(m_tensor).typeId);
    Histogram histogram{.lo = first - 0.5,
                        .hi = first + static_cast<double>(m_blocks->codeCounts.size()) - 0.5,
                        .counts = m_blocks->codeCounts};
    m_plot->setContent({.histogram = std::move(histogram), .things = tr("weights"), .codes = true});
}

PictureFrame HistogramSection::frame() const {
    if (m_model == nullptr) {
        return {.title = m_plot->accessibleName(), .lines = {}};
    }
    PictureFrame frame{.title = m_plot->accessibleName(), .lines = tensorLines(*m_model, m_tensor)};
    frame.xLabel = m_subject == kWeights ? tr("weight") : m_subject == kScales ? tr("scale") : tr("stored code");
    frame.yLabel = m_subject == kScales  ? tr("scales per bin")
                   : m_subject == kCodes ? tr("weights per code")
                                         : tr("weights per bin");
    frame.keys = m_plot->keys();
    return frame;
}

QString HistogramSection::csv() const {
    const Histogram& histogram = m_plot->histogram();
    const bool isCodes = m_subject == kCodes;
    QString text = (isCodes ? QStringLiteral("code,count") : QStringLiteral("from,to,count")) + QStringLiteral("\r\n");
    for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
        const QString where = isCodes ? QString::number(std::lround(histogram.lo + 0.5) + static_cast<long>(i))
                                      : exactText(histogram.edge(i)) + u',' + exactText(histogram.edge(i + 1));
        text += where + u',' + QString::number(histogram.counts[i]) + QStringLiteral("\r\n");
    }
    return text;
}

void HistogramSection::recount(double lo, double hi) {
    if (m_model == nullptr) {
        return;
    }
    const std::array range{lo, hi};
    if (m_subject == kScales) {
        analyseBlocksThen(range);
        return;
    }
    m_job.start<Histogram>(
        [model = m_model, tensor = m_tensor, range](const JobContext& context) {
            return countHistogram(*model, tensor, {.bins = kBins, .range = range}, context);
        },
        [this](Result<Histogram> result) {
            if (result) {
                m_plot->setRecount(std::move(*result));
            } else {
                emit failed(result.error());
            }
        });
    m_progress->watch(m_job.job(), tr("Counting"));
}

void HistogramSection::analyseBlocksThen(std::optional<std::array<double, 2>> range) {
    m_job.start<BlockAnalysis>(
        [model = m_model, tensor = m_tensor, range](const JobContext& context) {
            return analyseBlocks(*model, tensor, {.bins = kBins, .range = range}, context);
        },
        [this, isZoom = range.has_value()](Result<BlockAnalysis> result) {
            if (!result) {
                emit failed(result.error());
            } else if (isZoom) {
                m_plot->setRecount(std::move(result->scales.histogram));
            } else {
                m_blocks = std::move(*result);
                showSubject();
            }
        });
    m_progress->watch(m_job.job(), tr("Reading blocks"));
}

} // namespace gufo::ui

#include "moc_histogram_section.cpp"
