// The strip above the map page, and the part with the map. What the page does is in map_page.cpp.
#include "ui/compare/behaviour/behaviour_field.h"
#include "ui/compare/behaviour/behaviour_scatter.h"
#include "ui/compare/behaviour/layer_view.h"
#include "ui/compare/comparison_export.h"
#include "ui/compare/drill_down/drill_down.h"
#include "ui/compare/map/map_page.h"
#include "ui/plots/metric_legend.h"
#include "ui/plots/picture_menu.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/folded_buttons.h"
#include "ui/widgets/text_color.h"
#include "ui/widgets/tool_strip.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace gufo::ui {
namespace {

constexpr int kMapMargin = 20;

QComboBox* makeCombo(const QString& name, QWidget* parent) {
    auto* combo = new QComboBox(parent);
    combo->setAccessibleName(name);
    return combo;
}

} // namespace

QWidget* MapPage::buildStrip() {
    auto* strip = new ToolStrip(this);
    m_reference = makeCombo(tr("Reference"), strip);
    m_reference->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_reference->setMinimumWidth(100); // shrinks in narrow windows
    m_reference->setMaximumWidth(220);
    m_metric = makeCombo(tr("Metric"), strip);
    m_metric->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_metric->setMinimumWidth(
        120); // in narrow windows, the longest names are elided in the field, and whole in its list
    m_metric->setMaximumWidth(260);
    for (const MetricFact& info : mapMetrics()) {
        m_metric->addItem(metricFullTitle(info), static_cast<int>(info.metric));
    }
    m_metric->addItem(tr("Behaviour (KL, nats)"), static_cast<int>(Metric::Divergence));
    m_metric->setToolTip(tr("What the map is coloured by: the error of the weights, or what it does to the answers"));
    m_sameScale = new QCheckBox(tr("Same scale"), strip);
    m_sameScale->setChecked(true);
    m_sameScale->setToolTip(tr("Use one colour scale for all files instead of one for each"));
    m_vectors = new QCheckBox(tr("Norms and biases"), strip);
    m_vectors->setToolTip(tr("Also show roles without matrices"));
    m_colors = makeCombo(tr("Colours of the map"), strip);
    m_colors->addItems({tr("Viridis"), tr("Cividis")});
    auto* row = static_cast<QHBoxLayout*>(strip->layout());
    row->addWidget(themedLabel(tr("Reference"), TextStyle::Table, Token::Muted, strip));
    row->addWidget(m_reference);
    row->addSpacing(8);
    row->addWidget(themedLabel(tr("Metric"), TextStyle::Table, Token::Muted, strip));
    row->addWidget(m_metric);
    row->addSpacing(8);
    row->addWidget(m_sameScale);
    row->addWidget(m_vectors);
    row->addStretch(1);
    row->addWidget(m_colors);
    auto* menu = new PictureMenu(*this);
    menu->setPicture([this] { return mapPicture(); }, tr("quality-map"));
    menu->addText(tr("Figures as &CSV…"), QStringLiteral(".csv"), tr("Comma-separated values (*.csv)"),
                  [this] { return csvText(mapHeader(), mapRows()); });
    connect(menu, &PictureMenu::message, this, [this](const QString& text) { emit fileWritten(text); });
    auto* plotMenu = new PictureMenu(*this);
    plotMenu->setPlot(*m_scatter, tr("behaviour"), [this] {
        PictureFrame frame = comparisonFrame(m_comparison, m_scatter->accessibleName(), m_comparison.others(),
                                             tr("Text: %1").arg(m_comparison.behaviourText()));
        frame.keys = fileKeys(m_comparison, m_comparison.others());
        return frame;
    });
    plotMenu->addText(tr("Figures as &CSV…"), QStringLiteral(".csv"), tr("Comma-separated values (*.csv)"),
                      [this] { return csvText(mapHeader(), mapRows()); });
    connect(plotMenu, &PictureMenu::message, this, [this](const QString& text) { emit fileWritten(text); });
    m_mapExport = menu->button();
    m_scatterExport = plotMenu->button();
    auto* layerMenu = new PictureMenu(*this);
    layerMenu->setPicture([this] { return m_layers->picture(); }, tr("layers"));
    layerMenu->addText(tr("Figures as &CSV…"), QStringLiteral(".csv"), tr("Comma-separated values (*.csv)"),
                       [this] { return m_layers->csv(); });
    connect(layerMenu, &PictureMenu::message, this, [this](const QString& text) { emit fileWritten(text); });
    m_layersExport = layerMenu->button();
    for (QPushButton* button : {m_mapExport, m_scatterExport, m_layersExport}) {
        row->addWidget(button);
        button->setVisible(button == m_mapExport);
    }
    new FoldedButtons(strip, {m_vectors, m_sameScale});
    connect(m_reference, &QComboBox::activated, this, [this](int index) {
        if (index >= 0 && index != static_cast<int>(m_comparison.reference())) {
            m_comparison.setReference(m_comparison.files()[static_cast<std::size_t>(index)].place);
        }
    });
    connect(m_metric, &QComboBox::currentIndexChanged, this,
            [this] { setMetric(static_cast<Metric>(m_metric->currentData().toInt())); });
    connect(m_sameScale, &QCheckBox::toggled, this, [this](bool same) {
        m_map->setSameScale(same);
        updateLegend();
    });
    connect(m_vectors, &QCheckBox::toggled, this, [this](bool on) {
        m_options.vectors = on;
        layOutGrid();
    });
    connect(m_colors, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_map->setColorMap(index == 1 ? ColorMap::Cividis : ColorMap::Viridis);
        m_detail->setColorMap(m_map->colorMap());
        m_layers->map().setColorMap(m_map->colorMap());
        updateLegend();
    });
    return strip;
}

