#include "ui/compare/map/quality_map.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/report/comparison_report.h"
#include "ui/theme/theme.h"

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kMinCell = 6;
constexpr int kMaxCell = 14;
constexpr int kMaxCellOfFewBlocks = 28; // if a map has few blocks
constexpr int kFewBlocks = 16;
constexpr std::size_t kMaxBeside = 4;
constexpr int kMinWidth = 210; // of a map, so that its title fits
constexpr int kMapGap = 32;    // between maps
constexpr int kLooseLine = 22;
constexpr int kSwatch = 12;
constexpr int kLooseDetail = 108; // "Q6_K, 35.3 dB"
constexpr int kMapRowGap = 14;    // between rows of maps

} // namespace

QualityMap::QualityMap(QWidget* parent)
    : BlockGrid(parent) {
    setAccessibleName(tr("Map of differences by block and role"));
}

void QualityMap::setGrid(const Comparison* comparison, std::shared_ptr<const MapGrid> grid) {
    m_comparison = comparison;
    m_grid = std::move(grid);
    select({});
    m_values.reset(m_comparison, m_grid, m_values.metric());
    relayOut();
}

void QualityMap::updateRows(const std::vector<std::size_t>& rows) {
    m_values.update(rows);
    update();
}

void QualityMap::setMetric(Metric metric) {
    m_values.reset(m_comparison, m_grid, metric);
    if (selected()) {
        setAccessibleDescription(describe(*selected()));
    }
    update();
}

void QualityMap::setColorMap(ColorMap map) {
    m_colorMap = map;
    update();
}

void QualityMap::setSameScale(bool same) {
    m_sameScale = same;
    update();
}

void QualityMap::setRowHeight(int height) {
    if (height != m_rowHeight) {
        m_rowHeight = height;
        relayOut();
    }
}

QualityMap::Layout QualityMap::layOut(int width) const {
    Layout layout;
    if (m_comparison == nullptr || !m_grid || m_values.files() == 0) {
        return layout;
    }
    const QFontMetrics mono(themeFont(TextStyle::Mono));
    layout.labels = 60;
    std::size_t maximum = 1;
    for (const MapGridPanel& panel : m_grid->panels) {
        maximum = std::max(maximum, panel.blocks.size());
        for (const MapGridRow& row : panel.rows) {
            layout.labels = std::max(layout.labels, mono.horizontalAdvance(row.label) + (row.hasExperts ? 26 : 12));
        }
    }
    layout.labels = std::min(layout.labels, 180);
    const std::vector<std::size_t> files = m_comparison->others();
    const int available = std::max(kMinWidth, width - layout.labels - 8);
    // The number of maps side by side for which cells keep a reasonable size.
    std::size_t beside = std::clamp<std::size_t>(files.size(), 1, kMaxBeside);
    const int blocks = static_cast<int>(std::min<std::size_t>(maximum, 4096));
    const auto widthOf = [&](std::size_t n) {
        return (available - static_cast<int>(n - 1) * kMapGap) / static_cast<int>(n);
    };
    while (beside > 1 && (widthOf(beside) < kMinWidth || widthOf(beside) / blocks < kMinCell)) {
        --beside;
    }
    if (files.size() > kMaxBeside && beside > 2) {
        beside = (files.size() + 1) / 2 <= kMaxBeside ? (files.size() + 1) / 2 : kMaxBeside; // rows of equal length
    }
    // Maps of few blocks do not fill their share of the width: as many stand side by side as keep the largest cells.
    const int whole = std::max(kMinWidth, blocks * (blocks <= kFewBlocks ? kMaxCellOfFewBlocks : kMaxCell));
    while (beside < files.size() && widthOf(beside + 1) >= whole) {
        ++beside;
    }
    layout.width = widthOf(beside);
    layout.cell = std::clamp(layout.width / blocks, kMinCell, blocks <= kFewBlocks ? kMaxCellOfFewBlocks : kMaxCell);
    layout.rowHeight = m_rowHeight;
    layout.swatch = kSwatch;
    for (const MapGridPanel& panel : m_grid->panels) {
        Panel grid{.columns = panel.blocks.size(),
                   .columnsPerBand = std::max<std::size_t>(1, static_cast<std::size_t>(layout.width / layout.cell)),
                   .titled = !panel.name.isEmpty()};
        for (const MapGridRow& row : panel.rows) {
            grid.gaps.push_back(row.startsGroup);
        }
        layout.panels.push_back(std::move(grid));
    }
    int y = layout.addBands(kTitle, {.title = 20, .group = 4, .band = 8, .lastBand = 0, .axis = kAxis});
    int x = 0;
    y += m_grid->loose.empty() ? 0 : 2;
    for (const MapGrid::Loose& loose : m_grid->loose) {
        const int needed = kSwatch + 6 + mono.horizontalAdvance(loose.label) + 8 + kLooseDetail;
        if (x > 0 && x + needed > layout.width) {
            x = 0;
            y += kLooseLine;
        }
        layout.loose.emplace_back(x, y, std::min(needed, layout.width), kLooseLine);
        x += needed + 8;
    }
    layout.height = y + (m_grid->loose.empty() ? 0 : kLooseLine);
    for (std::size_t i = 0; i < files.size(); ++i) {
        const int column = static_cast<int>(i % beside);
        const int row = static_cast<int>(i / beside);
        layout.maps.push_back(
            {.file = files[i],
             .at = {layout.labels + column * (layout.width + kMapGap), row * (layout.height + kMapRowGap)},
             .first = column == 0});
        layout.total = (row + 1) * (layout.height + kMapRowGap) - kMapRowGap;
    }
    if (m_grid->vectorRows + m_grid->notShown > 0) {
        layout.total += kAxis;
    }
    return layout;
}

