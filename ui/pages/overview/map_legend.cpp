#include "ui/pages/overview/block_map.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace gufo::ui {
namespace {

constexpr double kLow = 2;
constexpr double kHigh = 8.5;
constexpr int kScaleWidth = 190;
constexpr int kScaleTop = 7;
constexpr int kScaleHeight = 9;
constexpr int kGap = 12;
constexpr int kSwatch = 18; // with the gap to its name
constexpr std::size_t kMaxMarks = 12;

double positionOf(double bits) { return (std::clamp(bits, kLow, kHigh) - kLow) / (kHigh - kLow) * kScaleWidth; }

} // namespace

MapLegend::MapLegend(QWidget* parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void MapLegend::setOverview(const Overview& overview) {
    m_marks.clear();
    m_unquantised.clear();
    QStringList unquantised;
    for (const Model::TypeShare& share : overview.typeShares) {
        const TensorTypeInfo* type = findTensorType(share.typeId);
        if (type == nullptr) {
            continue;
        }
        if (type->kind != TensorTypeKind::Quantised) {
            unquantised << QString::fromStdString(share.name);
            m_unquantised.emplace_back(unquantised.back(), share.typeId);
        } else if (m_marks.size() < kMaxMarks) {
            m_marks.push_back(type->bitsPerWeight());
        }
    }
    setAccessibleName(
        tr("Colour scale: 2 to 8.5 bits per weight; not quantised: %1").arg(unquantised.join(QStringLiteral(", "))));
    updateGeometry();
    update();
}

QSize MapLegend::sizeHint() const {
    const QFontMetrics metrics(themeFont(TextStyle::Axis));
    int swatches = 0;
    for (const auto& [name, type] : m_unquantised) {
        swatches += kGap + kSwatch + metrics.horizontalAdvance(name);
    }
    return {8 + kScaleWidth + kGap + metrics.horizontalAdvance(tr("bits/weight")) + swatches + 2,
            kScaleTop + kScaleHeight + 4 + metrics.height()};
}

void MapLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QFont font = themeFont(TextStyle::Axis);
    painter.setFont(font);
    const QFontMetrics metrics(font);
    painter.translate(6, 0);
    for (int x = 0; x < kScaleWidth; ++x) {
        painter.fillRect(QRectF(x, kScaleTop, 1, kScaleHeight),
                         bitsPerWeightColor(kLow + (x + 0.5) / kScaleWidth * (kHigh - kLow)));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(themeColor(Token::Text));
    for (const double bits : m_marks) {
        const double x = positionOf(bits);
        painter.drawPolygon(QPolygonF({{x - 4, 1}, {x + 4, 1}, {x, 6}}));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(themeColor(Token::Muted));
    for (int bits = 2; bits <= 8; ++bits) {
        const int x = static_cast<int>(std::lround(positionOf(bits)));
        painter.fillRect(x, kScaleTop + kScaleHeight, 1, 3, themeColor(Token::PlotAxis));
        painter.drawText(QRect(x - 12, kScaleTop + kScaleHeight + 3, 25, metrics.height()), Qt::AlignHCenter,
                         QString::number(bits));
    }
    int x = kScaleWidth + kGap;
    const int baseline = kScaleTop + kScaleHeight / 2 + metrics.ascent() / 2 - 1;
    painter.drawText(x, baseline, tr("bits/weight"));
    x += metrics.horizontalAdvance(tr("bits/weight")) + kGap;
    for (const auto& [name, type] : m_unquantised) {
        painter.fillRect(x, kScaleTop, 12, kScaleHeight, tensorTypeColor(type));
        painter.drawText(x + kSwatch, baseline, name);
        x += kSwatch + metrics.horizontalAdvance(name) + kGap;
    }
}

} // namespace gufo::ui
