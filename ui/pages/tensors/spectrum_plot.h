// The largest singular values of a matrix as a falling line, on a linear or a logarithmic axis.
//
// Mouse: the wheel zooms, dragging moves, a double click shows all; hovering shows a value and the share of the energy
// up to it. Keys: see ZoomPlot.
#pragma once

#include "analysis/spectrum.h"
#include "ui/plots/picture_frame.h"
#include "ui/plots/zoom_plot.h"

#include <memory>

namespace gufo::ui {

class SpectrumPlot : public ZoomPlot {
    Q_OBJECT

public:
    explicit SpectrumPlot(QWidget* parent = nullptr);
    void setSpectrum(std::shared_ptr<const Spectrum> spectrum); // null: nothing
    void setLogarithmic(bool logarithmic);
    [[nodiscard]] bool isLogarithmic() const { return m_logarithmic; }
    void showAll() override;
    [[nodiscard]] std::vector<PictureKey> keys() const;
    [[nodiscard]] QString textOf(std::size_t value) const; // of a value, as shown under the pointer

protected:
    void restyle() override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void redraw();

    std::shared_ptr<const Spectrum> m_spectrum;
    bool m_logarithmic = false;
    QCPGraph* m_values;
};

} // namespace gufo::ui
