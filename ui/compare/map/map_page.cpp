#include "ui/compare/map/map_page.h"

#include "ui/compare/behaviour/behaviour_field.h"
#include "ui/compare/behaviour/behaviour_scatter.h"
#include "ui/compare/behaviour/layer_view.h"
#include "ui/compare/comparison_export.h"
#include "ui/compare/drill_down/drill_down.h"
#include "ui/compare/drill_down/pair_list.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/plots/metric_legend.h"
#include "ui/shell/native_path.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/splitter_sizes.h"
#include "ui/widgets/table_text.h"

#include <QCheckBox>
#include <QJsonArray>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kListWidth = 568;
constexpr int kLeastDetail = 386; // with a scroll bar; so that the page fits a window of 900 pixels
constexpr int kTallRows = 22;
constexpr int kLowRows = 16;
constexpr int kLowBelow = 720; // height of the page below which parts are hidden

// In low windows the details scroll, so that they leave room for the map.
QScrollArea* scrolling(QWidget* widget) {
    auto* area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(widget);
    area->setMinimumWidth(kLeastDetail); // the widget's own hint is too large until its style is known
    return area;
}

} // namespace

MapPage::MapPage(Comparison& comparison, QWidget* parent)
    : ComparePage(comparison, parent) {
    m_list = new PairList(comparison);
    m_detail = new DrillDown(comparison);
    m_lower = new QSplitter(Qt::Horizontal);
    m_lower->addWidget(m_list);
    m_lower->addWidget(scrolling(m_detail));
    m_lower->setChildrenCollapsible(false);
    m_lower->setHandleWidth(1);
    m_lower->setStretchFactor(0, 0);
    m_lower->setStretchFactor(1, 1);
    m_listWidth = new KeptWidth(m_lower, 0, kListWidth);
    m_scatter = new BehaviourScatter(comparison);
    m_layers = new LayerView(comparison);
    QWidget* strip = buildStrip();
    m_parts = new QSplitter(Qt::Vertical);
    m_parts->addWidget(buildMapPart());
    m_parts->addWidget(m_lower);
    m_parts->setChildrenCollapsible(false);
    m_parts->setHandleWidth(1);
    m_parts->setStretchFactor(0, 0);
    m_parts->setStretchFactor(1, 1);
    setContent(strip, m_parts);
    setFirstFocus(m_map);

    connect(&comparison, &Comparison::filesChanged, this, [this] {
        m_row.reset(); // restored through m_wantedTensor
        m_map->setGrid(nullptr, nullptr);
        m_detail->clear();
        m_layers->refresh();
        const QSignalBlocker quiet(m_reference);
        m_reference->clear();
        for (const ComparedFile& file : m_comparison.files()) {
            m_reference->addItem(QStringLiteral("%1, %2").arg(file.label, formatBytes(file.totals.fileBytes)));
        }
        m_reference->setCurrentIndex(m_comparison.files().empty() ? -1 : static_cast<int>(m_comparison.reference()));
    });
    connect(&comparison, &Comparison::matched, this, &MapPage::layOutGrid);
    connect(&comparison, &Comparison::rowsFound, this, [this](const std::vector<std::size_t>& rows) {
        m_map->updateRows(rows);
        updateLegend();
        if (m_row && std::ranges::find(rows, *m_row) != rows.end()) {
            m_detail->figuresArrived();
        }
    });
    connect(&comparison, &Comparison::totalsChanged, m_map, &QualityMap::updateTotals);
    connect(&comparison, &Comparison::divergencesMeasured, m_map, &QualityMap::updateTotals);
    connect(&comparison, &Comparison::behavioursMeasured, this, &MapPage::updateBehaviour);
    connect(&comparison, &Comparison::stateChanged, this, [this] {
        updateNothing();
        m_scatter->refresh();
        if (m_row) { // otherwise chooseFirst() is about to be called
            showWorst();
        }
    });
    connect(&comparison, &Comparison::proved, this, [this] {
        // A proof is also dropped, when the comparison begins again.
        if (m_row && m_comparison.worstOfProof()) { // otherwise chooseFirst() is about to be called
            showWorst();
        }
    });
    connect(m_map, &QualityMap::tensorActivated, this, [this](std::size_t row, std::size_t file) {
        m_detail->setFile(file);
        chooseRow(row);
    });
    connect(m_map, &QualityMap::unfoldRequested, this, [this](const QString& id, bool unfold) {
        unfold ? static_cast<void>(m_options.unfolded.insert(id)) : static_cast<void>(m_options.unfolded.erase(id));
        layOutGrid();
    });
    connect(m_list, &PairList::currentChanged, this, &MapPage::chooseRow);
    connect(m_list, &PairList::fileChosen, m_detail, &DrillDown::setFile);
    connect(m_detail, &DrillDown::openInTab, this, &ComparePage::openInTab);
    connect(m_detail, &DrillDown::message, this, [this](const QString& text) { emit statusChanged(text, {}); });
    connect(&Theme::instance(), &Theme::changed, this, &MapPage::updateLegend);
    setMetric(Metric::Sqnr);
    connect(&m_comparison, &Comparison::matched, this, [this] {
        offerMetric(*m_metric, Metric::WeightedSqnr, m_comparison.imatrix() != nullptr);
        showImportance();
    });
}