// The scroll area uses this height, so it is computed from the current width.
QSize QualityMap::sizeHint() const { return {720, heightForWidth(std::max(width(), minimumSizeHint().width()))}; }

void QualityMap::resizeEvent(QResizeEvent* event) {
    const int before = layout().total;
    BlockGrid::resizeEvent(event);
    if (layout().total != before) {
        updateGeometry();
    }
}

std::optional<std::size_t> QualityMap::cellIndex(const Cell& cell) const {
    if (!exists(cell)) {
        return {};
    }
    return cell.panel == m_grid->panels.size() ? m_grid->loose[cell.column].cell
                                               : m_grid->panels[cell.panel].rows[cell.row].firstCell + cell.column;
}

// The role with experts whose label is at a point.
const MapGridRow* QualityMap::labelAt(QPoint point) const {
    for (const Map& map : layout().maps) {
        if (!map.first || point.x() >= layout().labels) {
            continue;
        }
        for (const Band& band : layout().bands) {
            for (std::size_t row = 0; row + 1 < band.rowTops.size(); ++row) {
                const int top = map.at.y() + band.rowTops[row];
                const MapGridRow& found = m_grid->panels[band.panel].rows[row];
                if (found.hasExperts && point.y() >= top && point.y() < top + m_rowHeight) {
                    return &found;
                }
            }
        }
    }
    return nullptr;
}

