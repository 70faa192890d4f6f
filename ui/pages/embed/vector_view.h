// The vectors of a set of lines: the map of similarities or the projection, and beside it the lines that are most
// similar to a chosen one.
#pragma once

#include "ui/pages/embed/scored_lines_model.h"
#include "ui/pages/embed/similarity_map.h"
#include "ui/plots/picture_menu.h"
#include "ui/plots/projection_plot.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/segmented_control.h"

#include <QCheckBox>
#include <QLabel>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>

namespace gufo::ui {

// A table of scored lines, as the neighbours and the ranking look alike.
[[nodiscard]] QTableView* makeScoredTable(ScoredLinesModel* model, const QString& accessibleName, QWidget* parent);
void setScoredColumns(QTableView& table, const ScoredLinesModel& model);

class VectorView : public QWidget {
    Q_OBJECT

public:
    explicit VectorView(QWidget* parent = nullptr);

    void setResult(std::shared_ptr<const EmbedResult> result);
    void choose(std::size_t line); // index of the line
    [[nodiscard]] std::size_t chosen() const { return m_chosen; }

    [[nodiscard]] SegmentedControl* plotControl() const { return m_which; }
    void showPlot(int index);
    [[nodiscard]] SimilarityMap* map() const { return m_map; }
    [[nodiscard]] ProjectionPlot* projection() const { return m_projection; }
    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] ScoredLinesModel* neighbours() const { return m_model; }
    [[nodiscard]] QSplitter* splitter() const { return m_splitter; }
    [[nodiscard]] QString hoverText() const { return m_hover->text(); }
    // The model's name, for pictures.
    void setModelName(const QString& name) { m_modelName = name; }
    // Exports of the two plots; they are also the context menus of the plots.
    [[nodiscard]] PictureMenu& mapPictures() const { return *m_mapPictures; }
    [[nodiscard]] PictureMenu& projectionPictures() const { return *m_projectionPictures; }

private:
    void showNeighbours();
    [[nodiscard]] static QString hoverText(const EmbedResult& result, std::size_t line);
    [[nodiscard]] static std::shared_ptr<const ProjectedPoints>
    pointsOf(const std::shared_ptr<const EmbedResult>& result);
    [[nodiscard]] PictureFrame frameOf(const QCustomPlot& plot) const;

    std::shared_ptr<const EmbedResult> m_result;
    std::size_t m_chosen = 0;
    bool m_setting = false;
    QSplitter* m_splitter;
    SegmentedControl* m_which;
    QCheckBox* m_labels;
    QStackedWidget* m_plots;
    SimilarityMap* m_map;
    ProjectionPlot* m_projection;
    ElidedLabel* m_hover;
    QSpinBox* m_line;
    QLabel* m_text;
    ScoredLinesModel* m_model;
    QTableView* m_table;
    QString m_modelName;
    PictureMenu* m_mapPictures;
    PictureMenu* m_projectionPictures;
};

} // namespace gufo::ui