QString MapPage::title() const { return tr("Quality map"); }

void MapPage::setMetric(Metric metric) {
    {
        const QSignalBlocker quiet(m_metric);
        m_metric->setCurrentIndex(m_metric->findData(static_cast<int>(metric)));
    }
    m_map->setMetric(metric);
    m_list->setMetric(metric);
    m_heading->setText(metric == Metric::Divergence ? tr("What each tensor changes in the answers")
                                                    : metricHeading(metricFact(metric)));
    updateLegend();
    showImportance();
    showView();
}

// The field, the scatter plot and the layers belong to the behaviour; other metrics always show the map.
void MapPage::showView() {
    const bool isBehaviour = shownMetric() == Metric::Divergence;
    const int view = isBehaviour ? m_behaviour->viewChoice()->current() : 0;
    m_behaviour->setVisible(isBehaviour);
    m_mapArea->setVisible(view == 0);
    m_mapExport->setVisible(view == 0);
    m_legend->setVisible(view == 0);
    m_scatter->setVisible(view == 1);
    m_scatterExport->setVisible(view == 1);
    m_layers->setVisible(view == 2);
    m_layersExport->setVisible(view == 2);
    setFirstFocus(view == 0   ? static_cast<QWidget*>(m_map)
                  : view == 1 ? static_cast<QWidget*>(m_scatter)
                              : static_cast<QWidget*>(&m_layers->map()));
    fitRows();
}

void MapPage::updateBehaviour() {
    m_map->updateBehaviours();
    m_scatter->refresh();
    m_layers->refresh();
    updateLegend();
}

void MapPage::chooseBlock(std::size_t block, std::size_t file) {
    if (!m_comparison.matches()) {
        return;
    }
    const auto& rows = m_comparison.matches()->rows;
    std::optional<std::size_t> worst;
    std::pair<double, double> most{-1, -1}; // nats, and then the error of the weights
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows[row].block != block || !rows[row].prefix.empty() || !m_comparison.isComparable(row, file)) {
            continue;
        }
        const BehaviourPart* part = m_comparison.behaviourOf(row, file);
        const PairCell& cell = m_comparison.cell(row, file);
        const std::pair does{part != nullptr ? part->fromOther : -1,
                             cell.state == PairCell::State::Compared ? cell.sums.ee : -1};
        if (!worst || does > most) {
            worst = row;
            most = does;
        }
    }
    if (worst) {
        m_detail->setFile(file);
        chooseRow(*worst);
    }
}

void MapPage::showBlockMenu(std::uint32_t block, QPoint globalPos) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction* swap = menu->addAction(tr("&Swap the Tensors of Block %1").arg(block), this,
                                    [this, block] { m_behaviour->refine(block); });
    swap->setEnabled(!m_behaviour->isBusy() && !m_behaviour->text().isEmpty());
    menu->popup(globalPos);
}

