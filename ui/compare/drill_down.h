// One tensor of a comparison in detail: histograms of its values and errors, weights against weights, errors by row and
// column, single blocks, and its figures as a table. What is in front is computed by jobs; another tensor cancels them.
#pragma once

#include "base/place.h"
#include "ui/compare/comparison.h"
#include "ui/compare/pair_statistics_model.h"
#include "ui/pages/page.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QTimer>
#include <QToolButton>

namespace gufo::ui {

class BlockValues;
class DensityPlot;
class ElidedLabel;
class EmptyState;
class ErrorMap;
class JobBar;
class PictureMenu;
class SegmentedControl;
class SeriesHistogram;
class SeriesLegend;

class DrillDown : public QWidget {
    Q_OBJECT

public:
    enum View { kHistograms, kScatter, kMap, kBlocks };

    explicit DrillDown(Comparison& comparison, QWidget* parent = nullptr);

    void showRow(std::size_t row); // of the matches
    void clear();
    void setFile(std::size_t file); // that scatter, map and blocks are of
    [[nodiscard]] std::size_t file() const { return m_file; }
    void setView(int view);
    [[nodiscard]] int view() const;
    void setColorMap(ColorMap map);
    void figuresCame(); // of the row that is shown

    [[nodiscard]] bool isBusy() const { return !m_job.isNull() || !m_errorJob.isNull(); }
    [[nodiscard]] SeriesHistogram& values() { return *m_values; }
    [[nodiscard]] SeriesHistogram& errors() { return *m_errors; }
    [[nodiscard]] DensityPlot& density() { return *m_density; }
    [[nodiscard]] ErrorMap& errorMap() { return *m_errorMap; }
    [[nodiscard]] BlockValues& blocks() { return *m_blocks; }
    [[nodiscard]] QTableView* statistics() const { return m_statistics; }
    [[nodiscard]] SegmentedControl* viewField() const { return m_viewField; }

    // What has the focus: the block's table; the figures of the histograms or of the scatter plot; else the statistics.
    [[nodiscard]] QString copyText(Page::CopyFormat format) const;
    [[nodiscard]] QJsonObject saveState() const;
    void restoreState(const QJsonObject& state);

signals:
    void openInTab(const std::filesystem::path& file, const gufo::Place& place);
    void message(const QString& text);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* buildHead();
    QWidget* buildHistograms();
    void buildStatistics();
    PictureMenu* exportMenu(QWidget& plot);
    void describe();
    void fillFiles();
    void start();
    void startHistograms();
    void startErrors();
    void startScatter();
    void recountValues(double lo, double hi);
    void recountErrors(double lo, double hi);
    void recountScatter(double lo, double hi);
    void fitStatistics();
    void showFailure(const Error& error);
    [[nodiscard]] std::vector<std::size_t> comparable() const; // the files beside the reference that can be compared
    [[nodiscard]] std::optional<double> rmseOf(std::size_t file) const;
    [[nodiscard]] std::uint64_t worstWeight(std::size_t file) const;

    Comparison& m_comparison;
    std::optional<std::size_t> m_row;
    std::size_t m_file = 0;
    bool m_stale = true; // the view in front has not been asked for yet
    PairStatisticsModel m_statisticsModel;
    QPointer<Job> m_job;
    QPointer<Job> m_errorJob;
    QTimer m_startSoon;

    QLabel* m_name;
    ElidedLabel* m_facts;
    SegmentedControl* m_viewField;
    QComboBox* m_fileField;
    QPushButton* m_open;
    JobBar* m_progress;
    QStackedWidget* m_states; // views, nothing
    QStackedWidget* m_views;
    EmptyState* m_nothing;
    SeriesLegend* m_legend;
    QLabel* m_errorTitle;
    SeriesHistogram* m_values;
    SeriesHistogram* m_errors;
    DensityPlot* m_density;
    ErrorMap* m_errorMap;
    BlockValues* m_blocks;
    QTableView* m_statistics;
};

} // namespace gufo::ui
