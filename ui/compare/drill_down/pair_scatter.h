// The scatter plot of a tensor's weights in one file against the reference's weights. A job counts them, and recounts
// after a zoom.
#pragma once

#include "ui/compare/drill_down/matched_row.h"

#include <QPointer>
#include <QWidget>

namespace gufo::ui {

class DensityPlot;

class PairScatter : public QWidget {
    Q_OBJECT

public:
    explicit PairScatter(Comparison& comparison, QWidget* parent = nullptr);
    void setPair(MatchedRow row, std::size_t file);
    void cancel() { delete m_job; }
    void clear(); // also cancels the job
    [[nodiscard]] bool isBusy() const { return !m_job.isNull(); }
    [[nodiscard]] DensityPlot& plot() { return *m_plot; }

signals:
    void started(gufo::ui::Job* job, const QString& what);
    void failed(const gufo::Error& error);

private:
    void count(const std::optional<std::array<double, 2>>& range); // empty: the full range, for new content

    Comparison& m_comparison;
    MatchedRow m_row;
    std::size_t m_file = 0;
    QPointer<Job> m_job;
    DensityPlot* m_plot;
};

} // namespace gufo::ui
