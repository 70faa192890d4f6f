// All rows of a comparison as a table, filtered and sorted: tensor, type, the figure of every file by one metric, and
// the share of one file's whole error. What cannot be compared is listed with the reason, after what can.
//
// UI thread. Reads headers and figures only, never weights.
#pragma once

#include "ui/compare/comparison.h"
#include "ui/models/tensor_filter.h"
#include "ui/report/metric_scale.h"
#include "ui/theme/theme.h"

#include <QAbstractTableModel>

namespace gufo::ui {

class PairTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role {
        kRowRole = Qt::UserRole, // uint: row of the matches
        kSwatchRole,             // QColor of the square before a figure; invalid: none
        kShareRole,              // double 0 … 1, beside the largest share: length of the bar
    };
    enum Column { kName, kType, kFirstFile };

    explicit PairTableModel(const Comparison& comparison, QObject* parent = nullptr);

    void setMetric(Metric metric);
    [[nodiscard]] Metric metric() const { return m_metric; }
    void setColors(const MetricScale& scale, ColorMap map);
    // Of which file type and share of error are shown.
    void setFile(std::size_t file);
    [[nodiscard]] std::size_t file() const { return m_file; }
    void setFilter(TensorFilter filter);

    [[nodiscard]] int shareColumn() const { return kFirstFile + static_cast<int>(m_files.size()); }
    // The file of a column; nothing for the others.
    [[nodiscard]] std::optional<std::size_t> fileOf(int column) const;
    [[nodiscard]] int columnOf(std::size_t file) const;
    [[nodiscard]] const std::vector<std::uint32_t>& rows() const { return m_shown; }
    [[nodiscard]] int indexOfRow(std::size_t row) const; // −1: filtered away
    [[nodiscard]] QString label(std::size_t row) const;
    // The counts of what is shown: those that were compared, and the others.
    struct Counts {
        std::size_t all = 0;
        std::size_t apart = 0;
    };
    [[nodiscard]] Counts counts() const;

    void rowsFound(const std::vector<std::size_t>& rows);
    void resort(); // after figures have come
    void refill(); // after files or matches have changed

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override; // −1: the order of the files

private:
    void fillShown();
    void reorder();
    void addUp();
    [[nodiscard]] std::optional<double> figure(std::size_t row, std::size_t file) const;
    [[nodiscard]] QString stateText(std::size_t row, std::size_t file) const;
    [[nodiscard]] double share(std::size_t row) const;
    [[nodiscard]] QString typeText(std::size_t row, std::size_t file) const;

    const Comparison& m_comparison;
    std::vector<std::size_t> m_files; // beside the reference: the columns
    std::size_t m_file = 0;
    Metric m_metric = Metric::Sqnr;
    MetricScale m_scale{};
    ColorMap m_map = ColorMap::Viridis;
    TensorFilter m_filter;
    std::vector<std::uint32_t> m_shown;
    std::vector<int> m_indexOf; // by row; −1
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    double m_errorSum = 0; // of the file, over all rows
    double m_mostError = 0;
};

} // namespace gufo::ui
