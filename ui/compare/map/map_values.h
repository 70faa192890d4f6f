// The figures of a quality map's cells for every file by one metric. They can be updated row by row. By
// Metric::Divergence, they are what swapping the tensors changes in the answers (Comparison::behaviourOf()).
#pragma once

#include "ui/compare/comparison.h"
#include "ui/report/map_grid.h"
#include "ui/report/metric_scale.h"

namespace gufo::ui {

struct MapCellValue {
    enum class Kind : std::uint8_t {
        Empty,   // no model has such a tensor
        Pending, // not compared yet
        Apart,   // missing, extra or reshaped: cannot be compared
        Failed,  // could not be read
        Same,    // nothing was lost: identical or equal weights
        LeftOut, // equal where compared, but weights are left out
        Value,
    };
    Kind kind = Kind::Empty;
    Likeness likeness = Likeness::Different; // valid unless nothing was compared
    bool leavesOut = false;                  // NaN, infinite or missing weights are not part of the figures
    double value = 0;
    const TensorInfo* tensor = nullptr; // the file's first tensor; null if the file lacks it
};

class MapValues {
public:
    // Recomputes all figures. Either pointer may be null.
    void reset(const Comparison* comparison, std::shared_ptr<const MapGrid> grid, Metric metric);
    void update(const std::vector<std::size_t>& rows); // rows of the matches with new figures

    [[nodiscard]] const MapCellValue& at(std::size_t file, std::size_t cell) const { return m_values[file][cell]; }
    [[nodiscard]] std::size_t files() const { return m_values.size(); }
    [[nodiscard]] Metric metric() const { return m_metric; }
    // The scale of one file, or the common one.
    [[nodiscard]] MetricScale scaleOf(std::size_t file) const { return m_scales[file]; }
    [[nodiscard]] MetricScale commonScale() const { return m_common; }
    // Whether any figure leaves weights out.
    [[nodiscard]] bool leavesOut() const { return m_leavesOut; }

private:
    void compute(std::size_t file, std::size_t cell);
    void computeBehaviour(std::size_t file, const std::vector<std::uint32_t>& rows, MapCellValue& out) const;
    void fitScales();

    const Comparison* m_comparison = nullptr;
    std::shared_ptr<const MapGrid> m_grid;
    Metric m_metric = Metric::Sqnr;
    std::vector<std::vector<MapCellValue>> m_values; // [file][cell]
    std::vector<MetricScale> m_scales;
    MetricScale m_common{};
    bool m_leavesOut = false;
};

} // namespace gufo::ui
