// The right side of the Tensors page: the details of one tensor.
#pragma once

#include "analysis/statistics.h"
#include "model/model.h"
#include "ui/jobs/latest_job.h"
#include "ui/pages/tensors/models/statistics_model.h"
#include "ui/pages/tensors/models/tensor_moves.h"
#include "ui/shell/page.h"

#include <QElapsedTimer>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTableView>
#include <QTimer>
#include <QToolButton>

#include <map>

namespace gufo::ui {

class CorrelationLine;
class ElidedLabel;
class EmptyState;
class HistogramSection;
class Job;
class JobBar;
class MapSection;
class SpectrumSection;
class TensorExport;
class TensorSummaries;
class ValuesSection;
class WhatIfButton;

class TensorDetail : public QWidget {
    Q_OBJECT

public:
    explicit TensorDetail(TensorSummaries& summaries, QWidget* parent = nullptr);
    void setModel(std::shared_ptr<const Model> model);
    // Switches to another snapshot. The current tensor is kept if it still exists with the same bytes.
    void follow(std::shared_ptr<const Model> model, const std::vector<TensorMove>& moves);
    void showTensor(TensorIndex tensor);
    void clear();
    // Shows a weight of the current tensor in the map and the grid.
    void showWeight(std::uint64_t index);

    [[nodiscard]] std::optional<TensorIndex> tensor() const { return m_tensor; }
    [[nodiscard]] HistogramSection& histogram() { return *m_histogram; }
    [[nodiscard]] MapSection& map() { return *m_map; }
    [[nodiscard]] ValuesSection& values() { return *m_values; }
    [[nodiscard]] SpectrumSection& spectrum() { return *m_spectrum; }
    [[nodiscard]] CorrelationLine& correlation() { return *m_correlation; }
    [[nodiscard]] WhatIfButton& whatIf() { return *m_whatIf; }
    [[nodiscard]] const StatisticsModel& statistics() const { return m_statistics; }
    [[nodiscard]] QString notice() const; // the warning above the sections; may be empty
    // Fetches the weights of a tensor on a server and shows them; hidden unless they are missing.
    [[nodiscard]] QPushButton* fetchButton() const { return m_fetch; }
    [[nodiscard]] bool isBusy() const { return m_job.isRunning(); }

    // The grid's selection or the table that has the focus; otherwise the statistics.
    [[nodiscard]] QString copyText(CopyFormat format) const;
    [[nodiscard]] QString gridText(CopyFormat format) const;

    [[nodiscard]] QJsonObject saveState() const;
    void restoreState(const QJsonObject& state);

signals:
    void statusChanged(const QString& left, const QStringList& right);

private:
    void buildHead();
    void buildSections();
    void describe(const TensorInfo& info);
    void showSections(const TensorInfo& info);
    void offerToFetch(std::uint64_t bytes);
    void setNotice(const QString& text);
    void showError(const Error& error);
    void analyse();
    void take(const TensorAnalysis& analysis);
    void showPlace(std::uint64_t row, std::uint64_t column); // of the shown matrix
    void updateStatus(const QString& left);
    void restyle();
    [[nodiscard]] QString tensorText() const;

    std::shared_ptr<const Model> m_model;
    std::optional<TensorIndex> m_tensor;
    std::optional<TensorIndex> m_wanted; // the tensor on a server that the user wants to see
    TensorSummaries& m_summaries;
    StatisticsModel m_statistics;
    std::map<TensorIndex, TensorAnalysis> m_known; // of tensors viewed before
    LatestJob m_job{this};
    QTimer m_startSoon;
    bool m_interrupted = false; // by a save: the analysis runs again when the saved model is shown

    ElidedLabel* m_name;
    QLabel* m_facts;
    QPushButton* m_copy;
    WhatIfButton* m_whatIf;
    QPushButton* m_exportButton;
    QLabel* m_notice;
    JobBar* m_progress;
    QStackedWidget* m_stack;
    EmptyState* m_empty;
    QWidget* m_unfetched; // for a tensor whose weights are on a server
    EmptyState* m_fetchTexts;
    QPushButton* m_fetch;
    QScrollArea* m_scroll;
    QWidget* m_figures; // histogram and statistics
    QTableView* m_statisticsView;
    HistogramSection* m_histogram;
    MapSection* m_map;
    ValuesSection* m_values;
    SpectrumSection* m_spectrum;
    CorrelationLine* m_correlation;
    TensorExport* m_export;
};

} // namespace gufo::ui
