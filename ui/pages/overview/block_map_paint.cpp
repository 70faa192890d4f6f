// The painting of the block map. Its geometry and behaviour are in block_map.cpp.
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/pages/overview/block_map.h"
#include "ui/theme/theme.h"

#include <QPaintEvent>
#include <QPainter>

#include <algorithm>
#include <array>

namespace gufo::ui {
namespace {

constexpr int kRow = 20;
constexpr int kBarThickness = 7;

// The interval of the block numbers (1, 2, 4, 8 …) at which labels are at least 30 pixels apart.
int labelStep(int cell) {
    int step = 1;
    while (step * cell < 30) {
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
    for (const Band& band : m_layout.bands) {
        const QRect area(0, band.top, width(), band.rowTops.back() + kRow - band.top);
        if (area.intersects(event->rect())) {
            paintBand(painter, band, event->rect());
        }
    }
    paintLoose(painter);
    for (const auto& cell : {m_hovered, m_selected}) {
        const MapCell* found = cell ? find(*cell) : nullptr;
        if (found == nullptr) {
            continue;
        }
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(Qt::NoBrush);
        const QRectF frame = QRectF(cellRect(*cell)).adjusted(-0.5, -0.5, 0.5, 0.5);
        painter.setPen(QPen(themeColor(Token::Base), 3));
        painter.drawRoundedRect(frame.adjusted(-1, -1, 1, 1), 2, 2);
        painter.setPen(QPen(themeColor(cell == m_selected && hasFocus() ? Token::Accent : Token::Text), 1.6));
        painter.drawRoundedRect(frame, 1.5, 1.5);
    }
}

void BlockMap::paintBand(QPainter& painter, const Band& band, const QRect& exposed) const {
    const MapPanel& panel = m_overview->panels[static_cast<std::size_t>(band.panel)];
    const QFont mono = themeFont(TextStyle::Mono);
    const QFont small = themeFont(TextStyle::Axis);
    if (band.titled) {
        painter.setFont(themeFont(TextStyle::Table));
        painter.setPen(themeColor(Token::Text));
        painter.drawText(QRect(m_layout.labels, band.top - 2, 300, kRow), Qt::AlignVCenter, panel.name);
    }
    const QFontMetrics monoMetrics(mono);
    for (std::size_t r = 0; r < panel.rows.size(); ++r) {
        const MapRow& row = panel.rows[r];
        const int y = band.rowTops[r];
        if (y > exposed.bottom() || y + kRow < exposed.top()) {
            continue;
        }
        painter.setFont(mono);
        painter.setPen(themeColor(Token::Muted));
        painter.drawText(QRect(0, y, m_layout.labels - 8, kRow - 1), Qt::AlignRight | Qt::AlignVCenter,
                         monoMetrics.elidedText(row.role, Qt::ElideMiddle, m_layout.labels - 8));
        for (int c = 0; c < band.columns; ++c) {
            const QRect rect(m_layout.labels + c * m_layout.cell, y, m_layout.cell - 1, kRow - 1);
            const MapCell& cell = row.cells[static_cast<std::size_t>(band.firstColumn + c)];
            if (cell.tensors.empty()) {
                painter.fillRect(rect.center().x() - 1, rect.center().y(), 3, 1, themeColor(Token::Line));
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
            painter.fillRect(m_layout.bytes, y + (kRow - 1 - kBarThickness) / 2, length, kBarThickness,
                             themeColor(Token::Unquantised));
            painter.setPen(themeColor(Token::Muted));
            painter.drawText(QRect(m_layout.bytes + maximum, y, 76, kRow - 1), Qt::AlignRight | Qt::AlignVCenter,
                             formatBytes(row.bytes));
        }
    }
    painter.setFont(small);
    painter.setPen(themeColor(Token::Muted));
    const int axis = band.rowTops.back();
    painter.drawText(QRect(0, axis, m_layout.labels - 8, kRow), Qt::AlignRight | Qt::AlignVCenter, tr("block"));
    const int step = labelStep(m_layout.cell);
    for (int c = 0; c < band.columns; ++c) {
        if ((band.firstColumn + c) % step == 0) {
            const int center = m_layout.labels + c * m_layout.cell + (m_layout.cell - 1) / 2;
            painter.drawText(QRect(center - 30, axis, 61, kRow), Qt::AlignCenter,
                             QString::number(panel.blocks[static_cast<std::size_t>(band.firstColumn + c)]));
        }
    }
}

void BlockMap::paintLoose(QPainter& painter) const {
    const QFont mono = themeFont(TextStyle::Mono);
    const QFont small = themeFont(TextStyle::Axis);
    for (std::size_t i = 0; i < m_layout.loose.size(); ++i) {
        const LooseTensor& tensor = m_overview->loose[i];
        const QRect place = m_layout.loose[i];
        if (i == 0) {
            painter.setFont(small);
            painter.setPen(themeColor(Token::Muted));
            painter.drawText(QRect(0, place.top(), m_layout.labels - 8, place.height()),
                             Qt::AlignRight | Qt::AlignVCenter, tr("no block"));
        }
        const QRect swatch = cellRect(Cell{static_cast<int>(m_overview->panels.size()), 0, static_cast<int>(i)});
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
        painter.drawText(QRect(m_layout.labels, height() - kRow, width() - m_layout.labels, kRow), Qt::AlignVCenter,
                         tr("and %n more tensors, listed on the Tensors page", nullptr, numerus(m_overview->notShown)));
    }
}

} // namespace gufo::ui
