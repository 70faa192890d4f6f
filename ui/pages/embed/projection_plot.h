// The lines as points in the plane of their first two principal components.
//
// Mouse: the wheel zooms, dragging moves, a click picks the nearest point, a double click shows all. Keys: see
// ZoomPlot; Shift with an arrow picks the previous or the next line.
#pragma once

#include "ui/pages/embed/embed_result.h"
#include "ui/plots/picture_frame.h"
#include "ui/plots/zoom_plot.h"

namespace gufo::ui {

class ProjectionPlot : public ZoomPlot {
    Q_OBJECT

public:
    explicit ProjectionPlot(QWidget* parent = nullptr);

    void setResult(std::shared_ptr<const EmbedResult> result);
    // Marks a line and its neighbours; does not emit picked().
    void setLine(std::size_t line, const std::vector<std::size_t>& neighbours);
    [[nodiscard]] std::optional<std::size_t> line() const { return m_line; }
    [[nodiscard]] QPoint pointOf(std::size_t line) const; // in pixels
    void showAll() override;
    // Writes the beginning of the line beside each point, as far as they do not overlap; otherwise only beside the
    // point under the pointer.
    void setLabelled(bool labelled);
    [[nodiscard]] QStringList labels() const; // that are visible
    // What the points mean; `chosen` describes the chosen line.
    [[nodiscard]] std::vector<PictureKey> keys(const QString& chosen) const;

signals:
    void picked(std::size_t line);
    void hovered(const QString& text); // empty: not over a point

protected:
    void restyle() override;
    bool step(int columns, int rows, Qt::KeyboardModifiers modifiers) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] std::optional<std::size_t> lineAt(QPointF position) const;
    [[nodiscard]] QString hoverText(std::size_t line) const;
    void fill(QCPGraph* graph, const std::vector<std::size_t>& lines) const;
    void setHovered(std::optional<std::size_t> line);
    void layOutLabels();
    void placeLabels(); // and shows them

    std::shared_ptr<const EmbedResult> m_result;
    std::optional<std::size_t> m_line;
    std::optional<std::size_t> m_hovered;
    bool m_labelled = false;
    std::vector<QCPItemText*> m_labels; // some may be hidden
    QPoint m_pressed;
    QCPGraph* m_points;
    QCPGraph* m_neighbours;
    QCPGraph* m_chosen;
};

} // namespace gufo::ui