void MapPage::showBehaviour(BehaviourText text) {
    setMetric(Metric::Divergence);
    m_behaviour->setDetail(BehaviourDetail::WorstBlocks);
    m_behaviour->setText(std::move(text));
    m_behaviour->measure();
}

// Plain errors do not see what a file gains by an importance matrix; without this line, the map would advise against
// such files.
void MapPage::showImportance() {
    const MetricFact& info = metricFact(shownMetric());
    const bool isPlain = info.ofPair() && !info.needsImportance && m_comparison.matches() != nullptr;
    const QStringList notes = isPlain ? importanceNotes(*m_comparison.matches(), nullptr) : QStringList();
    m_importance->setText(notes.join(u' '));
    m_importance->setVisible(!notes.isEmpty());
}

void MapPage::updateLegend() {
    const MetricScale scale =
        m_map->values().files() > 0 ? m_map->values().commonScale() : scaleFor(metricFact(m_map->shownMetric()), {});
    m_legend->setScale(scale, m_map->colorMap(), m_sameScale->isChecked());
    m_legend->setLeavesOut(m_map->values().leavesOut());
    m_list->setColors(scale, m_map->colorMap());
}

void MapPage::layOutGrid() {
    if (!m_comparison.matches()) {
        return;
    }
    m_layoutJob.start<std::shared_ptr<const MapGrid>>(
        [matches = m_comparison.matches(), options = m_options](const JobContext& context) {
            return layOutMap(*matches, options, context);
        },
        [this, matches = m_comparison.matches()](Result<std::shared_ptr<const MapGrid>> grid) {
            if (!grid || m_comparison.matches() != matches) {
                return;
            }
            m_map->setGrid(&m_comparison, *grid);
            updateLegend();
            fitRows();
            updateNothing();
            if (m_row) {
                m_map->selectRow(*m_row);
            } else {
                chooseFirst();
            }
        });
}

// Selects the tensor that was selected before the files changed, or the first matrix of the first block. The worst
// tensor takes its place as soon as it is known, unless the user has chosen one.
void MapPage::chooseFirst() {
    m_choseItself = m_choseItself || m_wantedTensor.isEmpty();
    if (showWorst()) {
        return;
    }
    const auto& rows = m_comparison.matches()->rows;
    std::optional<std::size_t> chosen;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (!m_wantedTensor.isEmpty() && m_list->model().label(row) == m_wantedTensor) {
            chosen = row;
            break;
        }
    }
    for (const MapGridPanel& panel : m_map->grid()->panels) {
        for (const MapGridRow& row : panel.rows) {
            const auto& cell = m_map->grid()->cells[row.firstCell];
            if (!chosen && !cell.empty()) {
                chosen = cell.front();
            }
        }
    }
    if (!chosen && !rows.empty()) {
        chosen = 0;
    }
    if (chosen) {
        showRow(*chosen);
    }
}

bool MapPage::showWorst() {
    const bool isKnown = m_comparison.state() == Comparison::State::Done && m_map->grid() != nullptr;
    const auto proven = m_comparison.worstOfProof();
    const auto worst = !m_choseItself || !isKnown ? std::nullopt : proven ? proven : m_list->model().worstRow();
    if (worst) {
        showRow(*worst);
    }
    return worst.has_value();
}

// The user's choice.
void MapPage::chooseRow(std::size_t row) {
    m_choseItself = false;
    showRow(row);
}

void MapPage::showRow(std::size_t row) {
    m_row = row;
    m_wantedTensor = m_list->model().label(row);
    m_behaviour->setBlock(m_comparison.matches()->rows[row].block);
    m_list->select(row);
    m_map->selectRow(row);
    m_detail->showRow(row);
}

