// A plot that is zoomed and moved: what all of them do alike. It takes on the theme's colours when it or the focus
// changes, shows all on a double click, and its axes show where the keyboard is.
//
// Keys: + − zoom about the middle, arrows move by an eighth, Home and 0 show all. The wheel zooms and dragging moves.
#pragma once

#include "ui/plots/plot_style.h"

namespace gufo::ui {

class ZoomPlot : public QCustomPlot {
    Q_OBJECT

public:
    virtual void showAll() = 0;

protected:
    static constexpr double kZoomStep = 1.25; // of a key, or a turn of the wheel

    // `zoomed`: which way; sums and counts keep the range of the other axis.
    ZoomPlot(Qt::Orientations zoomed, QWidget* parent);

    // What depends on the theme. Implementations call it at the end of their constructor.
    virtual void restyle() = 0;
    virtual void zoom(double factor); // about the middle; below 1 closer
    // What an arrow key does; false: nothing, and the key goes on to the parent. Rows grow downwards.
    virtual bool step(int columns, int rows, Qt::KeyboardModifiers modifiers);

    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    [[nodiscard]] QList<QCPAxis*> zoomedAxes() const;

    Qt::Orientations m_zoomed;
};

} // namespace gufo::ui
