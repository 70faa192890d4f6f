#include "ui/report/html_axes.h"

#include "ui/report/html_text.h"

namespace gufo::ui {

HtmlAxes::HtmlAxes(double width, double height, HtmlAxis x, HtmlAxis y)
    : m_width(width)
    , m_height(height)
    , m_x(std::move(x))
    , m_y(std::move(y)) {}

double HtmlAxes::x(double value) const { return left() + m_x.scale.positionOf(value) * (right() - left()); }

double HtmlAxes::y(double value) const { return bottom() - m_y.scale.positionOf(value) * (bottom() - top()); }

QString HtmlAxes::begin(const QString& name) const {
    QString svg =
        filled("<svg class=\"plot\" role=\"img\" aria-label=\"%1\" viewBox=\"0 0 %2 %3\" width=\"%2\" height=\"%3\">",
               escaped(name), px(m_width), px(m_height));
    for (const double tick : m_y.scale.ticks(m_y.ticks)) {
        svg += filled("<path class=\"grid\" d=\"M%1 %2H%3\"/><text x=\"%4\" y=\"%5\" text-anchor=\"end\">%6</text>",
                      px(left()), px(y(tick)), px(right()), px(left() - 8), px(y(tick) + 4), escaped(m_y.label(tick)));
    }
    for (const double tick : m_x.scale.ticks(m_x.ticks)) {
        svg += filled("<path class=\"grid\" d=\"M%1 %2V%3\"/><text x=\"%1\" y=\"%4\" text-anchor=\"middle\">%5</text>",
                      px(x(tick)), px(top()), px(bottom()), px(bottom() + 17), escaped(m_x.label(tick)));
    }
    svg += filled("<path class=\"axis\" d=\"M%1 %2V%3H%4\"/>", px(left()), px(top()), px(bottom()), px(right()));
    svg += filled("<text class=\"muted\" x=\"%1\" y=\"%2\" text-anchor=\"middle\">%3</text>",
                  px((left() + right()) / 2), px(m_height - 6), escaped(m_x.title));
    svg += filled("<text class=\"muted\" transform=\"translate(13 %1) rotate(-90)\" text-anchor=\"middle\">%2</text>",
                  px((top() + bottom()) / 2), escaped(m_y.title));
    return svg;
}

} // namespace gufo::ui
