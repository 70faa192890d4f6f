#include "tensor/tensor_type.h"
#include "ui/report/color_map_tables.h"
#include "ui/report/series.h"
#include "ui/theme/theme_scope.h"

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

// The fixed scale of all bits-per-weight maps, bars and tables.
constexpr double kMinBits = 2.0;
constexpr double kMaxBits = 8.5;

QColor mixed(const QColor& a, const QColor& b, double share) {
    const auto part = [share](int from, int to) { return static_cast<int>(std::lround(from + (to - from) * share)); };
    return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

// Types that are not quantised have greys, the darker (in the dark theme: the lighter) the wider they are.
QColor unquantisedColor(double bits) {
    constexpr double kNarrowest = 16;
    constexpr double kPerDoubling = 0.4; // 64 bits are the widest
    const double share = bits > kNarrowest ? std::min(kPerDoubling * std::log2(bits / kNarrowest), 0.8) : 0;
    return mixed(themeColor(Token::Unquantised), themeColor(Token::Muted), share);
}

} // namespace

QColor colorMapAt(ColorMap map, double t) {
    const auto& table = map == ColorMap::Viridis ? kViridis : kCividis;
    const double clamped = std::isnan(t) ? 0.0 : std::clamp(t, 0.0, 1.0);
    const auto index = static_cast<std::size_t>(std::lround(clamped * static_cast<double>(table.size() - 1)));
    return QColor::fromRgb(table[index]);
}

QColor bitsPerWeightColor(double bits) {
    if (!(bits <= kMaxBits + 1.0)) { // F16 and wider types are not quantised
        return unquantisedColor(bits);
    }
    return colorMapAt(ColorMap::Viridis, (bits - kMinBits) / (kMaxBits - kMinBits));
}

QColor tensorTypeColor(std::uint32_t typeId) {
    const TensorTypeFact* type = findTensorType(typeId);
    if (type == nullptr) {
        return themeColor(Token::Faint);
    }
    if (type->kind == TensorTypeKind::Quantised) {
        return bitsPerWeightColor(type->bitsPerWeight());
    }
    // F16 and BF16 have the same width, and so have integers and floats.
    constexpr double kBetween = 16 * 1.3;
    return type->kind == TensorTypeKind::Integer
               ? mixed(unquantisedColor(type->bitsPerWeight()), themeColor(Token::WarningMark), 0.25)
               : unquantisedColor(typeId == static_cast<std::uint32_t>(TensorType::BF16) ? kBetween
                                                                                         : type->bitsPerWeight());
}

QColor seriesColor(int index) {
    const SeriesStyle& style = seriesStyle(index);
    return QColor::fromRgb(isPaintedDark() ? style.dark : style.light);
}

} // namespace gufo::ui
