#include "ui/widgets/block_grid.h"

#include "ui/theme/accessibility.h"
#include "ui/theme/theme.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace gufo::ui {

BlockGrid::BlockGrid(QWidget* parent)
    : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSpokenRole(this, QAccessible::Chart);
    setMouseTracking(true);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

// --- geometry

void BlockGrid::relayOut() {
    m_hovered.reset();
    m_layout = layOut(width());
    updateGeometry();
    update();
}

void BlockGrid::resizeEvent(QResizeEvent*) { m_layout = layOut(width()); }

std::size_t BlockGrid::rowsOf(std::size_t panel) const {
    return panel < m_layout.panels.size() ? m_layout.panels[panel].gaps.size() : 1;
}

std::size_t BlockGrid::columnsOf(std::size_t panel) const {
    return panel < m_layout.panels.size() ? m_layout.panels[panel].columns : m_layout.loose.size();
}

bool BlockGrid::exists(const Cell& cell) const {
    return mapOf(cell.file) != nullptr && cell.panel <= m_layout.panels.size() && cell.row < rowsOf(cell.panel) &&
           cell.column < columnsOf(cell.panel);
}

const BlockGrid::Map* BlockGrid::mapOf(std::size_t file) const {
    const auto found = std::ranges::find(m_layout.maps, file, &Map::file);
    return found != m_layout.maps.end() ? &*found : nullptr;
}

QRect BlockGrid::cellOfBand(const Map& map, const Band& band, std::size_t row, std::size_t column) const {
    return m_layout.cellOf(band, row, column).translated(map.at);
}

QRect BlockGrid::rectIn(const Map& map, const Cell& cell) const {
    if (cell.panel == m_layout.panels.size()) {
        const QRect place = m_layout.loose[cell.column].translated(map.at);
        return {place.left(), place.top() + (place.height() - m_layout.swatch) / 2, m_layout.swatch, m_layout.swatch};
    }
    for (const Band& band : m_layout.bands) {
        if (band.panel == cell.panel && cell.column >= band.firstColumn &&
            cell.column < band.firstColumn + band.columns) {
            return cellOfBand(map, band, cell.row, cell.column - band.firstColumn);
        }
    }
    return {};
}

QRect BlockGrid::cellRect(const Cell& cell) const { return exists(cell) ? rectIn(*mapOf(cell.file), cell) : QRect(); }

std::optional<BlockGrid::Cell> BlockGrid::cellAt(QPoint point) const {
    for (const Map& map : m_layout.maps) {
        const QPoint in = point - map.at;
        if (!QRect(0, 0, m_layout.width, m_layout.height).contains(in)) {
            continue;
        }
        for (std::size_t i = 0; i < m_layout.loose.size(); ++i) {
            if (m_layout.loose[i].contains(in)) {
                return Cell{map.file, m_layout.panels.size(), 0, i};
            }
        }
        const auto column = static_cast<std::size_t>(in.x() / m_layout.cell);
        for (const Band& band : m_layout.bands) {
            for (std::size_t row = 0; column < band.columns && row + 1 < band.rowTops.size(); ++row) {
                if (in.y() >= band.rowTops[row] && in.y() < band.rowTops[row] + m_layout.rowHeight) {
                    return Cell{map.file, band.panel, row, band.firstColumn + column};
                }
            }
        }
    }
    return std::nullopt;
}

// --- painting

void BlockGrid::paintLabel(QPainter& painter, int y, int height, const QString& text) const {
    painter.drawText(QRect(0, y, m_layout.labels - 8, height), Qt::AlignRight | Qt::AlignVCenter, text);
}

void BlockGrid::paintBlockNumbers(QPainter& painter, const Map& map, const Band& band, std::size_t step,
                                  std::span<const std::uint32_t> blocks, int height) const {
    const int top = map.at.y() + band.rowTops.back();
    for (std::size_t column = 0; column < band.columns; ++column) {
        if ((band.firstColumn + column) % step == 0) {
            const int centre = map.at.x() + static_cast<int>(column) * m_layout.cell + (m_layout.cell - 1) / 2;
            painter.drawText(QRect(centre - 30, top, 61, height), Qt::AlignCenter,
                             QString::number(blocks[band.firstColumn + column]));
        }
    }
}

void BlockGrid::paintAbsent(QPainter& painter, const QRect& cell) const {
    painter.fillRect(cell.center().x() - 1, cell.center().y(), 3, 1, themeColor(Token::Line));
}

