#include "ui/messages/catalogue.h"
#include "ui/pages/overview/block_map.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <span>

namespace gufo::ui {
namespace {

constexpr double kLow = 2;
constexpr double kHigh = 8.5;
constexpr int kLeft = 6; // half of the number under the beginning of the scale
constexpr int kRight = 4;
constexpr int kScaleWidth = 190;
constexpr int kScaleTop = 7;
constexpr int kScaleHeight = 9;
constexpr int kGap = 12;
constexpr int kLegendSwatch = 18; // with the gap to its name
constexpr std::size_t kMaxMarks = 12;

double positionOf(double bits) { return (std::clamp(bits, kLow, kHigh) - kLow) / (kHigh - kLow) * kScaleWidth; }

} // namespace

MapLegend::MapLegend(QWidget* parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void MapLegend::setOverview(const Overview& overview) {
    m_marks.clear();
    m_unquantised.clear();
    QStringList unquantised;
    for (const Model::TypeShare& share : overview.typeShares) {
        const TensorTypeFact* type = findTensorType(share.typeId);
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
    const QString all =
        tr("Colour scale: 2 to 8.5 bits per weight; not quantised: %1").arg(unquantised.join(QStringLiteral(", ")));
    setAccessibleName(all);
    setToolTip(all);
    updateGeometry();
    update();
}

int MapLegend::swatchWidth(const QString& name) {
    return kGap + kLegendSwatch + QFontMetrics(themeFont(TextStyle::Axis)).horizontalAdvance(name);
}

QString MapLegend::furtherTypes(std::size_t count) { return tr("and %n more", nullptr, numerus(count)); }

QSize MapLegend::minimumSizeHint() const {
    const QFontMetrics metrics(themeFont(TextStyle::Axis));
    const int others = m_unquantised.empty() ? 0 : kGap + metrics.horizontalAdvance(furtherTypes(m_unquantised.size()));
    return {kLeft + kScaleWidth + kGap + metrics.horizontalAdvance(tr("bits/weight")) + others + kRight,
            kScaleTop + kScaleHeight + 4 + metrics.height()};
}

QSize MapLegend::sizeHint() const {
    const QFontMetrics metrics(themeFont(TextStyle::Axis));
    int width = kLeft + kScaleWidth + kGap + metrics.horizontalAdvance(tr("bits/weight")) + kRight;
    for (const auto& [name, type] : m_unquantised) {
        width += swatchWidth(name);
    }
    return QSize(width, 0).expandedTo(minimumSizeHint());
}

std::size_t MapLegend::shownTypes() const {
    if (width() >= sizeHint().width()) {
        return m_unquantised.size();
    }
    int end = minimumSizeHint().width(); // with the number of the others
    std::size_t shown = 0;
    while (shown < m_unquantised.size() && end + swatchWidth(m_unquantised[shown].first) <= width()) {
        end += swatchWidth(m_unquantised[shown].first);
        ++shown;
    }
    return shown;
}

void MapLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QFont font = themeFont(TextStyle::Axis);
    painter.setFont(font);
    const QFontMetrics metrics(font);
    painter.translate(kLeft, 0);
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
    const std::size_t shown = shownTypes();
    for (const auto& [name, type] : std::span(m_unquantised).first(shown)) {
        painter.fillRect(x, kScaleTop, 12, kScaleHeight, tensorTypeColor(type));
        painter.drawText(x + kLegendSwatch, baseline, name);
        x += swatchWidth(name);
    }
    if (shown != m_unquantised.size()) {
        painter.drawText(x, baseline, furtherTypes(m_unquantised.size() - shown));
    }
}

} // namespace gufo::ui
