// The cosines of all pairs of lines as colours, with a legend.
//
// Mouse: the wheel zooms, dragging moves, a click picks a pair, a double click shows all. Keys: see ZoomPlot;
// Shift with an arrow picks the neighbouring pair.
#pragma once

#include "ui/pages/embed/embed_result.h"
#include "ui/plots/zoom_plot.h"

namespace gufo::ui {

class SimilarityMap : public ZoomPlot {
    Q_OBJECT

public:
    explicit SimilarityMap(QWidget* parent = nullptr);

    void setResult(std::shared_ptr<const EmbedResult> result);
    void setPair(std::size_t row, std::size_t column); // marks it; does not emit picked()
    [[nodiscard]] const EmbedResult* result() const { return m_result.get(); }
    [[nodiscard]] std::pair<std::size_t, std::size_t> pair() const { return {m_row, m_column}; }
    [[nodiscard]] QPoint centreOf(std::size_t row, std::size_t column) const; // in pixels
    void showAll() override;

signals:
    void picked(std::size_t row, std::size_t column);
    void hovered(const QString& text); // empty: not over the map

protected:
    void restyle() override;
    bool step(int columns, int rows, Qt::KeyboardModifiers modifiers) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> pairAt(QPointF position) const;
    void pick(std::size_t row, std::size_t column);

    std::shared_ptr<const EmbedResult> m_result;
    std::size_t m_row = 0;
    std::size_t m_column = 0;
    QPoint m_pressed;
    QCPColorMap* m_colours; // has no cells: it carries gradient and range of the legend
    QCPColorScale* m_scale;
};

} // namespace gufo::ui
