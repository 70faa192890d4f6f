// The painting of the block map. Its geometry and behaviour are in block_map.cpp.
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/pages/overview/block_map.h"
#include "ui/theme/theme.h"

#include <QPaintEvent>
#include <QPainter>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kBarThickness = 7;

// The interval of the block numbers (1, 2, 4, 8 …) at which labels are at least 30 pixels apart.
std::size_t labelStep(int cell) {
    std::size_t step = 1;
    while (static_cast<int>(step) * cell < 30) {
        step *= 2;
    }
    return step;
}

} // namespace

QColor BlockMap::colorOf(const MapCell& cell) const {
    return cell.quantised && cell.bits ? bitsPerWeightColor(*cell.bits)
           : cell.tensors.empty()      ? themeColor(Token::Unquantised)
                                       : tensorTypeColor(m_overview->model->tensor(cell.tensors.front()).typeId);
}

void BlockMap::paintEvent(QPaintEvent* event) {
    if (!m_overview) {
        return;
    }
    QPainter painter(this);
    for (const Band& band : layout().bands) {
        const QRect area(0, band.top, width(), band.rowTops.back() + kRow - band.top);
        if (area.intersects(event->rect())) {
            paintBand(painter, band, event->rect());
        }
    }
    paintLoose(painter);
    paintFrames(painter);
}

void BlockMap::paintBand(QPainter& painter, const Band& band, const QRect& exposed) const {
    const MapPanel& panel = m_overview->panels[band.panel];
    const Map& map = layout().maps.front();
    const QFont mono = themeFont(TextStyle::Mono);
    if (band.titled) {
        painter.setFont(themeFont(TextStyle::Table));
        painter.setPen(themeColor(Token::Text));
        painter.drawText(QRect(layout().labels, band.top - 2, 300, kRow), Qt::AlignVCenter, panel.name);
    }
    const QFontMetrics monoMetrics(mono);
    forExposedRows(map, band, exposed, [&](std::size_t r, int y) {
        const MapRow& row = panel.rows[r];
        painter.setFont(mono);
        painter.setPen(themeColor(Token::Muted));
        paintLabel(painter, y, kRow - 1, monoMetrics.elidedText(row.role, Qt::ElideMiddle, layout().labels - 8));
        for (std::size_t c = 0; c < band.columns; ++c) {
            const QRect rect = cellOfBand(map, band, r, c);
            const MapCell& cell = row.cells[band.firstColumn + c];
            if (cell.tensors.empty()) {
                paintAbsent(painter, rect);
            } else if (!cell.bits) { // unknown size: draws an outline only
                painter.setPen(themeColor(Token::StrongLine));
                painter.setBrush(Qt::BDiagPattern);
                painter.drawRect(rect.adjusted(0, 0, -1, -1));
            } else {
                painter.fillRect(rect, colorOf(cell));
            }
        }
        if (band.last) {
            painter.setFont(themeFont(TextStyle::Table));
            const int maximum = 62;
            const int length = std::max(
                1, static_cast<int>(maximum * static_cast<double>(row.bytes) / static_cast<double>(m_maxBytes)));
            painter.fillRect(layout().after, y + (kRow - 1 - kBarThickness) / 2, length, kBarThickness,
                             themeColor(Token::Unquantised));
            painter.setPen(themeColor(Token::Muted));
            painter.drawText(QRect(layout().after + maximum, y, 76, kRow - 1), Qt::AlignRight | Qt::AlignVCenter,
                             formatBytes(row.bytes));
        }
    });
    painter.setFont(themeFont(TextStyle::Axis));
    painter.setPen(themeColor(Token::Muted));
    paintLabel(painter, band.rowTops.back(), kRow, tr("block"));
    paintBlockNumbers(painter, map, band, labelStep(layout().cell), panel.blocks, kRow);
}

void BlockMap::paintLoose(QPainter& painter) const {
    const QFont mono = themeFont(TextStyle::Mono);
    const QFont small = themeFont(TextStyle::Axis);
    const Map& map = layout().maps.front();
    for (std::size_t i = 0; i < layout().loose.size(); ++i) {
        const LooseTensor& tensor = m_overview->loose[i];
        const QRect place = layout().loose[i].translated(map.at);
        if (i == 0) {
            painter.setFont(small);
            painter.setPen(themeColor(Token::Muted));
            paintLabel(painter, place.top(), place.height(), tr("no block"));
        }
        const QRect swatch = rectIn(map, Cell{.panel = m_overview->panels.size(), .column = i});
        painter.fillRect(swatch, colorOf(tensor.cell));
        painter.setFont(mono);
        painter.setPen(themeColor(Token::Text));
        const QRect text = place.adjusted(swatch.width() + 8, 0, 0, 0);
        const QString name = QFontMetrics(mono).elidedText(tensor.name, Qt::ElideMiddle, text.width());
        painter.drawText(text, Qt::AlignVCenter, name);
        painter.setFont(small);
        painter.setPen(themeColor(Token::Muted));
        painter.drawText(text.adjusted(QFontMetrics(mono).horizontalAdvance(name) + 12, 0, 0, 0), Qt::AlignVCenter,
                         tensor.detail);
    }
    if (m_overview->notShown != 0) {
        painter.setFont(small);
        painter.setPen(themeColor(Token::Muted));
        painter.drawText(QRect(layout().labels, height() - kRow, width() - layout().labels, kRow), Qt::AlignVCenter,
                         tr("and %n more tensors, listed on the Tensors page", nullptr, numerus(m_overview->notShown)));
    }
}

} // namespace gufo::ui
