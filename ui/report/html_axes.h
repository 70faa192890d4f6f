// Two axes with ticks and a grid, and the mapping from values to coordinates.
#pragma once

#include "ui/report/metric_scale.h"

#include <functional>

namespace gufo::ui {

struct HtmlAxis {
    NumberScale scale;
    QString title;
    std::function<QString(double)> label;
    int ticks = 6;
};

class HtmlAxes {
public:
    HtmlAxes(double width, double height, HtmlAxis x, HtmlAxis y);

    [[nodiscard]] double x(double value) const;
    [[nodiscard]] double y(double value) const;
    [[nodiscard]] double left() const { return kLeft; }
    [[nodiscard]] double right() const { return m_width - kRight; }
    [[nodiscard]] double top() const { return kTop; }
    [[nodiscard]] double bottom() const { return m_height - kBottom; }

    // Opens the SVG with axes, grid and titles. `name` is the text alternative for screen readers.
    [[nodiscard]] QString begin(const QString& name) const;
    [[nodiscard]] static QString end() { return QStringLiteral("</svg>"); }

private:
    static constexpr double kLeft = 62;
    static constexpr double kRight = 18;
    static constexpr double kTop = 12;
    static constexpr double kBottom = 42;

    double m_width;
    double m_height;
    HtmlAxis m_x;
    HtmlAxis m_y;
};

} // namespace gufo::ui
