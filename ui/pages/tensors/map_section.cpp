#include "ui/pages/tensors/map_section.h"

#include "tensor/block_fields.h"
#include "ui/messages/figure_text.h"
#include "ui/pages/tensors/slice_selector.h"
#include "ui/pages/tensors/tensor_export.h"
#include "ui/widgets/job_bar.h"
#include "ui/widgets/plot_keys.h"
#include "ui/widgets/text_color.h"

#include <QBoxLayout>
#include <QCloseEvent>
#include <QKeyEvent>

#include <cmath>

namespace gufo::ui {
namespace {

constexpr double kSigmas = 4.5;
constexpr int kMapHeight = 174;

} // namespace

MapSection::MapSection(QWidget* parent)
    : QWidget(parent) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_description = themedLabel({}, TextStyle::Table, Token::Muted, this);
    m_description->setWordWrap(true);
    m_slice = new SliceSelector;
    m_fold = new FoldField;
    m_colors = new QComboBox;
    m_colors->addItems({tr("Viridis"), tr("Cividis")});
    m_colors->setAccessibleName(tr("Colours of the map"));
    m_fullScreen = new QToolButton;
    m_fullScreen->setIcon(themeIcon(QStringLiteral("expand")));
    m_fullScreen->setCheckable(true);
    m_fullScreen->setToolTip(tr("Full screen (F); Escape returns"));
    m_fullScreen->setAccessibleName(tr("Full screen"));
    m_fullScreen->setFixedSize(26, 26);
    m_progress = new JobBar;
    m_map = new HeatMap;
    m_map->setMinimumHeight(kMapHeight);
    m_progress->putOver(*m_map, Qt::AlignTop | Qt::AlignRight);

    auto* head = new QHBoxLayout;
    head->setSpacing(12);
    head->addWidget(themedLabel(tr("Weights"), TextStyle::Section, Token::Text, this));
    head->addStretch(1);
    head->addWidget(m_slice);
    head->addWidget(m_fold);
    head->addWidget(m_colors);
    head->addWidget(m_fullScreen);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(m_description);
    layout->addWidget(m_map, 1);

    connect(m_map, &HeatMap::viewChanged, this, &MapSection::fetch);
    connect(m_map, &HeatMap::rangeShown, this, &MapSection::describe);
    connect(m_slice, &SliceSelector::changed, this, [this] {
        setMatrix();
        emit sliceChanged();
    });
    connect(m_colors, &QComboBox::activated, this,
            [this](int index) { setColorMap(index == 1 ? ColorMap::Cividis : ColorMap::Viridis); });
    connect(m_fold, &FoldField::chosen, m_map, &HeatMap::setFold);
    connect(m_fullScreen, &QToolButton::toggled, this, &MapSection::setFullScreen);
}

void MapSection::setColorMap(ColorMap map) {
    m_colors->setCurrentIndex(map == ColorMap::Cividis ? 1 : 0);
    m_map->setColorMap(map);
}

void MapSection::setFold(MapFold fold) {
    m_fold->setFold(fold);
    m_map->setFold(fold);
}

void MapSection::reset() {
    m_job.cancel();
    m_model.reset();
    m_statistics = {};
    m_map->setMatrix(0, 0, 0, 0);
    m_description->setText({});
    m_slice->setShape({});
}

void MapSection::setTensor(std::shared_ptr<const Model> model, TensorIndex tensor) {
    reset();
    m_model = std::move(model);
    m_tensor = tensor;
    m_slice->setShape(m_model->tensor(tensor).shape);
    setMatrix();
}

void MapSection::setMatrix() {
    m_job.cancel();
    const TensorInfo& info = m_model->tensor(m_tensor);
    const TensorTypeFact* type = info.type();
    m_map->setMatrix(info.shape[m_slice->matrix().rowDimension], info.shape[0], type != nullptr ? type->blockSize : 0,
                     subBlockSize(info.typeId));
    setStatistics(m_statistics);
}

// The scale of single weights reaches some deviations from the mean, but not beyond the weights that there are: norms
// are all near one.
void MapSection::setStatistics(const Statistics& statistics) {
    m_statistics = statistics;
    if (statistics.mean && statistics.std.value_or(0) > 0) {
        const double around = kSigmas * *statistics.std;
        m_map->setLimits(colorLimits(std::max(*statistics.min, *statistics.mean - around),
                                     std::min(*statistics.max, *statistics.mean + around)));
    }
}

