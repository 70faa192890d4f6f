// The heat map of a tensor with a title line: the visible range, the matrix shown of a larger tensor, colours, full
// screen.
#pragma once

#include "analysis/slice.h"
#include "analysis/statistics.h"
#include "model/model.h"
#include "ui/jobs/latest_job.h"
#include "ui/plots/heat_map.h"
#include "ui/plots/picture_frame.h"

#include <QComboBox>
#include <QLabel>
#include <QPointer>
#include <QToolButton>
#include <QWidget>

namespace gufo::ui {

class JobBar;
class SliceSelector;

class MapSection : public QWidget {
    Q_OBJECT

public:
    explicit MapSection(QWidget* parent = nullptr);

    void setTensor(std::shared_ptr<const Model> model, TensorIndex tensor);
    void reset();
    void setStatistics(const Statistics& statistics); // of the tensor: limits of the colours

    [[nodiscard]] HeatMap& map() { return *m_map; }
    [[nodiscard]] PictureFrame frame() const; // for a picture of the map
    [[nodiscard]] SliceSelector& slice() { return *m_slice; }
    [[nodiscard]] bool isBusy() const { return m_job.isRunning(); }
    void setColorMap(ColorMap map);
    void setFold(MapFold fold);
    // Moves the map to a full-screen window, or back.
    void setFullScreen(bool on);

signals:
    void sliceChanged(); // another matrix of the tensor is shown
    void failed(const gufo::Error& error);

protected:
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void setMatrix();
    void fetch();
    void describe(const CellRange& range);

    std::shared_ptr<const Model> m_model;
    TensorIndex m_tensor{};
    Statistics m_statistics;
    LatestJob m_job{this};
    QPointer<QWidget> m_home; // the parent to return to from full screen
    int m_homeIndex = 0;

    QLabel* m_description;
    SliceSelector* m_slice;
    FoldField* m_fold;
    QComboBox* m_colors;
    QToolButton* m_fullScreen;
    JobBar* m_progress;
    HeatMap* m_map;
};

} // namespace gufo::ui
