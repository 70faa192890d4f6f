// The scatter plot of a tensor's weights in one file against the reference's weights. A job counts them, and recounts
// after a zoom.
#pragma once

#include "ui/compare/comparison.h"
#include "ui/jobs/latest_job.h"

#include <QPointer>
#include <QWidget>

namespace gufo::ui {

class DensityPlot;

class PairScatter : public QWidget {
    Q_OBJECT

public:
    explicit PairScatter(Comparison& comparison, QWidget* parent = nullptr);
    void setPair(MatchedRow row, std::size_t file);
    void cancel() { m_job.cancel(); }
    void clear(); // also cancels the job
    [[nodiscard]] bool isBusy() const { return m_job.isRunning(); }
    [[nodiscard]] DensityPlot& plot() { return *m_plot; }

signals:
    void started(gufo::ui::Job* job, const QString& what);
    void failed(const gufo::Error& error);

private:
    void count(const std::optional<std::array<double, 2>>& range); // empty: the full range, for new content

    Comparison& m_comparison;
    MatchedRow m_row;
    std::size_t m_file = 0;
    LatestJob m_job{this};
    DensityPlot* m_plot;
};

} // namespace gufo::ui