void MapSection::describe(const CellRange& range) {
    const auto span = [](std::uint64_t first, std::uint64_t last) {
        return QStringLiteral("%1–%2").arg(formatCount(first), formatCount(last));
    };
    QString text =
        tr("rows %1, columns %2").arg(span(range.firstRow, range.lastRow), span(range.firstColumn, range.lastColumn));
    const std::uint64_t block = m_map->blockColumns();
    const std::uint64_t subBlock = m_map->subBlockColumns();
    if (block > 1) {
        text += subBlock > 1 && subBlock < block ? tr("; lines every %1 and %2").arg(subBlock).arg(block)
                                                 : tr("; lines every %1").arg(block);
    }
    if (const QString cells = m_map->cellsText(); !cells.isEmpty()) {
        text = cells + QStringLiteral("; ") + text;
    }
    m_description->setText(text);
}

PictureFrame MapSection::frame() const {
    if (m_model == nullptr) {
        return {.title = m_map->accessibleName(), .lines = {}};
    }
    PictureFrame frame{.title = m_map->accessibleName(), .lines = tensorLines(*m_model, m_tensor)};
    const QString fold = m_map->cellsText();
    frame.xLabel = tr("column");
    frame.yLabel = tr("row");
    frame.scaleLabel = fold.isEmpty() ? tr("weight") : tr("weight, %1").arg(fold);
    return frame;
}

void MapSection::fetch() {
    if (m_model == nullptr || !isVisible()) {
        return;
    }
    const HeatMap::View view = m_map->view();
    SliceRequest request = m_slice->matrix();
    request.firstRow = view.range.firstRow;
    request.rows = view.rows();
    request.firstColumn = view.range.firstColumn;
    request.columns = view.columns();
    const MapFold fold = view.foldFor(m_map->fold());
    m_job.start<Slice>(
        [model = m_model, tensor = m_tensor, request, view, fold](const JobContext& context) {
            return reduceSlice(*model, tensor, request, view.maxRows, view.maxColumns, reductionOf(fold), context);
        },
        [this, range = view.range, fold](Result<Slice> result) {
            if (!result) {
                emit failed(result.error());
                return;
            }
            m_map->setCells(range, *result, fold);
        });
    m_progress->watch(m_job.job(), tr("Decoding"));
}

void MapSection::setFullScreen(bool on) {
    if (on == !m_home.isNull()) {
        return;
    }
    {
        const QSignalBlocker quiet(m_fullScreen);
        m_fullScreen->setChecked(on);
    }
    if (on) {
        m_home = parentWidget();
        m_homeIndex = m_home->layout()->indexOf(this);
        setWindowTitle(m_model != nullptr ? displayText(m_model->tensor(m_tensor).name) : QString());
        layout()->setContentsMargins(20, 12, 20, 12);
        setParent(m_home->window(), Qt::Window);
        showFullScreen();
        m_map->setFocus();
    } else {
        layout()->setContentsMargins(0, 0, 0, 0);
        QWidget* home = m_home;
        m_home.clear();
        setWindowFlags(Qt::Widget);
        static_cast<QBoxLayout*>(home->layout())->insertWidget(m_homeIndex, this, 1);
        showNormal();
    }
}

void MapSection::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    fetch();
}

void MapSection::keyPressEvent(QKeyEvent* event) {
    const bool full = !m_home.isNull();
    if (plotCommand(KeyedView::TensorMap, event->key()) == PlotCommand::FullScreen &&
        event->modifiers() == Qt::NoModifier) {
        setFullScreen(!full);
    } else if (event->key() == Qt::Key_Escape && full) {
        setFullScreen(false);
    } else {
        QWidget::keyPressEvent(event);
        return;
    }
    event->accept();
}

void MapSection::closeEvent(QCloseEvent* event) {
    event->ignore(); // closing the full-screen window returns the map to its page
    setFullScreen(false);
}

} // namespace gufo::ui

#include "moc_map_section.cpp"
