// Draws over the heat map: the borders of blocks and sub-blocks, and the rectangle that the value grid shows.
#pragma once

#include "ui/plots/plot_style.h"

namespace gufo::ui {

class HeatMap;

class MapOverlay : public QCPAbstractItem {
    Q_OBJECT

public:
    explicit MapOverlay(HeatMap& map);
    double selectTest(const QPointF&, bool, QVariant* = nullptr) const override { return -1; }

protected:
    void draw(QCPPainter* painter) override;

private:
    void drawBorders(QCPPainter& painter, std::uint64_t every, const QPen& pen, std::uint64_t except) const;
    void drawMarker(QCPPainter& painter) const;

    HeatMap& m_heatMap;
};

} // namespace gufo::ui
