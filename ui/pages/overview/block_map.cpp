#include "ui/pages/overview/block_map.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kMinCell = 10;
constexpr int kMaxCell = 24;
constexpr int kBytesBar = 62;
constexpr int kBytesText = 76;
constexpr int kBesideCells = 12; // between the cells and the bars of bytes
constexpr int kLooseLine = 26;

} // namespace

BlockMap::BlockMap(QWidget* parent)
    : BlockGrid(parent) {
    setAccessibleName(tr("Bits per weight by block and role"));
}

void BlockMap::setOverview(std::shared_ptr<const Overview> overview) {
    m_overview = std::move(overview);
    select({});
    m_maxBytes = 1;
    for (const MapPanel& panel : m_overview->panels) {
        for (const MapRow& row : panel.rows) {
            m_maxBytes = std::max(m_maxBytes, row.bytes);
        }
    }
    relayOut();
}

BlockMap::Layout BlockMap::layOut(int width) const {
    Layout layout;
    if (!m_overview) {
        return layout;
    }
    const QFontMetrics mono(themeFont(TextStyle::Mono));
    layout.labels = 88;
    for (const MapPanel& panel : m_overview->panels) {
        for (const MapRow& row : panel.rows) {
            layout.labels = std::max(layout.labels, mono.horizontalAdvance(row.role) + 12);
        }
    }
    layout.labels = std::min(layout.labels, 200);
    const int available = std::max(kMinCell, width - layout.labels - kBesideCells - kBytesBar - kBytesText);
    const auto fit = static_cast<std::size_t>(std::max(1, available / kMinCell));
    std::size_t maximum = 1;
    for (const MapPanel& panel : m_overview->panels) {
        const std::size_t blocks = panel.blocks.size();
        const std::size_t bands = std::max<std::size_t>(1, (blocks + fit - 1) / fit);
        const std::size_t even = std::max<std::size_t>(1, (blocks + bands - 1) / bands);
        Panel grid{.columns = blocks,
                   .columnsPerBand = bands > 1 ? std::min(fit, (even + 3) / 4 * 4) : even, // from a multiple of four on
                   .titled = !panel.name.isEmpty()};
        for (const MapRow& row : panel.rows) {
            grid.gaps.push_back(row.startsGroup);
        }
        maximum = std::max(maximum, grid.columnsPerBand);
        layout.panels.push_back(std::move(grid));
    }
    layout.cell = std::clamp(available / static_cast<int>(maximum), kMinCell, kMaxCell);
    layout.rowHeight = kRow;
    layout.after = layout.labels + std::min(static_cast<int>(maximum) * layout.cell, available) + kBesideCells;
    int y = layout.addBands(0, {.title = kRow, .group = 4, .band = 12, .lastBand = 4, .axis = kRow});
    layout.swatch = 15;
    layout.width = std::max(1, width - layout.labels);
    int x = 0;
    const QFontMetrics small(themeFont(TextStyle::Axis));
    for (const LooseTensor& tensor : m_overview->loose) {
        const int needed =
            layout.swatch + 8 + mono.horizontalAdvance(tensor.name) + 12 + small.horizontalAdvance(tensor.detail);
        if (x > 0 && x + needed > layout.width) {
            x = 0;
            y += kLooseLine;
        }
        layout.loose.emplace_back(x, y, std::min(needed, std::max(40, layout.width - x)), kLooseLine);
        x += needed + 24;
    }
    layout.height = y + (m_overview->loose.empty() ? 0 : kLooseLine);
    layout.total = layout.height + (m_overview->notShown != 0 ? kRow : 0);
    layout.maps.push_back({.at = {layout.labels, 0}});
    return layout;
}

QSize BlockMap::sizeHint() const { return {640, heightForWidth(640)}; }

const MapCell* BlockMap::find(const Cell& cell) const {
    return !exists(cell) ? nullptr
           : cell.panel == m_overview->panels.size()
               ? &m_overview->loose[cell.column].cell
               : &m_overview->panels[cell.panel].rows[cell.row].cells[cell.column];
}

QString BlockMap::describe(const Cell& cell) const {
    const MapCell* found = find(cell);
    if (found == nullptr) {
        return {};
    }
    if (found->tensors.empty()) {
        const MapPanel& panel = m_overview->panels[cell.panel];
        return tr("Block %1 has no %2").arg(panel.blocks[cell.column]).arg(panel.rows[cell.row].role);
    }
    constexpr std::size_t kNamed = 4;
    QStringList lines = describeTensor(*m_overview->model, found->tensors.front());
    for (std::size_t i = 1; i < std::min(found->tensors.size(), kNamed); ++i) {
        const QStringList other = describeTensor(*m_overview->model, found->tensors[i]);
        lines << QStringLiteral("%1: %2").arg(other[0], other[1]);
    }
    if (found->tensors.size() > kNamed) {
        lines << tr("and %n more tensors", nullptr, numerus(found->tensors.size() - kNamed));
    }
    return lines.join(u'\n');
}

void BlockMap::activate(const Cell& cell) {
    if (const MapCell* found = find(cell); found != nullptr && !found->tensors.empty()) {
        emit tensorActivated(found->tensors.front());
    }
}

} // namespace gufo::ui

#include "moc_block_map.cpp"
