// Two histograms side by side: the weights of a tensor in all files, and their errors relative to the reference. Jobs
// count them, and recount after a zoom.
#pragma once

#include "ui/compare/comparison.h"
#include "ui/jobs/latest_job.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QWidget>

namespace gufo::ui {

class ElidedLabel;
class SeriesHistogram;
class SeriesLegend;

class PairHistograms : public QWidget {
    Q_OBJECT

public:
    explicit PairHistograms(Comparison& comparison, QWidget* parent = nullptr);
    // `files` does not include the reference.
    void setRow(MatchedRow row, std::vector<std::size_t> files);
    void cancel();
    void clear(); // also cancels the jobs
    [[nodiscard]] bool isBusy() const { return m_valueJob.isRunning() || m_errorJob.isRunning(); }
    [[nodiscard]] SeriesHistogram& values() { return *m_values; }
    [[nodiscard]] SeriesHistogram& errors() { return *m_errors; }

signals:
    void started(gufo::ui::Job* job, const QString& what);
    void failed(const gufo::Error& error);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    // Where the names of the files have no room beside the title, they get a line of their own.
    void placeLegend();
    using Range = std::optional<std::array<double, 2>>; // empty: the full range, for new content
    void countValues(const Range& range);
    void countErrors(const Range& range);
    void take(SeriesHistogram& plot, const std::vector<std::size_t>& files, Result<std::vector<Histogram>> histograms,
              bool again);

    Comparison& m_comparison;
    MatchedRow m_row;
    std::vector<std::size_t> m_files;
    LatestJob m_valueJob{this};
    LatestJob m_errorJob{this};
    QVBoxLayout* m_column;
    QHBoxLayout* m_head; // of the weights: title and legend
    QLabel* m_valuesTitle;
    SeriesLegend* m_legend;
    bool m_legendIsBelow = false;
    ElidedLabel* m_errorTitle;
    SeriesHistogram* m_values;
    SeriesHistogram* m_errors;
};

} // namespace gufo::ui