// If no tensor can be compared, there is no map, only the list of unmatched tensors.
void MapPage::updateNothing() {
    const auto& matches = m_comparison.matches();
    bool any = !matches;
    for (std::size_t row = 0; !any && row < matches->rows.size(); ++row) {
        for (std::size_t file = 0; !any && file < m_comparison.files().size(); ++file) {
            any = file != m_comparison.reference() && m_comparison.isComparable(row, file);
        }
    }
    if (!any) {
        QStringList architectures;
        for (const ComparedFile& file : m_comparison.files()) {
            const QString architecture = displayText(file.model->metadata.architecture());
            if (!architecture.isEmpty() && !architectures.contains(architecture)) {
                architectures << architecture;
            }
        }
        m_nothing->setTexts(tr("No tensor in common"),
                            architectures.size() > 1 ? tr("The files have different architectures (%1), so their "
                                                          "tensors cannot be compared. Their metadata can.")
                                                           .arg(architectures.join(QStringLiteral(", ")))
                                                     : tr("The files have no tensors with the same name and shape, so "
                                                          "their tensors cannot be compared. Their metadata can."));
    }
    any ? showContent() : showNothing();
}

// The map gets the height that it needs, but the lower part keeps at least half of the page.
void MapPage::fitRows() {
    m_map->setRowHeight(height() < kLowBelow ? kLowRows : kTallRows);
    const int chrome = m_parts->widget(0)->height() - m_mapArea->viewport()->height();
    const bool isBehaviour = shownMetric() == Metric::Divergence;
    const int whole = m_parts->height();
    const bool fillsAll = m_scatter->isVisibleTo(this) || m_layers->isVisibleTo(this);
    const int wanted = fillsAll ? whole
                                : m_map->heightForWidth(m_mapArea->viewport()->width()) +
                                      std::clamp(chrome, 58, isBehaviour ? 170 : 90);
    if (whole > 0 && m_map->grid()) {
        const int upper = std::clamp(wanted, 150, std::max(150, whole * 54 / 100));
        m_parts->setSizes({upper, whole - upper});
    }
}

void MapPage::resizeEvent(QResizeEvent* event) {
    ComparePage::resizeEvent(event);
    fitRows();
}

bool MapPage::goTo(const Place& place) {
    if (place.kind != Place::Kind::Tensor || !m_comparison.matches()) {
        return false;
    }
    const auto& rows = m_comparison.matches()->rows;
    const auto found = std::ranges::find(rows, std::string_view(place.name), &TensorMatch::name);
    if (found == rows.end()) {
        return false;
    }
    chooseRow(static_cast<std::size_t>(found - rows.begin()));
    return true;
}

QString MapPage::importanceText() const { return m_importance->text(); }

QStringList MapPage::mapHeader() const {
    QStringList header{tr("Tensor")};
    for (const std::size_t file : m_comparison.others()) {
        const QString label = m_comparison.files()[file].label;
        if (shownMetric() == Metric::Divergence) {
            header << tr("%1: swapped together").arg(label) << tr("%1: KL swapped in (nats)").arg(label)
                   << tr("%1: KL restored (nats)").arg(label);
        } else {
            header << tr("%1: %2").arg(label, metricFullTitle(metricFact(shownMetric())));
        }
    }
    return header;
}

QList<QStringList> MapPage::mapRows() const {
    QList<QStringList> rows;
    const auto& model = m_list->model();
    const Metric metric = m_map->shownMetric();
    for (const std::uint32_t shown : model.rows()) {
        QStringList row{model.label(shown)};
        for (const std::size_t file : m_comparison.others()) {
            if (metric == Metric::Divergence) {
                const BehaviourPart* part = m_comparison.behaviourOf(shown, file);
                row << (part != nullptr ? displayText(part->name) : QString())
                    << csvNumber(part != nullptr ? std::optional(part->fromOther) : std::nullopt)
                    << csvNumber(part != nullptr ? std::optional(part->restored) : std::nullopt);
                continue;
            }
            const PairCell& cell = m_comparison.cell(shown, file);
            row << csvNumber(!metricFact(metric).ofPair() ? m_comparison.bitsPerWeight(shown, file)
                             : cell.state == PairCell::State::Compared
                                 ? metricOf(metricFact(metric), figuresOf(cell.sums))
                                 : std::nullopt);
        }
        rows << row;
    }
    return rows;
}

