#include "ui/pages/overview/block_map.h"

#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kMinCell = 10;
constexpr int kMaxCell = 24;
constexpr int kRow = 20; // row height including the gap
constexpr int kGroupGap = 4;
constexpr int kBandGap = 12;
constexpr int kAxis = 20; // height of the line with block numbers
constexpr int kBytesBar = 62;
constexpr int kBytesText = 76;
constexpr int kSwatch = 15;
constexpr int kLooseLine = 26;

} // namespace

BlockMap::BlockMap(QWidget* parent)
    : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Bits per weight by block and role"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void BlockMap::setOverview(std::shared_ptr<const Overview> overview) {
    m_overview = std::move(overview);
    m_selected.reset();
    m_maxBytes = 1;
    for (const MapPanel& panel : m_overview->panels) {
        for (const MapRow& row : panel.rows) {
            m_maxBytes = std::max(m_maxBytes, row.bytes);
        }
    }
    m_layout = layOut(width());
    updateGeometry();
    update();
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
    const int available = std::max(kMinCell, width - layout.labels - 12 - kBytesBar - kBytesText);
    int maximum = 1;
    const int fit = std::max(1, available / kMinCell);
    const auto columnsPerBand = [fit](const MapPanel& panel) {
        const int blocks = static_cast<int>(panel.blocks.size());
        const int bands = (blocks + fit - 1) / fit;
        const int even = (blocks + bands - 1) / bands;
        return bands > 1 ? std::min(fit, (even + 3) / 4 * 4) : even; // each band starts at a multiple of four
    };
    for (const MapPanel& panel : m_overview->panels) {
        maximum = std::max(maximum, columnsPerBand(panel));
    }
    layout.cell = std::clamp(available / maximum, kMinCell, kMaxCell);
    layout.bytes = layout.labels + std::min(maximum * layout.cell, available) + 12;
    int y = 0;
    for (int p = 0; p < static_cast<int>(m_overview->panels.size()); ++p) {
        const MapPanel& panel = m_overview->panels[static_cast<std::size_t>(p)];
        const int blocks = static_cast<int>(panel.blocks.size());
        const int step = std::max(1, columnsPerBand(panel));
        for (int first = 0; first < blocks; first += step) {
            Band band;
            band.panel = p;
            band.firstColumn = first;
            band.columns = std::min(step, blocks - first);
            band.last = first + step >= blocks;
            band.titled = first == 0 && !panel.name.isEmpty();
            band.top = y;
            y += band.titled ? kRow : 0;
            for (const MapRow& row : panel.rows) {
                y += row.startsGroup ? kGroupGap : 0;
                band.rowTops.push_back(y);
                y += kRow;
            }
            band.rowTops.push_back(y);
            y += kAxis + (band.last && p + 1 == static_cast<int>(m_overview->panels.size()) ? 4 : kBandGap);
            layout.bands.push_back(std::move(band));
        }
    }
    layout.looseTop = y;
    int x = layout.labels;
    const QFontMetrics small(themeFont(TextStyle::Axis));
    for (const LooseTensor& tensor : m_overview->loose) {
        const int needed =
            kSwatch + 8 + mono.horizontalAdvance(tensor.name) + 12 + small.horizontalAdvance(tensor.detail);
        if (x > layout.labels && x + needed > width) {
            x = layout.labels;
            y += kLooseLine;
        }
        layout.loose.emplace_back(x, y, std::min(needed, std::max(40, width - x)), kLooseLine);
        x += needed + 24;
    }
    layout.height = y + (m_overview->loose.empty() ? 0 : kLooseLine) + (m_overview->notShown != 0 ? kRow : 0);
    return layout;
}

int BlockMap::heightForWidth(int width) const { return layOut(width).height; }

QSize BlockMap::sizeHint() const { return {640, heightForWidth(640)}; }

QSize BlockMap::minimumSizeHint() const { return {360, 40}; }

void BlockMap::resizeEvent(QResizeEvent*) { m_layout = layOut(width()); }

const MapCell* BlockMap::find(const Cell& cell) const {
    if (!m_overview || cell.panel < 0 || cell.row < 0 || cell.column < 0) {
        return nullptr;
    }
    const auto panel = static_cast<std::size_t>(cell.panel);
    const auto row = static_cast<std::size_t>(cell.row);
    const auto column = static_cast<std::size_t>(cell.column);
    if (panel == m_overview->panels.size()) {
        return column < m_overview->loose.size() ? &m_overview->loose[column].cell : nullptr;
    }
    if (panel > m_overview->panels.size() || row >= m_overview->panels[panel].rows.size() ||
        column >= m_overview->panels[panel].blocks.size()) {
        return nullptr;
    }
    return &m_overview->panels[panel].rows[row].cells[column];
}

QRect BlockMap::cellRect(const Cell& cell) const {
    if (m_overview && cell.panel == static_cast<int>(m_overview->panels.size())) {
        const QRect place = m_layout.loose.at(static_cast<std::size_t>(cell.column));
        return {place.left(), place.top() + (kLooseLine - kSwatch) / 2, kSwatch, kSwatch};
    }
    for (const Band& band : m_layout.bands) {
        if (band.panel == cell.panel && cell.column >= band.firstColumn &&
            cell.column < band.firstColumn + band.columns) {
            return {m_layout.labels + (cell.column - band.firstColumn) * m_layout.cell,
                    band.rowTops[static_cast<std::size_t>(cell.row)], m_layout.cell - 1, kRow - 1};
        }
    }
    return {};
}

