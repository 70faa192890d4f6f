// The first page of a comparison: the quality map, the list of tensors from the worst to the best, and one tensor in
// detail.
#pragma once

#include "ui/compare/behaviour/behaviour_measure.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/map/quality_map.h"
#include "ui/jobs/latest_job.h"
#include "ui/plots/plot_export.h"

#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>

class QCheckBox;
class QPushButton;

namespace gufo::ui {

class BehaviourField;
class BehaviourScatter;
class DrillDown;
class ElidedLabel;
class LayerView;
class MetricLegend;
class PairList;
class KeptWidth;

class MapPage : public ComparePage {
    Q_OBJECT

public:
    explicit MapPage(Comparison& comparison, QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString iconName() const override { return QStringLiteral("heat-map"); }
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject& state) override;

    bool goTo(const Place& place) override;
    [[nodiscard]] QString copyText(CopyFormat format) const override;
    [[nodiscard]] QWidget* filterField() const override;

    [[nodiscard]] QualityMap& map() { return *m_map; }
    [[nodiscard]] PairList& list() { return *m_list; }
    [[nodiscard]] DrillDown& detail() { return *m_detail; }
    [[nodiscard]] std::optional<std::size_t> row() const { return m_row; } // row of the matches whose details are shown
    void chooseRow(std::size_t row);
    void showRow(std::size_t row);
    [[nodiscard]] QString importanceText() const;
    [[nodiscard]] QComboBox* metricField() { return m_metric; }
    void setMetric(Metric metric);
    [[nodiscard]] Metric shownMetric() const { return m_map->shownMetric(); }
    [[nodiscard]] BehaviourScatter& scatter() const { return *m_scatter; }
    [[nodiscard]] LayerView& layers() const { return *m_layers; }
    // Measures which tensors make the files predict another token than the reference after these ones, and shows it.
    void showBehaviour(BehaviourText text);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* buildStrip();
    QWidget* buildMapPart();
    void layOutGrid();
    void updateLegend();
    void showImportance();
    void updateBehaviour(); // after figures have arrived
    void showView();
    void chooseBlock(std::size_t block, std::size_t file); // shows its tensor that changes the answers most
    void showBlockMenu(std::uint32_t block, QPoint globalPos);
    void updateNothing();
    void fitRows();
    void chooseFirst();
    // Shows the worst tensor. False if it is not known yet, if none differs, or if the user has chosen one.
    bool showWorst();
    [[nodiscard]] Picture mapPicture() const;
    [[nodiscard]] QStringList mapHeader() const;
    [[nodiscard]] QList<QStringList> mapRows() const;

    MapGridOptions m_options;
    std::optional<std::size_t> m_row;
    bool m_choseItself = false; // the row was chosen by the page and not by the user
    QString m_wantedTensor;     // name of the selected tensor, kept when the files change
    LatestJob m_layoutJob{this};

    QComboBox* m_reference;
    QComboBox* m_metric;
    QCheckBox* m_sameScale;
    QCheckBox* m_vectors;
    QComboBox* m_colors;
    QLabel* m_heading;
    MetricLegend* m_legend;
    ElidedLabel* m_importance; // what plain errors do not show
    BehaviourField* m_behaviour;
    BehaviourScatter* m_scatter;
    LayerView* m_layers;
    QPushButton* m_mapExport;
    QPushButton* m_scatterExport;
    QPushButton* m_layersExport;
    QScrollArea* m_mapArea;
    QualityMap* m_map;
    PairList* m_list;
    DrillDown* m_detail;
    QSplitter* m_lower; // list and detail
    KeptWidth* m_listWidth;
    QSplitter* m_parts; // map above, the lower part below
};

} // namespace gufo::ui
