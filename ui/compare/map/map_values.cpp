#include "ui/compare/map/map_values.h"

#include <algorithm>

namespace gufo::ui {

void MapValues::reset(const Comparison* comparison, std::shared_ptr<const MapGrid> grid, Metric metric) {
    m_comparison = comparison;
    m_grid = std::move(grid);
    m_metric = metric;
    m_values.clear();
    if (m_comparison == nullptr || !m_grid || !m_comparison->matches()) {
        m_scales.clear();
        m_leavesOut = false;
        return;
    }
    m_values.assign(m_comparison->files().size(), std::vector<MapCellValue>(m_grid->cells.size()));
    for (std::size_t file = 0; file < m_values.size(); ++file) {
        for (std::size_t cell = 0; cell < m_grid->cells.size(); ++cell) {
            compute(file, cell);
        }
    }
    fitScales();
}

void MapValues::update(const std::vector<std::size_t>& rows) {
    if (m_values.empty()) {
        return;
    }
    std::vector<std::uint32_t> cells;
    for (const std::size_t row : rows) {
        for (const std::uint32_t cell : {m_grid->cellOf[row], m_grid->sumCellOf[row]}) {
            if (cell != MapGrid::kNoCell) {
                cells.push_back(cell);
            }
        }
    }
    std::ranges::sort(cells);
    const auto repeated = std::ranges::unique(cells);
    cells.erase(repeated.begin(), repeated.end());
    for (std::size_t file = 0; file < m_values.size(); ++file) {
        for (const std::uint32_t cell : cells) {
            compute(file, cell);
        }
    }
    fitScales();
}

void MapValues::compute(std::size_t file, std::size_t cell) {
    using Kind = MapCellValue::Kind;
    MapCellValue& out = m_values[file][cell];
    out = {};
    const auto& rows = m_grid->cells[cell];
    const auto& matches = *m_comparison->matches();
    const bool ofPair = metricFact(m_metric).ofPair();
    ComparedSums sums;
    std::size_t compared = 0;
    std::size_t identical = 0;
    bool truncated = false;
    std::size_t pending = 0;
    std::size_t failed = 0;
    double bits = 0;
    double weights = 0;
    for (const std::uint32_t row : rows) {
        const TensorMatch& match = matches.rows[row];
        if (match.has(file)) {
            const TensorPart& part = match.cells[file].part;
            if (out.tensor == nullptr) {
                out.tensor = &m_comparison->files()[file].model->tensor(part.tensor);
            }
            if (!ofPair) {
                if (const auto each = m_comparison->bitsPerWeight(row, file)) {
                    bits += *each * static_cast<double>(part.weights());
                    weights += static_cast<double>(part.weights());
                }
            }
        }
        if (!ofPair || !m_comparison->isComparable(row, file)) {
            continue;
        }
        const PairCell& one = m_comparison->cell(row, file);
        switch (one.state) {
        case PairCell::State::Pending:
            ++pending;
            break;
        case PairCell::State::Failed:
            ++failed;
            break;
        case PairCell::State::Compared:
            ++compared;
            identical += one.identical ? 1 : 0;
            truncated |= one.truncated;
            sums.merge(one.sums);
            break;
        case PairCell::State::NotCompared:
            break;
        }
    }
    if (rows.empty()) {
        return;
    }
    if (m_metric == Metric::Divergence) {
        computeBehaviour(file, rows, out);
    } else if (!ofPair) {
        out.kind = weights > 0 ? Kind::Value : out.tensor != nullptr ? Kind::Failed : Kind::Apart;
        out.value = weights > 0 ? bits / weights : 0;
    } else if (compared == 0) {
        out.kind = pending > 0 ? Kind::Pending : failed > 0 ? Kind::Failed : Kind::Apart;
    } else {
        out.likeness = likenessOf(sums, compared == identical, truncated);
        out.leavesOut = sums.excluded > 0 || truncated;
        const auto value = metricOf(metricFact(m_metric), figuresOf(sums));
        out.value = value.value_or(0);
        out.kind = out.likeness == Likeness::EqualWhereCompared ? Kind::LeftOut
                   : out.likeness != Likeness::Different        ? Kind::Same
                   : value                                      ? Kind::Value
                                                                : Kind::Failed;
    }
}

// A cell whose tensors belong to several parts shows the sum of these.
void MapValues::computeBehaviour(std::size_t file, const std::vector<std::uint32_t>& rows, MapCellValue& out) const {
    using Kind = MapCellValue::Kind;
    std::vector<const BehaviourPart*> parts;
    bool comparable = false;
    for (const std::uint32_t row : rows) {
        comparable |= m_comparison->isComparable(row, file);
        const BehaviourPart* part = m_comparison->behaviourOf(row, file);
        if (part != nullptr && std::ranges::find(parts, part) == parts.end()) {
            parts.push_back(part);
            out.value += part->fromOther;
        }
    }
    out.likeness = Likeness::Identical; // as far as the answers are concerned
    out.kind = !parts.empty()                             ? Kind::Value
               : !comparable                              ? Kind::Apart
               : m_comparison->behaviour(file) == nullptr ? Kind::Pending
                                                          : Kind::Same;
}

void MapValues::fitScales() {
    m_scales.clear();
    m_leavesOut = false;
    std::vector<double> all;
    for (std::size_t file = 0; file < m_values.size(); ++file) {
        std::vector<double> figures;
        if (file != m_comparison->reference()) {
            for (const MapCellValue& value : m_values[file]) {
                m_leavesOut |= value.leavesOut;
                if (value.kind == MapCellValue::Kind::Value) {
                    figures.push_back(value.value);
                }
            }
        }
        m_scales.push_back(scaleFor(metricFact(m_metric), figures));
        all.insert(all.end(), figures.begin(), figures.end());
    }
    m_common = scaleFor(metricFact(m_metric), all);
}

} // namespace gufo::ui
