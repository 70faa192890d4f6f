// The lengths of the stream and of what each half of a block adds to it, as lines over the blocks, on a logarithmic
// scale because the stream grows by orders of magnitude. Of two models, the lines of both, or their ratios, which are
// on a linear scale.
//
// Mouse and keys as ZoomPlot has them.
#pragma once

#include "inference/measuring/inside.h"
#include "ui/plots/picture_frame.h"
#include "ui/plots/zoom_plot.h"

#include <cstdint>
#include <vector>

namespace gufo::ui {

class SizesPlot : public ZoomPlot {
    Q_OBJECT

public:
    enum class Shows : std::uint8_t { Norms, Ratios };
    explicit SizesPlot(Shows shows, QWidget* parent = nullptr);

    // The sizes of `b` are dashed lines, or are divided by the sizes of `a`.
    void setSizes(const inference::StreamSizes& a, std::size_t token, const inference::StreamSizes* b = nullptr);
    void showAll() override;
    [[nodiscard]] static QStringList names(); // of the lines
    [[nodiscard]] std::vector<PictureKey> keys() const;
    // Stream, mixer and feed-forward, and then the same of `b`. Ratios have only three.
    [[nodiscard]] QCPGraph* line(std::size_t index) const { return m_lines[index]; }

signals:
    void hovered(const QString& text); // empty: not over the plot

protected:
    void restyle() override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    Shows m_shows;
    std::vector<QCPGraph*> m_lines;
    std::size_t m_blocks = 0;
};

} // namespace gufo::ui