QString QualityMap::describe(const Cell& cell) const {
    const auto index = cellIndex(cell);
    if (!index) {
        return {};
    }
    const auto& rows = m_grid->cells[*index];
    if (rows.empty()) {
        const MapGridPanel& panel = m_grid->panels[cell.panel];
        return tr("Block %1 has no %2").arg(panel.blocks[cell.column]).arg(panel.rows[cell.row].label);
    }
    const auto& matches = *m_comparison->matches();
    const TensorMatch& match = matches.rows[rows.front()];
    const ComparedFile& file = m_comparison->files()[cell.file];
    const MapCellValue& value = m_values.at(cell.file, *index);
    QStringList lines{displayText(rows.size() == 1 ? match.label() : std::string(match.name))};
    if (rows.size() > 1) {
        lines.front() += QStringLiteral(" ") + tr("(%n parts)", nullptr, numerus(rows.size()));
    }
    const auto typeOf = [&](std::size_t which) {
        return match.has(which)
                   ? QString::fromStdString(
                         m_comparison->files()[which].model->tensor(match.cells[which].part.tensor).typeName())
                   : tr("absent");
    };
    lines << QStringLiteral("%1: %2 → %3").arg(file.label, typeOf(m_comparison->reference()), typeOf(cell.file));
    if (m_values.metric() == Metric::Divergence && value.kind != MapCellValue::Kind::Apart) {
        return (lines + behaviourLines(rows, cell.file)).join(u'\n');
    }
    switch (value.kind) {
    case MapCellValue::Kind::Pending:
        lines << tr("Not compared yet");
        return lines.join(u'\n');
    case MapCellValue::Kind::Apart: {
        const MatchStatus status = match.cells[cell.file].status;
        lines << (status == MatchStatus::Reshaped  ? tr("The shape differs: cannot be compared")
                  : status == MatchStatus::Extra   ? tr("The reference does not have it")
                  : status == MatchStatus::Missing ? tr("%1 does not have it").arg(file.label)
                                                   : tr("Cannot be compared"));
        return lines.join(u'\n');
    }
    case MapCellValue::Kind::Failed:
        lines << tr("Could not be compared");
        return lines.join(u'\n');
    case MapCellValue::Kind::Same:
        lines << (value.likeness == Likeness::Identical ? tr("Identical")
                                                        : tr("All weights are equal, but not the bytes"));
        break;
    case MapCellValue::Kind::LeftOut:
        lines << tr("Equal where the weights can be compared");
        break;
    case MapCellValue::Kind::Empty:
    case MapCellValue::Kind::Value:
        break;
    }
    ComparedSums sums;
    bool truncated = false;
    for (const std::uint32_t row : rows) {
        const PairCell& one = m_comparison->cell(row, cell.file);
        if (one.state == PairCell::State::Compared) {
            sums.merge(one.sums);
            truncated |= one.truncated;
        }
    }
    lines << leftOutNotes(sums, truncated);
    const PairFigures figures = figuresOf(sums);
    if (value.kind == MapCellValue::Kind::Value) {
        for (const MetricFact& info : mapMetrics()) {
            if (const auto figure = info.ofPair() ? metricOf(info, figures) : std::nullopt) {
                lines << QStringLiteral("%1 %2").arg(metricTitle(info), metricTextWithUnit(info, *figure));
            }
        }
    }
    if (const auto bits = rows.size() == 1 ? m_comparison->bitsPerWeight(rows.front(), cell.file) : std::nullopt) {
        lines << tr("%1 bits/weight").arg(formatBitsPerWeight(*bits));
    }
    return lines.join(u'\n');
}

// What the tensors of a cell change in the answers, beside the error of their weights.
QStringList QualityMap::behaviourLines(const std::vector<std::uint32_t>& rows, std::size_t file) const {
    QStringList lines;
    const MetricFact& nats = metricFact(Metric::Divergence);
    std::vector<const BehaviourPart*> parts;
    ComparedSums sums;
    for (const std::uint32_t row : rows) {
        const BehaviourPart* part = m_comparison->behaviourOf(row, file);
        if (part != nullptr && std::ranges::find(parts, part) == parts.end()) {
            parts.push_back(part);
        }
        if (m_comparison->cell(row, file).state == PairCell::State::Compared) {
            sums.merge(m_comparison->cell(row, file).sums);
        }
    }
    for (const BehaviourPart* part : parts) {
        if (part->tensors.size() > 1) {
            lines << tr("%1 as a whole, %n tensors:", nullptr, numerus(part->tensors.size()))
                         .arg(displayText(part->name));
        }
        lines << tr("swapped in: KL %1").arg(metricTextWithUnit(nats, part->fromOther))
              << tr("restored: KL falls by %1").arg(metricTextWithUnit(nats, part->restored));
    }
    if (parts.empty()) {
        lines << (m_comparison->behaviour(file) == nullptr
                      ? tr("Not measured yet: choose a text and measure")
                      : tr("The same in both files, or without effect on the answers"));
    }
    const MetricFact& error = metricFact(Metric::Nmse);
    if (const auto nmse = metricOf(error, figuresOf(sums))) {
        lines << QStringLiteral("%1 %2").arg(metricTitle(error), metricText(error, *nmse));
    }
    return lines;
}

} // namespace gufo::ui

#include "moc_quality_map.cpp"
