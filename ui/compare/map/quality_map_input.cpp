// Selecting rows of the quality map, and folding roles, by keys and mouse.
#include "ui/compare/map/quality_map.h"

#include <QContextMenuEvent>
#include <QKeyEvent>

namespace gufo::ui {

void QualityMap::selectRow(std::size_t row) {
    if (!m_grid || layout().maps.empty() || row >= m_grid->cellOf.size() || m_grid->cellOf[row] == MapGrid::kNoCell) {
        select({});
        return;
    }
    const std::size_t wanted = m_grid->cellOf[row];
    const std::size_t file = selected() ? selected()->file : layout().maps.front().file;
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

void QualityMap::keyPressEvent(QKeyEvent* event) {
    const PlotCommand command = plotCommand(KeyedView::Map, event->key());
    if (command != PlotCommand::Unfold && command != PlotCommand::Fold) {
        BlockGrid::keyPressEvent(event);
        return;
    }
    const auto cell = selected();
    if (cell && cell->panel < m_grid->panels.size()) {
        const MapGridRow& row = m_grid->panels[cell->panel].rows[cell->row];
        if (row.hasExperts || row.ofExpert) {
            emit unfoldRequested(row.id, command == PlotCommand::Unfold);
        }
    }
}

void QualityMap::activate(const Cell& cell) {
    const auto index = cellIndex(cell);
    if (index && !m_grid->cells[*index].empty()) {
        emit tensorActivated(m_grid->cells[*index].front(), cell.file);
    }
}

void QualityMap::contextMenuEvent(QContextMenuEvent* event) {
    const bool isMouse = event->reason() == QContextMenuEvent::Mouse;
    const auto cell = isMouse ? cellAt(event->pos()) : selected();
    const auto index = cell ? cellIndex(*cell) : std::nullopt;
    if (index && !m_grid->cells[*index].empty()) {
        emit menuRequested(m_grid->cells[*index].front(),
                           isMouse ? event->globalPos() : mapToGlobal(cellRect(*cell).bottomLeft()));
    }
}

void QualityMap::mouseMoveEvent(QMouseEvent* event) {
    BlockGrid::mouseMoveEvent(event);
    if (labelAt(event->pos()) != nullptr) {
        setCursor(Qt::PointingHandCursor);
    }
}

void QualityMap::mousePressEvent(QMouseEvent* event) {
    const MapGridRow* row = event->button() == Qt::LeftButton ? labelAt(event->pos()) : nullptr;
    if (row != nullptr) {
        emit unfoldRequested(row->id, !row->unfolded);
    } else {
        BlockGrid::mousePressEvent(event);
    }
}

} // namespace gufo::ui
