// The list beside the map: every row of the comparison, worst first, with a filter.
#pragma once

#include "ui/compare/drill_down/pair_table_model.h"
#include "ui/shell/page.h"

#include <QLabel>
#include <QTableView>
#include <QTimer>

namespace gufo::ui {

class ElidedLabel;
class FilterField;
class SegmentedControl;

class PairList : public QWidget {
    Q_OBJECT

public:
    explicit PairList(Comparison& comparison, QWidget* parent = nullptr);

    void setMetric(Metric metric);
    void setColors(const MetricScale& scale, ColorMap map) { m_model.setColors(scale, map); }
    void select(std::size_t row); // a row of the matches; clears the filter if it hides the row
    [[nodiscard]] std::optional<std::size_t> current() const;

    [[nodiscard]] PairTableModel& model() { return m_model; }
    [[nodiscard]] QTableView* view() const { return m_view; }
    [[nodiscard]] FilterField* filterField() const { return m_filter; }
    [[nodiscard]] QString copyText(CopyFormat format) const;
    [[nodiscard]] QJsonObject saveState() const;
    void restoreState(const QJsonObject& state);

signals:
    void currentChanged(std::size_t row);
    void fileChosen(std::size_t file); // the file whose column was sorted by

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void sortBy(int choice);
    void sorted(int column, Qt::SortOrder order);
    void selectFirst(); // the worst, when all figures are known
    void filterBy(const QString& text);
    void updateCounts();
    void fitColumns();

    Comparison& m_comparison;
    PairTableModel m_model;
    QTableView* m_view;
    FilterField* m_filter;
    QString m_filterError; // why its text is not a filter; the last good filter stays
    SegmentedControl* m_order;
    QLabel* m_title;
    ElidedLabel* m_counts;
    ElidedLabel* m_error; // shown instead
    QTimer m_resort;      // runs while figures arrive
    bool m_selecting = false;
};

} // namespace gufo::ui
