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
constexpr int kGap = 32;       // between maps
constexpr int kTitle = 26;
constexpr int kGroupGap = 4;
constexpr int kBandGap = 8;
constexpr int kAxis = 18;
constexpr int kLooseLine = 22;
constexpr int kSwatch = 12;
constexpr int kLooseDetail = 108; // "Q6_K, 35.3 dB"
constexpr int kRowGap = 14;       // between rows of maps

} // namespace

QualityMap::QualityMap(QWidget* parent)
    : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Map of differences by block and role"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void QualityMap::setGrid(const Comparison* comparison, std::shared_ptr<const MapGrid> grid) {
    m_comparison = comparison;
    m_grid = std::move(grid);
    m_selected.reset();
    m_hovered.reset();
    m_values.reset(m_comparison, m_grid, m_values.metric());
    relayOut();
}

void QualityMap::updateRows(const std::vector<std::size_t>& rows) {
    m_values.update(rows);
    update();
}

void QualityMap::setMetric(Metric metric) {
    m_values.reset(m_comparison, m_grid, metric);
    if (m_selected) {
        setAccessibleDescription(describe(*m_selected));
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

void QualityMap::relayOut() {
    m_layout = layOut(width());
    updateGeometry();
    update();
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
        return (available - static_cast<int>(n - 1) * kGap) / static_cast<int>(n);
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
    const std::size_t fit = std::max<std::size_t>(1, static_cast<std::size_t>(layout.width / layout.cell));

    int y = kTitle;
    for (std::size_t p = 0; p < m_grid->panels.size(); ++p) {
        const MapGridPanel& panel = m_grid->panels[p];
        for (std::size_t first = 0; first < panel.blocks.size(); first += fit) {
            Band band;
            band.panel = p;
            band.firstColumn = first;
            band.columns = std::min(fit, panel.blocks.size() - first);
            band.titled = first == 0 && !panel.name.isEmpty();
            band.top = y;
            y += band.titled ? 20 : 0;
            for (const MapGridRow& row : panel.rows) {
                y += row.startsGroup ? kGroupGap : 0;
                band.rowTops.push_back(y);
                y += m_rowHeight;
            }
            band.rowTops.push_back(y);
            y += kAxis + (first + fit >= panel.blocks.size() && p + 1 == m_grid->panels.size() ? 0 : kBandGap);
            layout.bands.push_back(std::move(band));
        }
    }
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
        layout.maps.push_back({.file = files[i],
                               .at = {layout.labels + column * (layout.width + kGap), row * (layout.height + kRowGap)},
                               .first = column == 0});
        layout.total = (row + 1) * (layout.height + kRowGap) - kRowGap;
    }
    if (m_grid->vectorRows + m_grid->notShown > 0) {
        layout.total += kAxis;
    }
    return layout;
}

int QualityMap::heightForWidth(int width) const { return layOut(width).total; }

// The scroll area uses this height, so it is computed from the current width.
QSize QualityMap::sizeHint() const { return {720, heightForWidth(std::max(width(), minimumSizeHint().width()))}; }

void QualityMap::resizeEvent(QResizeEvent*) {
    const int before = m_layout.total;
    m_layout = layOut(width());
    if (m_layout.total != before) {
        updateGeometry();
    }
}

std::optional<std::size_t> QualityMap::cellIndex(const Cell& cell) const {
    if (!m_grid || cell.file >= m_values.files()) {
        return {};
    }
    if (cell.panel == m_grid->panels.size()) {
        return cell.column < m_grid->loose.size() ? std::optional(m_grid->loose[cell.column].cell) : std::nullopt;
    }
    if (cell.panel > m_grid->panels.size() || cell.row >= m_grid->panels[cell.panel].rows.size() ||
        cell.column >= m_grid->panels[cell.panel].blocks.size()) {
        return {};
    }
    return m_grid->panels[cell.panel].rows[cell.row].firstCell + cell.column;
}

const QualityMap::FileMap* QualityMap::mapOf(std::size_t file) const {
    const auto found = std::ranges::find(m_layout.maps, file, &FileMap::file);
    return found != m_layout.maps.end() ? &*found : nullptr;
}

QRect QualityMap::rectIn(const FileMap& map, const Cell& cell) const {
    if (cell.panel == m_grid->panels.size()) {
        const QRect place = m_layout.loose[cell.column].translated(map.at);
        return {place.left(), place.top() + (kLooseLine - kSwatch) / 2, kSwatch, kSwatch};
    }
    for (const Band& band : m_layout.bands) {
        if (band.panel == cell.panel && cell.column >= band.firstColumn &&
            cell.column < band.firstColumn + band.columns) {
            return {map.at.x() + static_cast<int>(cell.column - band.firstColumn) * m_layout.cell,
                    map.at.y() + band.rowTops[cell.row], m_layout.cell - 1, m_rowHeight - 1};
        }
    }
    return {};
}

QRect QualityMap::cellRect(const Cell& cell) const {
    const FileMap* map = mapOf(cell.file);
    return map != nullptr && cellIndex(cell) ? rectIn(*map, cell) : QRect();
}

std::optional<QualityMap::Cell> QualityMap::cellAt(QPoint point) const {
    for (const FileMap& map : m_layout.maps) {
        const QPoint in = point - map.at;
        if (!QRect(0, 0, m_layout.width, m_layout.height).contains(in)) {
            continue;
        }
        for (std::size_t i = 0; i < m_layout.loose.size(); ++i) {
            if (m_layout.loose[i].contains(in)) {
                return Cell{map.file, m_grid->panels.size(), 0, i};
            }
        }
        const auto column = static_cast<std::size_t>(in.x() / m_layout.cell);
        for (const Band& band : m_layout.bands) {
            for (std::size_t row = 0; column < band.columns && row + 1 < band.rowTops.size(); ++row) {
                if (in.y() >= band.rowTops[row] && in.y() < band.rowTops[row] + m_rowHeight) {
                    return Cell{map.file, band.panel, row, band.firstColumn + column};
                }
            }
        }
    }
    return {};
}

// The role with experts whose label is at a point.
const MapGridRow* QualityMap::labelAt(QPoint point) const {
    for (const FileMap& map : m_layout.maps) {
        if (!map.first || point.x() >= m_layout.labels) {
            continue;
        }
        for (const Band& band : m_layout.bands) {
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
        for (const MetricInfo& info : mapMetrics()) {
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

} // namespace gufo::ui

#include "moc_quality_map.cpp"
