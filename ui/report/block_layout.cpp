#include "ui/report/block_layout.h"

#include <algorithm>

namespace gufo::ui {

int BlockLayout::addBands(int y, const Gaps& gaps) {
    for (std::size_t p = 0; p < panels.size(); ++p) {
        const Panel& panel = panels[p];
        for (std::size_t first = 0; first < panel.columns; first += panel.columnsPerBand) {
            Band band{.panel = p,
                      .firstColumn = first,
                      .columns = std::min(panel.columnsPerBand, panel.columns - first),
                      .top = y,
                      .titled = panel.titled && first == 0,
                      .last = first + panel.columnsPerBand >= panel.columns};
            y += band.titled ? gaps.title : 0;
            for (const bool gap : panel.gaps) {
                y += gap ? gaps.group : 0;
                band.rowTops.push_back(y);
                y += rowHeight;
            }
            band.rowTops.push_back(y);
            y += gaps.axis + (band.last && p + 1 == panels.size() ? gaps.lastBand : gaps.band);
            bands.push_back(std::move(band));
        }
    }
    return y;
}

QRect BlockLayout::cellOf(const Band& band, std::size_t row, std::size_t column) const {
    return {static_cast<int>(column) * cell, band.rowTops[row], cell - 1, rowHeight - 1};
}

} // namespace gufo::ui