void BlockGrid::paintFrames(QPainter& painter) const {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    for (const bool hovered : {true, false}) {
        const auto& cell = hovered ? m_hovered : m_selected;
        if (!cell || !exists(*cell)) {
            continue;
        }
        for (const Map& map : m_layout.maps) {
            if (hovered && map.file != cell->file) {
                continue;
            }
            const QRectF frame = QRectF(rectIn(map, *cell)).adjusted(-0.5, -0.5, 0.5, 0.5);
            const bool focused = !hovered && hasFocus() && map.file == cell->file;
            painter.setPen(QPen(themeColor(Token::Base), 3));
            painter.drawRoundedRect(frame.adjusted(-1, -1, 1, 1), 2, 2);
            painter.setPen(QPen(themeColor(focused ? Token::Accent : Token::Text), focused ? 2 : 1.6));
            painter.drawRoundedRect(frame, 1.5, 1.5);
        }
    }
}

// --- selecting by keys and mouse

void BlockGrid::select(std::optional<Cell> cell) {
    if (cell && !exists(*cell)) {
        return;
    }
    m_selected = cell;
    setAccessibleDescription(cell ? describe(*cell) : QString());
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
    update();
}

void BlockGrid::focusInEvent(QFocusEvent* event) {
    if (!m_selected && !m_layout.maps.empty() && event->reason() != Qt::MouseFocusReason) {
        select(Cell{.file = m_layout.maps.front().file});
    }
    QWidget::focusInEvent(event);
}

// The next cell in the direction of a key: rows and panels follow each other, and the tensors outside of blocks come
// last.
BlockGrid::Cell BlockGrid::moved(const Cell& from, PlotCommand command) const {
    const std::size_t panels = m_layout.panels.size();
    const auto map = static_cast<std::size_t>(mapOf(from.file) - m_layout.maps.data());
    Cell to = from;
    switch (command) {
    case PlotCommand::Left:
        if (to.column > 0) {
            --to.column;
        } else if (map > 0) {
            to.file = m_layout.maps[map - 1].file;
            to.column = columnsOf(to.panel) - 1;
        }
        break;
    case PlotCommand::Right:
        if (to.column + 1 < columnsOf(to.panel)) {
            ++to.column;
        } else if (map + 1 < m_layout.maps.size()) {
            to.file = m_layout.maps[map + 1].file;
            to.column = 0;
        }
        break;
    case PlotCommand::First:
        to.column = 0;
        break;
    case PlotCommand::Last:
        to.column = columnsOf(to.panel) - 1;
        break;
    case PlotCommand::Up:
        if (to.row > 0) {
            --to.row;
        } else if (to.panel > 0) {
            --to.panel;
            to.row = rowsOf(to.panel) - 1;
        }
        break;
    default:
        if (to.row + 1 < rowsOf(to.panel)) {
            ++to.row;
        } else if (to.panel < panels) {
            ++to.panel;
            to.row = 0;
        }
        break;
    }
    if (columnsOf(to.panel) == 0) {
        return from;
    }
    to.column = std::min(to.column, columnsOf(to.panel) - 1);
    return to;
}

void BlockGrid::keyPressEvent(QKeyEvent* event) {
    if (m_layout.maps.empty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    const PlotCommand command = plotCommand(KeyedView::Map, event->key());
    switch (command) {
    case PlotCommand::Left:
    case PlotCommand::Right:
    case PlotCommand::Up:
    case PlotCommand::Down:
    case PlotCommand::First:
    case PlotCommand::Last:
        select(m_selected ? moved(*m_selected, command) : Cell{.file = m_layout.maps.front().file});
        if (m_selected) {
            showTip(*m_selected, cellRect(*m_selected).bottomRight());
        }
        return;
    case PlotCommand::Open:
        if (m_selected) {
            activate(*m_selected);
        }
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void BlockGrid::showTip(const Cell& cell, QPoint at) {
    QToolTip::showText(mapToGlobal(at + QPoint(4, 4)), describe(cell), this, cellRect(cell));
}

void BlockGrid::mouseMoveEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->pos());
    setCursor(cell ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (cell == m_hovered) {
        return;
    }
    m_hovered = cell;
    if (cell) {
        showTip(*cell, event->pos() + QPoint(8, 12));
    } else {
        QToolTip::hideText();
    }
    update();
}

void BlockGrid::mousePressEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->pos());
    if (event->button() == Qt::LeftButton && cell) {
        select(cell);
        activate(*cell);
    }
}

void BlockGrid::leaveEvent(QEvent*) {
    m_hovered.reset();
    update();
}

} // namespace gufo::ui

#include "moc_block_grid.cpp"
