// The picture of size against divergence: what the best plans of all sizes are expected to lose, the named mixes, the
// plan, and other files. A hollow mark is what is expected, a filled one what was measured, and a line joins the two.
//
// Mouse: the wheel zooms, dragging moves, a double click shows all; hovering shows a file. Keys: ← and → move along the
// files by size, + and − zoom, Home shows all.
#pragma once

#include "ui/plots/zoom_plot.h"
#include "ui/tools/plan_check.h"

#include <optional>
#include <vector>

namespace gufo::ui {

class SizeMarks;

class SizePlot : public ZoomPlot {
    Q_OBJECT

public:
    struct FrontPoint {
        std::uint64_t bytes = 0;
        double nats = 0;
    };

    explicit SizePlot(QWidget* parent = nullptr);
    void setFront(std::vector<FrontPoint> front); // ascending in size
    [[nodiscard]] const std::vector<FrontPoint>& front() const { return m_front; }
    void setFiles(std::vector<SizedFile> files);
    [[nodiscard]] const std::vector<SizedFile>& files() const { return m_files; }
    [[nodiscard]] std::optional<std::size_t> chosen() const { return m_chosen; } // index of a file
    [[nodiscard]] QPointF pixelOf(std::uint64_t bytes, double nats) const;
    [[nodiscard]] QString describe(const SizedFile& file) const;
    void showAll() override;

protected:
    void restyle() override;
    bool step(int columns, int rows, Qt::KeyboardModifiers modifiers) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    [[nodiscard]] std::optional<std::size_t> fileAt(QPointF pixel) const;
    void choose(std::size_t file);

    std::vector<FrontPoint> m_front;
    std::vector<SizedFile> m_files;
    std::optional<std::size_t> m_chosen;
    SizeMarks* m_marks;
};

} // namespace gufo::ui
