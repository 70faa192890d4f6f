// Draws the items and lines of a diagram in the colours of the theme: on the screen and for export.
#pragma once

#include "ui/pages/diagram/diagram_colors.h"
#include "ui/report/diagram_layout.h"

#include <QPainter>

#include <vector>

namespace gufo::ui {

class DiagramPainter {
public:
    // All must outlive it.
    DiagramPainter(QPainter& painter, const inference::ModelStructure& structure, const DiagramColors& colors)
        : m_painter(painter)
        , m_structure(structure)
        , m_colors(colors) {}

    void draw(const DiagramLayout& layout, const QRectF& exposed) const;

private:
    void drawItem(const DiagramItem& item) const;
    void drawPart(const DiagramItem& item) const;
    void drawRow(const DiagramItem& item) const;
    void drawColors(const QRectF& rect, const std::vector<ColorShare>& shares) const;

    QPainter& m_painter;
    const inference::ModelStructure& m_structure;
    const DiagramColors& m_colors;
};

} // namespace gufo::ui
