// The figures behind the cells of a quality map: of every file, by one metric, kept up to date row by row.
#pragma once

#include "ui/compare/comparison.h"
#include "ui/compare/map/map_grid.h"
#include "ui/report/metric_scale.h"

namespace gufo::ui {

struct MapCellValue {
    enum class Kind : std::uint8_t {
        Empty,     // no such tensor in any model
        Pending,   // not compared yet
        Apart,     // missing, extra or reshaped: cannot be compared
        Failed,    // could not be read
        Identical, // the same type and bytes
        Value,
    };
    Kind kind = Kind::Empty;
    double value = 0;
    std::uint32_t typeId = 0; // of the first tensor that the file has; valid unless Empty or the file lacks it
    bool hasType = false;
};

class MapValues {
public:
    // All of them anew. Either may be null.
    void reset(const Comparison* comparison, std::shared_ptr<const MapGrid> grid, Metric metric);
    void update(const std::vector<std::size_t>& rows); // of the matches, that have been found

    [[nodiscard]] const MapCellValue& at(std::size_t file, std::size_t cell) const { return m_values[file][cell]; }
    [[nodiscard]] std::size_t files() const { return m_values.size(); }
    [[nodiscard]] Metric metric() const { return m_metric; }
    // Of one file, or one that fits all.
    [[nodiscard]] MetricScale scaleOf(std::size_t file) const { return m_scales[file]; }
    [[nodiscard]] MetricScale commonScale() const { return m_common; }

private:
    void compute(std::size_t file, std::size_t cell);
    void fitScales();

    const Comparison* m_comparison = nullptr;
    std::shared_ptr<const MapGrid> m_grid;
    Metric m_metric = Metric::Sqnr;
    std::vector<std::vector<MapCellValue>> m_values; // [file][cell]
    std::vector<MetricScale> m_scales;
    MetricScale m_common{};
};

} // namespace gufo::ui
