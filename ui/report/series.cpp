#include "ui/report/series.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gufo::ui {
namespace {

// No two of these colours, nor one and the grey of the reference, look alike to people with protanopia, deuteranopia or
// tritanopia (tst_theme).
constexpr std::array<SeriesStyle, kSeriesStyles> kStyles{{
    {0x0072B2, 0x56B4E9, SeriesMark::Disc, {}},
    {0xD55E00, 0xF08A4B, SeriesMark::Square, {7, 2}},
    {0x1F5E2E, 0xA5E495, SeriesMark::Diamond, {3, 2}},
    {0xC04BE8, 0xB95CF5, SeriesMark::Up, {7, 2, 2, 2}},
    {0x159E8C, 0x227766, SeriesMark::Down, {12, 3}},
    {0x660044, 0xDD0000, SeriesMark::Plus, {1, 2}},
    {0x6600AA, 0x8844BB, SeriesMark::Cross, {7, 2, 2, 2, 2, 2}},
}};
constexpr SeriesStyle kReference{0x5B6470, 0x9BA3B0, SeriesMark::Square, {}};

std::vector<QPointF> polygon(int corners, double radius, double turn) {
    std::vector<QPointF> points;
    for (int i = 0; i < corners; ++i) {
        const double angle = turn + 2 * std::numbers::pi * i / corners;
        points.emplace_back(radius * std::sin(angle), -radius * std::cos(angle));
    }
    return points;
}

// A plus sign of four bars, turned by an angle.
std::vector<QPointF> plus(double turn) {
    constexpr double kHalf = 0.3; // of the width of a bar
    constexpr double kLong = 1.05;
    std::vector<QPointF> points;
    for (int bar = 0; bar < 4; ++bar) {
        const double angle = turn + bar * std::numbers::pi / 2;
        for (const QPointF& corner : {QPointF(-kHalf, -kHalf), QPointF(-kHalf, -kLong), QPointF(kHalf, -kLong)}) {
            points.emplace_back(corner.x() * std::cos(angle) - corner.y() * std::sin(angle),
                                corner.x() * std::sin(angle) + corner.y() * std::cos(angle));
        }
    }
    return points;
}

} // namespace

const SeriesStyle& seriesStyle(int series) {
    return series < 0 ? kReference : kStyles[static_cast<std::size_t>(series) % kStyles.size()];
}

std::span<const double> seriesDashes(int series) {
    const int round = series / static_cast<int>(kSeriesStyles); // 0 for the reference
    const auto& dashes = seriesStyle(series < 0 ? series : series + round).dashes;
    return {dashes.begin(), std::ranges::find(dashes, 0.0)};
}

std::vector<QPointF> seriesShape(int series) {
    constexpr double kPi = std::numbers::pi;
    switch (seriesStyle(series).mark) {
    case SeriesMark::Disc:
        return polygon(24, 0.9, 0);
    case SeriesMark::Square:
        return polygon(4, 1.15, kPi / 4);
    case SeriesMark::Diamond:
        return polygon(4, 1.1, 0);
    case SeriesMark::Up:
        return polygon(3, 1.1, 0);
    case SeriesMark::Down:
        return polygon(3, 1.1, kPi);
    case SeriesMark::Plus:
        return plus(0);
    case SeriesMark::Cross:
        break;
    }
    return plus(kPi / 4);
}

} // namespace gufo::ui
