// The lengths of the stream and of what each half of a block adds to it, as lines over the blocks, on a logarithmic
// scale because the stream grows by orders of magnitude.
//
// Mouse and keys as ZoomPlot has them.
#pragma once

#include "inference/measuring/inside.h"
#include "ui/plots/picture_frame.h"
#include "ui/plots/zoom_plot.h"

#include <array>

namespace gufo::ui {

class SizesPlot : public ZoomPlot {
    Q_OBJECT

public:
    explicit SizesPlot(QWidget* parent = nullptr);

    void setSizes(const inference::StreamSizes& sizes, std::size_t token);
    void showAll() override;
    [[nodiscard]] static QStringList names(); // of the lines
    [[nodiscard]] std::vector<PictureKey> keys() const;
    [[nodiscard]] QCPGraph* line(std::size_t index) const { return m_lines[index]; }

signals:
    void hovered(const QString& text); // empty: not over the plot

protected:
    void restyle() override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    std::array<QCPGraph*, 3> m_lines{}; // stream, mixer, feed-forward
    std::size_t m_blocks = 0;
};

} // namespace gufo::ui
