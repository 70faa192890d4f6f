#include "tensor/tensor_type.h"
#include "ui/report/color_map_tables.h"
#include "ui/theme/theme.h"

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

// The fixed scale of every bits-per-weight map, bar and table.
constexpr double kLeastBits = 2.0;
constexpr double kMostBits = 8.5;

struct SeriesPair {
    QRgb light;
    QRgb dark;
};
constexpr std::array<SeriesPair, 4> kSeries = {{
    {0xFF0072B2, 0xFF56B4E9},
    {0xFFD55E00, 0xFFF08A4B},
    {0xFF1F5E2E, 0xFFA5E495},
    {0xFFC04BE8, 0xFFB95CF5},
}};

} // namespace

QColor colorMapAt(ColorMap map, double t) {
    const auto& table = map == ColorMap::Viridis ? kViridis : kCividis;
    const double clamped = std::isnan(t) ? 0.0 : std::clamp(t, 0.0, 1.0);
    const auto index = static_cast<std::size_t>(std::lround(clamped * static_cast<double>(table.size() - 1)));
    return QColor::fromRgb(table[index]);
}

QColor bitsPerWeightColor(double bits) {
    if (!(bits <= kMostBits + 1.0)) { // F16 and wider are not a result of quantisation
        return themeColor(Token::Unquantised);
    }
    return colorMapAt(ColorMap::Viridis, (bits - kLeastBits) / (kMostBits - kLeastBits));
}

QColor tensorTypeColor(std::uint32_t typeId) {
    const TensorTypeInfo* type = findTensorType(typeId);
    if (type == nullptr) {
        return themeColor(Token::Faint);
    }
    return type->kind == TensorTypeKind::Quantised ? bitsPerWeightColor(type->bitsPerWeight())
                                                   : themeColor(Token::Unquantised);
}

QColor seriesColor(int index) {
    const auto& pair = kSeries[static_cast<std::size_t>(std::max(index, 0)) % kSeries.size()];
    return QColor::fromRgb(Theme::instance().isDark() ? pair.dark : pair.light);
}

} // namespace gufo::ui