std::optional<BlockMap::Cell> BlockMap::cellAt(QPoint point) const {
    for (std::size_t i = 0; i < m_layout.loose.size(); ++i) {
        if (m_layout.loose[i].contains(point)) {
            return Cell{static_cast<int>(m_overview->panels.size()), 0, static_cast<int>(i)};
        }
    }
    for (const Band& band : m_layout.bands) {
        const int column = point.x() < m_layout.labels ? -1 : (point.x() - m_layout.labels) / m_layout.cell;
        if (column < 0 || column >= band.columns || point.y() < band.top || point.y() >= band.rowTops.back()) {
            continue;
        }
        for (std::size_t row = 0; row + 1 < band.rowTops.size(); ++row) {
            if (point.y() >= band.rowTops[row] && point.y() < band.rowTops[row] + kRow) {
                return Cell{band.panel, static_cast<int>(row), band.firstColumn + column};
            }
        }
    }
    return std::nullopt;
}

QString BlockMap::describe(const Cell& cell) const {
    const MapCell* found = find(cell);
    if (found == nullptr) {
        return {};
    }
    if (found->tensors.empty()) {
        const MapPanel& panel = m_overview->panels[static_cast<std::size_t>(cell.panel)];
        return tr("Block %1 has no %2")
            .arg(panel.blocks[static_cast<std::size_t>(cell.column)])
            .arg(panel.rows[static_cast<std::size_t>(cell.row)].role);
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

void BlockMap::select(std::optional<Cell> cell) {
    if (cell && find(*cell) == nullptr) {
        return;
    }
    m_selected = cell;
    setAccessibleDescription(cell ? describe(*cell) : QString());
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
    update();
}

void BlockMap::focusInEvent(QFocusEvent* event) {
    if (!m_selected && m_overview && event->reason() != Qt::MouseFocusReason) {
        select(Cell{});
    }
    QWidget::focusInEvent(event);
}

// The next cell in the direction of an arrow key: rows and panels follow each other, and the tensors outside of blocks
// come last.
BlockMap::Cell BlockMap::moved(const Cell& from, PlotCommand command) const {
    const int panels = static_cast<int>(m_overview->panels.size());
    const auto rowsOf = [&](int panel) {
        return panel < panels ? static_cast<int>(m_overview->panels[static_cast<std::size_t>(panel)].rows.size()) : 1;
    };
    const auto columnsOf = [&](int panel) {
        return static_cast<int>(panel < panels ? m_overview->panels[static_cast<std::size_t>(panel)].blocks.size()
                                               : m_overview->loose.size());
    };
    Cell to = from;
    switch (command) {
    case PlotCommand::Left:
        --to.column;
        break;
    case PlotCommand::Right:
        ++to.column;
        break;
    case PlotCommand::First:
        to.column = 0;
        break;
    case PlotCommand::Last:
        to.column = columnsOf(to.panel) - 1;
        break;
    case PlotCommand::Up:
        if (--to.row < 0) {
            --to.panel;
            to.row = to.panel >= 0 ? rowsOf(to.panel) - 1 : 0;
        }
        break;
    default:
        if (++to.row == rowsOf(to.panel)) {
            ++to.panel;
            to.row = 0;
        }
        break;
    }
    if (to.panel < 0 || to.panel > panels || columnsOf(to.panel) == 0) {
        return from;
    }
    to.column = std::clamp(to.column, 0, columnsOf(to.panel) - 1);
    return to;
}

void BlockMap::keyPressEvent(QKeyEvent* event) {
    const PlotCommand command = plotCommand(KeyedView::Map, event->key());
    switch (command) {
    case PlotCommand::Left:
    case PlotCommand::Right:
    case PlotCommand::Up:
    case PlotCommand::Down:
    case PlotCommand::First:
    case PlotCommand::Last:
        if (m_overview) {
            select(m_selected ? moved(*m_selected, command) : Cell{});
            if (m_selected) {
                showTip(*m_selected, cellRect(*m_selected).bottomRight());
            }
        }
        return;
    case PlotCommand::Open:
        activate();
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void BlockMap::activate() {
    const MapCell* cell = m_selected ? find(*m_selected) : nullptr;
    if (cell != nullptr && !cell->tensors.empty()) {
        emit tensorActivated(cell->tensors.front());
    }
}

void BlockMap::showTip(const Cell& cell, QPoint at) {
    QToolTip::showText(mapToGlobal(at + QPoint(4, 4)), describe(cell), this, cellRect(cell));
}

void BlockMap::mouseMoveEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->pos());
    if (cell == m_hovered) {
        return;
    }
    m_hovered = cell;
    setCursor(cell ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (cell) {
        showTip(*cell, event->pos() + QPoint(8, 12));
    } else {
        QToolTip::hideText();
    }
    update();
}

void BlockMap::mousePressEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->pos());
    if (event->button() == Qt::LeftButton && cell) {
        select(cell);
        activate();
    }
}

void BlockMap::leaveEvent(QEvent*) {
    m_hovered.reset();
    update();
}

} // namespace gufo::ui

#include "moc_block_map.cpp"
