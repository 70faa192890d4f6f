// The colour, the dashes and the mark of each file of a comparison. The window and the reports take them from one
// table, so that a file looks the same in every list, legend and chart. Dashes and marks tell the files apart where
// colours cannot: in print, or for those who do not see them all.
#pragma once

#include <QPointF>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace gufo::ui {

enum class SeriesMark : std::uint8_t { Disc, Square, Diamond, Up, Down, Plus, Cross };

struct SeriesStyle {
    std::uint32_t light; // 0xRRGGBB on a light ground
    std::uint32_t dark;
    SeriesMark mark;
    std::array<double, 6> dashes; // lengths of dashes and gaps in pixels, ended by 0; none: a solid line
};

inline constexpr std::size_t kSeriesStyles = 7; // of the files except the reference

// The style of a file. The reference, whose number is −1, is grey and has a mark without filling. If there are more
// than kSeriesStyles lines, such as lines of files and of a server, the further ones have the same colours with other
// dashes and with marks without filling.
[[nodiscard]] const SeriesStyle& seriesStyle(int series);
[[nodiscard]] constexpr bool isSeriesFilled(int series) {
    return series >= 0 && series < static_cast<int>(kSeriesStyles);
}
[[nodiscard]] std::span<const double> seriesDashes(int series);
// The corners of its mark around the origin, with a radius of about 1.
[[nodiscard]] std::vector<QPointF> seriesShape(int series);

// The number of the style of model `model`: the models except the reference in their order.
[[nodiscard]] constexpr int seriesOf(std::size_t model, std::size_t reference) {
    return model == reference ? -1 : static_cast<int>(model < reference ? model : model - 1);
}

} // namespace gufo::ui
