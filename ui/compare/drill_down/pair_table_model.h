// All rows of a comparison as a table that can be filtered and sorted: tensor, type, each file's figure by one metric,
// and the share of one file's total error. The worst rows come first: rows that cannot be compared, with the reason,
// then rows that are farthest from the reference.
//
// UI thread only. Reads headers and figures, never weights.
#pragma once

#include "text/tensor_filter.h"
#include "ui/compare/comparison.h"
#include "ui/report/metric_scale.h"
#include "ui/theme/theme.h"

#include <QAbstractTableModel>

namespace gufo::ui {

class PairTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role {
        kRowRole = Qt::UserRole, // uint: row of the matches
        kSwatchRole,             // QColor of the square before a figure; invalid: no square
        kShareRole,              // double 0 … 1: length of the bar, relative to the largest share
    };
    enum Column { kName, kType, kFirstFile };

    explicit PairTableModel(const Comparison& comparison, QObject* parent = nullptr);

    void setMetric(Metric metric);
    [[nodiscard]] Metric metric() const { return m_metric; }
    void setColors(const MetricScale& scale, ColorMap map);
    // Sets the file whose type and share of the error are shown.
    void setFile(std::size_t file);
    [[nodiscard]] std::size_t file() const { return m_file; }
    void setFilter(text::TensorFilter filter);

    [[nodiscard]] int shareColumn() const { return kFirstFile + static_cast<int>(m_files.size()); }
    // The file of a column. Empty for other columns.
    [[nodiscard]] std::optional<std::size_t> fileOf(int column) const;
    [[nodiscard]] int columnOf(std::size_t file) const;
    [[nodiscard]] const std::vector<std::uint32_t>& rows() const { return m_shown; }
    [[nodiscard]] int indexOfRow(std::size_t row) const; // −1: hidden by the filter
    [[nodiscard]] QString label(std::size_t row) const;
    // The number of visible rows, and of those among them that have no counterpart in any other file.
    struct Counts {
        std::size_t all = 0;
        std::size_t apart = 0;
    };
    [[nodiscard]] Counts counts() const;

    void rowsFound(const std::vector<std::size_t>& rows);
    void resort(); // call after figures have arrived
    void refill(); // call after files or matches have changed

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    // −1: by the worst figure over all files. The names in ascending order are in the order of the file.
    void sort(int column, Qt::SortOrder order) override;
    // The row of the matches that is worst over all files, filtered or not. Empty if no tensor differs.
    [[nodiscard]] std::optional<std::size_t> worstRow() const;

private:
    // How far a tensor is from the reference, the worst first.
    struct Rank {
        enum Kind : std::uint8_t {
            kFailed,
            kMissing,
            kReshaped,
            kExtra,
            kNothingCompared, // none of its weights is finite in both files
            kPartlyCompared,
            kDifferent,
            kSame,
            kPending,
            kAbsent,
        };
        Kind kind = kAbsent;
        double value = 0;
        auto operator<=>(const Rank&) const = default;
    };
    [[nodiscard]] Rank rankIn(std::size_t row, std::size_t file) const;
    [[nodiscard]] Rank worstRank(std::size_t row) const; // over all files

    void fillShown();
    void reorder();
    void addUp();
    [[nodiscard]] std::optional<double> figure(std::size_t row, std::size_t file) const;
    [[nodiscard]] QString stateText(std::size_t row, std::size_t file) const;
    [[nodiscard]] QStringList leftOut(std::size_t row, std::size_t file) const; // what the figure leaves out
    [[nodiscard]] double share(std::size_t row) const;
    [[nodiscard]] QVariant exact(std::size_t row, int column) const; // for kExactRole
    [[nodiscard]] QString typeText(std::size_t row, std::size_t file) const;

    const Comparison& m_comparison;
    std::vector<std::size_t> m_files; // the files except the reference, one per column
    std::size_t m_file = 0;
    Metric m_metric = Metric::Sqnr;
    MetricScale m_scale{};
    ColorMap m_map = ColorMap::Viridis;
    text::TensorFilter m_filter;
    std::vector<std::uint32_t> m_shown;
    std::vector<int> m_indexOf; // by row of the matches; −1: hidden
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    double m_errorSum = 0; // of m_file, over all rows
    double m_maxError = 0;
};

} // namespace gufo::ui