Picture MapPage::mapPicture() const {
    constexpr int kLegendGap = 12;
    const QSize legend = m_legend->sizeHint();
    PictureFrame frame = comparisonFrame(m_comparison, m_heading->text(), m_comparison.others(),
                                         tr("%n tensors, by block and role", nullptr,
                                            numerus(m_comparison.matches() ? m_comparison.matches()->rows.size() : 0)));
    if (const QString unseen = m_importance->text(); !unseen.isEmpty()) {
        frame.lines << unseen;
    }
    if (shownMetric() == Metric::Divergence) {
        frame.lines << m_behaviour->notesText();
    }
    const int above = legend.height() + kLegendGap;
    return {.frame = frame,
            .shown = {std::max(m_map->width(), legend.width()), m_map->heightForWidth(m_map->width()) + above},
            .heightFor = [this, above](int width) { return m_map->heightForWidth(width) + above; },
            .draw =
                [this, above](QPainter& painter, int width) {
                    m_legend->draw(painter);
                    painter.translate(0, above);
                    m_map->drawAt(painter, width);
                }};
}

QString MapPage::copyText(CopyFormat format) const {
    const QWidget* focus = focusWidget();
    if (focus != nullptr && m_detail->isAncestorOf(focus)) {
        return m_detail->copyText(format);
    }
    return m_list->copyText(format);
}

QWidget* MapPage::filterField() const { return m_list->filterField(); }

QJsonObject MapPage::saveState() const {
    return {{QStringLiteral("metric"), QLatin1String(metricFact(m_map->shownMetric()).id)},
            {QStringLiteral("sameScale"), m_sameScale->isChecked()},
            {QStringLiteral("vectors"), m_vectors->isChecked()},
            {QStringLiteral("colors"), m_colors->currentIndex()},
            {QStringLiteral("listWidth"), m_listWidth->width()},
            {QStringLiteral("detail"), m_detail->saveState()},
            {QStringLiteral("model"),
             QJsonObject{{QStringLiteral("tensor"), m_wantedTensor},
                         {QStringLiteral("list"), m_list->saveState()},
                         {QStringLiteral("text"), encodePath(m_behaviour->text().file)},
                         {QStringLiteral("swapped"), m_behaviour->detailField()->currentIndex()}}}};
}

void MapPage::restoreState(const QJsonObject& state) {
    for (const MetricFact& info : metrics()) {
        if ((info.onMap || info.metric == Metric::Divergence) &&
            state[QStringLiteral("metric")].toString() == QLatin1String(info.id)) {
            setMetric(info.metric);
        }
    }
    m_sameScale->setChecked(state[QStringLiteral("sameScale")].toBool(true));
    m_vectors->setChecked(state[QStringLiteral("vectors")].toBool());
    m_colors->setCurrentIndex(std::clamp(state[QStringLiteral("colors")].toInt(), 0, 1));
    m_listWidth->setWidth(state[QStringLiteral("listWidth")].toInt());
    m_detail->restoreState(state[QStringLiteral("detail")].toObject());
    const QJsonObject modelState = state[QStringLiteral("model")].toObject();
    m_wantedTensor = modelState[QStringLiteral("tensor")].toString();
    m_list->restoreState(modelState[QStringLiteral("list")].toObject());
    if (const std::filesystem::path text = decodePath(modelState[QStringLiteral("text")].toString()); !text.empty()) {
        m_behaviour->setText({.file = text, .tokens = {}, .title = fileNameText(text)});
    }
    m_behaviour->detailField()->setCurrentIndex(
        std::clamp(modelState[QStringLiteral("swapped")].toInt(), 0, m_behaviour->detailField()->count() - 1));
}

} // namespace gufo::ui

#include "moc_map_page.cpp"
