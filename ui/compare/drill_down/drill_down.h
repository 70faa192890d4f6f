// One tensor of a comparison in detail: histograms of its values and errors, a scatter plot, a map of errors by row and
// column, single blocks, and a table of statistics. Jobs compute the visible view; choosing another tensor cancels
// them.
#pragma once

#include "base/place.h"
#include "ui/compare/comparison.h"
#include "ui/plots/picture_frame.h"
#include "ui/shell/page.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QTimer>
#include <QToolButton>

class QCustomPlot;

namespace gufo::ui {

class BlockValues;
class DensityPlot;
class ElidedLabel;
class EmptyState;
class ErrorMap;
class JobBar;
class PairHistograms;
class PairScatter;
class PairStatisticsTable;
class SegmentedControl;
class SeriesHistogram;

class DrillDown : public QWidget {
    Q_OBJECT

public:
    enum View { kHistograms, kScatter, kMap, kBlocks };

    explicit DrillDown(Comparison& comparison, QWidget* parent = nullptr);

    void showRow(std::size_t row); // a row of the matches
    void clear();
    void setFile(std::size_t file); // the file of the scatter plot, map and blocks
    [[nodiscard]] std::size_t file() const { return m_file; }
    void setView(int view);
    [[nodiscard]] int view() const;
    void setColorMap(ColorMap map);
    void figuresArrived(); // call when figures of the shown row have arrived

    [[nodiscard]] bool isBusy() const;
    [[nodiscard]] SeriesHistogram& values();
    [[nodiscard]] SeriesHistogram& errors();
    [[nodiscard]] DensityPlot& density();
    [[nodiscard]] BlockValues& blocks() { return *m_blocks; }
    [[nodiscard]] QTableView* statistics() const;

    // The table of the focused view: the block's weights, or the figures of the histograms or the scatter plot;
    // otherwise the statistics.
    [[nodiscard]] QString copyText(CopyFormat format) const;
    [[nodiscard]] QJsonObject saveState() const;
    void restoreState(const QJsonObject& state);

signals:
    void openInTab(const gufo::hub::ModelPlace& file, const gufo::Place& place);
    void message(const QString& text);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* buildHead();
    void fitHead();
    void addExportMenu(QCustomPlot& plot);
    [[nodiscard]] PictureFrame frameOf(const QCustomPlot& plot) const;
    void clearViews();
    void describe();
    [[nodiscard]] std::uint64_t unwantedBytes() const;
    void fillFiles();
    void start();
    void showFailure(const Error& error);
    [[nodiscard]] std::vector<std::size_t> comparable() const; // the files except the reference that can be compared
    [[nodiscard]] std::optional<double> rmseOf(std::size_t file) const;
    [[nodiscard]] std::uint64_t worstWeight(std::size_t file) const;

    Comparison& m_comparison;
    std::optional<std::size_t> m_row;
    std::size_t m_file = 0;
    bool m_stale = true; // the visible view has not been computed yet
    QTimer m_startSoon;

    ElidedLabel* m_name;
    ElidedLabel* m_facts;
    QBoxLayout* m_head; // the name and the fields: beside each other or, in a narrow panel, in two lines
    SegmentedControl* m_viewField;
    QComboBox* m_fileField;
    QPushButton* m_open;
    JobBar* m_progress;
    QStackedWidget* m_states; // the views, or an explanation
    QStackedWidget* m_views;
    EmptyState* m_nothing;
    PairHistograms* m_histograms;
    PairScatter* m_scatter;
    ErrorMap* m_errorMap;
    BlockValues* m_blocks;
    PairStatisticsTable* m_statistics;
};

} // namespace gufo::ui
