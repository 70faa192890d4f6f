// The base of plots that can be zoomed and moved. It updates its colours when the theme or the focus changes, shows all
// on a double click, and marks its axes when it has keyboard focus.
//
// The keys are in plot_keys.h: they zoom about the centre, move by an eighth, or show all. The wheel zooms and
// dragging moves.
#pragma once

#include "ui/plots/plot_style.h"

namespace gufo::ui {

class ZoomPlot : public QCustomPlot {
    Q_OBJECT

public:
    virtual void showAll() = 0;
    // Takes the colours of the theme anew; `marksFocus` marks the axes if the plot has keyboard focus.
    void applyTheme(bool marksFocus);

protected:
    static constexpr double kZoomStep = 1.25; // for a key press or a notch of the wheel

    // `zoomed` gives the axes that zoom; plots of counts keep the range of the other axis.
    ZoomPlot(Qt::Orientations zoomed, QWidget* parent);

    // Applies what depends on the theme. Implementations call it at the end of their constructor.
    virtual void restyle() = 0;
    virtual void zoom(double factor); // about the centre; a factor below 1 zooms in
    // Handles an arrow key. Returns false if it does nothing, so that the parent receives the key. Rows grow downwards.
    virtual bool step(int columns, int rows, Qt::KeyboardModifiers modifiers);

    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    [[nodiscard]] QList<QCPAxis*> zoomedAxes() const;

    Qt::Orientations m_zoomed;
};

} // namespace gufo::ui