QWidget* MapPage::buildMapPart() {
    auto* part = new QWidget(this);
    part->setAutoFillBackground(true);
    part->setBackgroundRole(QPalette::Base);
    m_heading = themedLabel({}, TextStyle::Section, Token::Text, part);
    m_legend = new MetricLegend(part);
    QSizePolicy kept = m_legend->sizePolicy();
    kept.setRetainSizeWhenHidden(true); // so that what is below does not move when the scatter plot is shown
    m_legend->setSizePolicy(kept);
    m_map = new QualityMap;
    m_mapArea = new QScrollArea(part);
    m_mapArea->setWidget(m_map);
    m_mapArea->setWidgetResizable(true);
    m_mapArea->setFrameShape(QFrame::NoFrame);
    m_mapArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_mapArea->setFocusPolicy(Qt::NoFocus);
    m_mapArea->viewport()->setBackgroundRole(QPalette::Base);
    m_map->setBackgroundRole(QPalette::Base);
    auto* head = new QHBoxLayout;
    head->setSpacing(2); // heading and legend just fit a window of 900 pixels
    head->addWidget(m_heading);
    head->addStretch(1);
    head->addWidget(m_legend);
    m_importance = new ElidedLabel(TextStyle::Axis, Token::Muted, Qt::ElideRight, part);
    m_importance->setAccessibleName(tr("What the figures do not show"));
    m_importance->hide();
    m_behaviour = new BehaviourField(m_comparison, part);
    m_behaviour->hide();
    connect(m_behaviour, &BehaviourField::viewChosen, this, &MapPage::showView);
    connect(m_scatter, &BehaviourScatter::pointChosen, this, [this](std::size_t row, std::size_t file) {
        m_detail->setFile(file);
        chooseRow(row);
    });
    m_scatter->hide();
    m_layers->hide();
    connect(m_layers, &LayerView::blockChosen, this, &MapPage::chooseBlock);
    connect(m_layers, &LayerView::menuRequested, this, [this](std::size_t block, QPoint globalPos) {
        showBlockMenu(static_cast<std::uint32_t>(block), globalPos);
    });
    connect(m_map, &QualityMap::menuRequested, this, [this](std::size_t row, QPoint globalPos) {
        const auto block = m_comparison.matches()->rows[row].block;
        if (block && shownMetric() == Metric::Divergence) {
            showBlockMenu(*block, globalPos);
        }
    });
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(kMapMargin, 12, kMapMargin, 4);
    column->setSpacing(8);
    column->addLayout(head);
    column->addWidget(m_importance);
    column->addWidget(m_behaviour);
    column->addWidget(m_mapArea, 1);
    column->addWidget(m_scatter, 1);
    column->addWidget(m_layers, 1);
    part->setMinimumHeight(96);
    return part;
}

} // namespace gufo::ui
