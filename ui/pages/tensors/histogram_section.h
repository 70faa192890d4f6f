// A histogram of a tensor's weights, block scales or codes, as a plot or as a table.
#pragma once

#include "analysis/statistics.h"
#include "model/model.h"
#include "ui/jobs/latest_job.h"
#include "ui/pages/tensors/models/histogram_model.h"
#include "ui/plots/histogram_plot.h"

#include <QHBoxLayout>
#include <QPointer>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>

namespace gufo::ui {

class JobBar;
class SegmentedControl;

class HistogramSection : public QWidget {
    Q_OBJECT

public:
    explicit HistogramSection(QWidget* parent = nullptr);

    // Sets a new tensor and cancels jobs for the previous one.
    void setTensor(std::shared_ptr<const Model> model, TensorIndex tensor);
    void setAnalysis(const TensorAnalysis& analysis); // an analysis of that tensor's weights
    void reset();                                     // shows no tensor

    [[nodiscard]] HistogramPlot& plot() { return *m_plot; }
    [[nodiscard]] PictureFrame frame() const; // for a picture of the plot
    [[nodiscard]] QString csv() const;        // the bins as they are shown
    [[nodiscard]] const HistogramModel& figures() const { return m_figures; }
    [[nodiscard]] const QTableView* figuresView() const { return m_table; }
    [[nodiscard]] bool isBusy() const { return m_job.isRunning(); }

    enum Subject { kWeights, kScales, kCodes };
    void setSubject(int subject);
    void setLogarithmic(bool logarithmic);
    [[nodiscard]] bool isLogarithmic() const { return m_plot->isLogarithmic(); }

signals:
    void failed(const gufo::Error& error);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void show(const TensorAnalysis& analysis, const QString& things);
    void showSubject();
    void showCodes();
    void recount(double lo, double hi);
    void analyseBlocksThen(std::optional<std::array<double, 2>> range);

    std::shared_ptr<const Model> m_model;
    TensorIndex m_tensor{};
    std::optional<TensorAnalysis> m_weights;
    std::optional<BlockAnalysis> m_blocks;
    int m_subject = kWeights;
    LatestJob m_job{this};

    QHBoxLayout* m_head;
    QHBoxLayout* m_secondLine;
    bool m_oneLine = true;
    SegmentedControl* m_subjectChoice;
    SegmentedControl* m_axisChoice;
    QToolButton* m_tableButton;
    QStackedWidget* m_stack;
    HistogramPlot* m_plot;
    QTableView* m_table;
    HistogramModel m_figures;
    JobBar* m_progress;
};

} // namespace gufo::ui
