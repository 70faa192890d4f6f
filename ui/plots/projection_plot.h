// Vectors of texts or tokens, as points in the plane of their first two principal components.
//
// Mouse: the wheel zooms, dragging moves, a click picks the nearest point, a double click shows all. Keys: see
// ZoomPlot; Shift with an arrow picks the previous or the next point.
#pragma once

#include "analysis/vector_set.h"
#include "ui/plots/picture_frame.h"
#include "ui/plots/zoom_plot.h"

namespace gufo::ui {

struct ProjectedPoints {
    PlaneProjection plane{};
    std::vector<QString> labels{}; // by point; elided where they are written
    // What is said of the point under the pointer, in one or several lines.
    std::function<QString(std::size_t point)> tip{};
};

class ProjectionPlot : public ZoomPlot {
    Q_OBJECT

public:
    explicit ProjectionPlot(QWidget* parent = nullptr);

    void setPoints(std::shared_ptr<const ProjectedPoints> points); // null: none
    // Marks a point and its neighbours, or none; does not emit picked().
    void choose(std::optional<std::size_t> point, const std::vector<std::size_t>& neighbours);
    [[nodiscard]] std::optional<std::size_t> chosen() const { return m_chosenPoint; }
    [[nodiscard]] std::size_t count() const { return m_content != nullptr ? m_content->plane.points.size() : 0; }
    [[nodiscard]] QPoint pointOf(std::size_t point) const; // in pixels
    void showAll() override;
    // Writes the labels beside the points, as far as they do not overlap; otherwise only beside the point under the
    // pointer.
    void setLabelled(bool labelled);
    [[nodiscard]] QStringList labels() const; // that are visible
    // A legend; `points` says what the points are, and `chosen` describes the chosen one.
    [[nodiscard]] std::vector<PictureKey> keys(const QString& points, const QString& chosen) const;

signals:
    void picked(std::size_t point);
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
    [[nodiscard]] std::optional<std::size_t> pointAt(QPointF position) const;
    void fill(QCPGraph* graph, const std::vector<std::size_t>& points) const;
    void setHovered(std::optional<std::size_t> point);
    void layOutLabels();
    void placeLabels(); // and shows them

    std::shared_ptr<const ProjectedPoints> m_content;
    std::optional<std::size_t> m_chosenPoint;
    std::optional<std::size_t> m_hovered;
    bool m_labelled = false;
    std::vector<QCPItemText*> m_labels; // some may be hidden
    QPoint m_pressed;
    QCPGraph* m_points;
    QCPGraph* m_neighbours;
    QCPGraph* m_chosen;
};

} // namespace gufo::ui
