// The heat map of a tensor with its title line: what is in sight, which matrix of a larger tensor, colours, full
// screen.
#pragma once

#include "analysis/slice.h"
#include "model/model.h"
#include "ui/jobs/job.h"
#include "ui/plots/heat_map.h"

#include <QComboBox>
#include <QLabel>
#include <QPointer>
#include <QToolButton>

namespace gufo::ui {

class JobBar;
class SliceSelector;

class MapSection : public QWidget {
    Q_OBJECT

public:
    explicit MapSection(QWidget* parent = nullptr);

    void setTensor(std::shared_ptr<const Model> model, TensorIndex tensor);
    void reset();
    void setDeviation(std::optional<double> std); // colours reach to 4.5 of it

    [[nodiscard]] HeatMap& map() { return *m_map; }
    [[nodiscard]] SliceSelector& slice() { return *m_slice; }
    [[nodiscard]] bool isBusy() const { return !m_job.isNull(); }
    void setColorMap(ColorMap map);
    // In a window of its own over the whole screen, and back.
    void setFullScreen(bool on);

signals:
    void sliceChanged(); // another matrix of the tensor
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
    std::optional<double> m_std;
    QPointer<Job> m_job;
    QPointer<QWidget> m_home; // the parent while on full screen
    int m_homeIndex = 0;

    QLabel* m_description;
    SliceSelector* m_slice;
    QComboBox* m_colors;
    QToolButton* m_fullScreen;
    JobBar* m_progress;
    HeatMap* m_map;
};

} // namespace gufo::ui
