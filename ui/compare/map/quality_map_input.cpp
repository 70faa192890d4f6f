// Selecting cells of the quality map by keys and mouse.
#include "ui/compare/map/quality_map.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QToolTip>

#include <algorithm>

namespace gufo::ui {

void QualityMap::select(std::optional<Cell> cell) {
    if (cell && !cellIndex(*cell)) {
        return;
    }
    m_selected = cell;
    setAccessibleDescription(cell ? describe(*cell) : QString());
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
    update();
}

void QualityMap::selectRow(std::size_t row) {
    if (!m_grid || m_layout.maps.empty() || row >= m_grid->cellOf.size() || m_grid->cellOf[row] == MapGrid::kNoCell) {
        select({});
        return;
    }
    const std::size_t wanted = m_grid->cellOf[row];
    const std::size_t file = m_selected ? m_selected->file : m_layout.maps.front().file;
    for (std::size_t p = 0; p < m_grid->panels.size(); ++p) {
        const MapGridPanel& panel = m_grid->panels[p];
        for (std::size_t r = 0; r < panel.rows.size(); ++r) {
            const std::size_t first = panel.rows[r].firstCell;
            if (wanted >= first && wanted < first + panel.blocks.size()) {
                select(Cell{file, p, r, wanted - first});
                return;
            }
        }
    }
    for (std::size_t i = 0; i < m_grid->loose.size(); ++i) {
        if (m_grid->loose[i].cell == wanted) {
            select(Cell{file, m_grid->panels.size(), 0, i});
            return;
        }
    }
}

void QualityMap::focusInEvent(QFocusEvent* event) {
    if (!m_selected && !m_layout.maps.empty() && event->reason() != Qt::MouseFocusReason) {
        select(Cell{m_layout.maps.front().file, 0, 0, 0});
    }
    QWidget::focusInEvent(event);
}

QualityMap::Cell QualityMap::moved(Cell from, PlotCommand command) const {
    const std::size_t panels = m_grid->panels.size();
    const auto rowsOf = [&](std::size_t panel) {
        return panel < panels ? m_grid->panels[panel].rows.size() : std::size_t{1};
    };
    const auto columnsOf = [&](std::size_t panel) {
        return panel < panels ? m_grid->panels[panel].blocks.size() : m_grid->loose.size();
    };
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
    if (to.panel > panels || columnsOf(to.panel) == 0) {
        return from;
    }
    to.column = std::min(to.column, columnsOf(to.panel) - 1);
    return to;
}

void QualityMap::keyPressEvent(QKeyEvent* event) {
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
        select(m_selected ? moved(*m_selected, command) : Cell{m_layout.maps.front().file, 0, 0, 0});
        if (m_selected) {
            showTip(*m_selected, cellRect(*m_selected).bottomRight());
        }
        return;
    case PlotCommand::Open:
        activate();
        return;
    case PlotCommand::Unfold:
    case PlotCommand::Fold:
        if (m_selected && m_selected->panel < m_grid->panels.size()) {
            const MapGridRow& row = m_grid->panels[m_selected->panel].rows[m_selected->row];
            if (row.hasExperts || row.ofExpert) {
                emit unfoldRequested(row.id, command == PlotCommand::Unfold);
            }
        }
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void QualityMap::activate() {
    const auto index = m_selected ? cellIndex(*m_selected) : std::nullopt;
    if (index && !m_grid->cells[*index].empty()) {
        emit tensorActivated(m_grid->cells[*index].front(), m_selected->file);
    }
}

void QualityMap::showTip(const Cell& cell, QPoint at) {
    QToolTip::showText(mapToGlobal(at + QPoint(4, 4)), describe(cell), this, cellRect(cell));
}

void QualityMap::mouseMoveEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->pos());
    setCursor(cell || labelAt(event->pos()) != nullptr ? Qt::PointingHandCursor : Qt::ArrowCursor);
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

void QualityMap::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        return;
    }
    if (const auto cell = cellAt(event->pos())) {
        select(cell);
        activate();
    } else if (const MapGridRow* row = labelAt(event->pos())) {
        emit unfoldRequested(row->id, !row->unfolded);
    }
}

void QualityMap::leaveEvent(QEvent*) {
    m_hovered.reset();
    update();
}

} // namespace gufo::ui
