// The painting of the quality map. Its geometry is in quality_map.cpp.
#include "ui/compare/map/quality_map.h"
#include "ui/messages/catalogue.h"
#include "ui/messages/figure_text.h"
#include "ui/plots/metric_legend.h"
#include "ui/report/comparison_report.h"
#include "ui/theme/series_paint.h"

#include <QPaintEvent>
#include <QPainter>

#include <algorithm>

namespace gufo::ui {
namespace {

constexpr int kMapSquare = 9;

// The interval of the block numbers (1, 2, 3, 6, 12 …) at which labels are at least 30 pixels apart.
std::size_t labelStep(int cell) {
    for (const std::size_t step : {1U, 2U, 3U, 4U, 6U, 8U, 12U, 16U, 24U, 32U, 64U}) {
        if (static_cast<int>(step) * cell >= 30) {
            return step;
        }
    }
    return 128;
}

} // namespace

void QualityMap::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    draw(painter, event->rect());
    paintFrames(painter);
}

void QualityMap::drawAt(QPainter& painter, int width) const {
    QualityMap other; // with another layout
    other.m_comparison = m_comparison;
    other.m_grid = m_grid;
    other.m_values = m_values;
    other.m_colorMap = m_colorMap;
    other.m_sameScale = m_sameScale;
    other.m_rowHeight = m_rowHeight;
    other.resize(width, 1);
    other.relayOut();
    other.resize(width, std::max(other.layout().total, 1));
    other.draw(painter, other.rect());
}

void QualityMap::draw(QPainter& painter, const QRect& exposed) const {
    if (!m_grid || layout().maps.empty()) {
        return;
    }
    for (const Map& map : layout().maps) {
        const QRect area(map.first ? 0 : map.at.x(), map.at.y(), map.at.x() + layout().width, layout().height);
        if (area.intersects(exposed)) {
            paintMap(painter, map, exposed);
        }
    }
    QStringList left;
    if (m_grid->vectorRows > 0) {
        left << tr("%n norms and biases are in the list", nullptr, numerus(m_grid->vectorRows));
    }
    if (m_grid->notShown > 0) {
        left << tr("%n more tensors are in the list", nullptr, numerus(m_grid->notShown));
    }
    painter.setFont(themeFont(TextStyle::Axis));
    painter.setPen(themeColor(Token::Muted));
    painter.drawText(QRect(layout().labels, layout().total - kAxis, width() - layout().labels, kAxis),
                     Qt::AlignVCenter | Qt::AlignLeft, left.join(QStringLiteral("; ")));
}

// The text at the right above a map: the figure of the whole model.
QString QualityMap::summary(std::size_t file) const {
    const Metric metric = m_values.metric();
    if (metric == Metric::Divergence) {
        const auto found = m_comparison->behaviour(file);
        return found != nullptr ? tr("KL %1").arg(metricTextWithUnit(metricFact(metric), found->total)) : QString();
    }
    if (!metricFact(metric).ofPair()) {
        const auto bits = m_comparison->files()[file].totals.bitsPerWeight;
        return bits ? formatBitsPerWeight(*bits) : QString();
    }
    if (file >= m_comparison->totals().size()) {
        return {};
    }
    const ComparisonTotals& all = m_comparison->totals()[file].all;
    const auto value =
        all.likeness() == Likeness::Different ? metricOf(metricFact(metric), all.byParameters) : std::nullopt;
    QStringList parts{all.tensors > 0 || !all.complete() ? totalsText(all) : QString(),
                      value ? metricTextWithUnit(metricFact(metric), *value) : QString()};
    if (const auto divergence = m_comparison->divergence(file)) {
        const MetricFact& info = metricFact(Metric::Divergence);
        parts << tr("KL %1").arg(metricTextWithUnit(info, *divergence));
    }
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

void QualityMap::paintMap(QPainter& painter, const Map& map, const QRect& exposed) const {
    const ComparedFile& file = m_comparison->files()[map.file];
    paintSeriesMark(painter, map.at + QPointF(kMapSquare / 2.0, kTitle / 2.0 - 2), kMapSquare, file.series);
    const QRect line(map.at.x() + kMapSquare + 8, map.at.y() - 2, layout().width - kMapSquare - 8, kTitle);
    const QString figure = summary(map.file);
    painter.setFont(themeFont(TextStyle::Table));
    painter.setPen(themeColor(Token::Text));
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, figure);
    const int room = line.width() - QFontMetrics(themeFont(TextStyle::Table)).horizontalAdvance(figure) - 12;
    const QFont bold = themeFont(TextStyle::Section);
    const QFontMetrics boldMetrics(bold);
    painter.setFont(bold);
    const QString name = boldMetrics.elidedText(file.label, Qt::ElideMiddle, room);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, name);
    const int used = boldMetrics.horizontalAdvance(name) + 8;
    painter.setFont(themeFont(TextStyle::Axis));
    painter.setPen(themeColor(Token::Muted));
    // What does not fit whole is left out.
    QString facts = formatBytes(file.totals.fileBytes);
    const auto fits = [&](const QString& text) { return painter.fontMetrics().horizontalAdvance(text) <= room - used; };
    if (file.totals.bitsPerWeight) {
        const QString both = facts + tr(", %1 bits/weight").arg(formatBitsPerWeight(*file.totals.bitsPerWeight));
        facts = fits(both) ? both : facts;
    }
    if (fits(facts)) {
        painter.drawText(QRect(line.left() + used, line.top(), room - used, line.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, facts);
    }
    for (const Band& band : layout().bands) {
        const QRect area(0, map.at.y() + band.top, width(), band.rowTops.back() + kAxis - band.top);
        if (area.intersects(exposed)) {
            paintBand(painter, map, band, exposed);
        }
    }
    paintLoose(painter, map);
}

void QualityMap::paintBand(QPainter& painter, const Map& map, const Band& band, const QRect& exposed) const {
    const MapGridPanel& panel = m_grid->panels[band.panel];
    const QFont mono = themeFont(TextStyle::Mono);
    const QFontMetrics monoMetrics(mono);
    if (band.titled) {
        painter.setFont(themeFont(TextStyle::Table));
        painter.setPen(themeColor(Token::Text));
        painter.drawText(QRect(map.at.x(), map.at.y() + band.top - 2, layout().width, 20), Qt::AlignVCenter,
                         panel.name);
    }
    forExposedRows(map, band, exposed, [&](std::size_t r, int y) {
        const MapGridRow& row = panel.rows[r];
        if (map.first) {
            QString label = row.label;
            if (row.hasExperts) {
                label = (row.unfolded ? QStringLiteral("▾ ") : QStringLiteral("▸ ")) + label;
            }
            painter.setFont(row.ofExpert ? themeFont(TextStyle::Axis) : mono);
            painter.setPen(themeColor(row.ofExpert ? Token::Faint : Token::Muted));
            paintLabel(painter, y, m_rowHeight - 1,
                       monoMetrics.elidedText(label, Qt::ElideMiddle, layout().labels - 8));
        }
        for (std::size_t c = 0; c < band.columns; ++c) {
            paintCell(painter, cellOfBand(map, band, r, c), map.file,
                      m_values.at(map.file, row.firstCell + band.firstColumn + c));
        }
    });
    painter.setFont(themeFont(TextStyle::Axis));
    painter.setPen(themeColor(Token::Muted));
    if (map.first) {
        paintLabel(painter, map.at.y() + band.rowTops.back(), kAxis, tr("block"));
    }
    paintBlockNumbers(painter, map, band, labelStep(layout().cell), panel.blocks, kAxis);
}

void QualityMap::paintCell(QPainter& painter, const QRect& rect, std::size_t file, const MapCellValue& value) const {
    using Kind = MapCellValue::Kind;
    switch (value.kind) {
    case Kind::Empty:
        paintAbsent(painter, rect);
        break;
    case Kind::Pending:
        painter.setPen(themeColor(Token::Line));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect.adjusted(0, 0, -1, -1));
        break;
    case Kind::Apart:
    case Kind::Failed: {
        const QColor ink = themeColor(value.kind == Kind::Failed ? Token::ErrorText : Token::Faint);
        painter.setPen(ink);
        painter.setBrush(QBrush(ink, Qt::BDiagPattern));
        painter.drawRect(rect.adjusted(0, 0, -1, -1));
        break;
    }
    case Kind::LeftOut: {
        painter.setPen(themeColor(Token::WarningText));
        painter.setBrush(QBrush(themeColor(Token::WarningText), Qt::BDiagPattern));
        painter.drawRect(rect.adjusted(0, 0, -1, -1));
        break;
    }
    case Kind::Same: {
        painter.fillRect(rect, themeColor(Token::Unquantised));
        const int side = std::min({rect.width(), rect.height(), 6}) / 2;
        QRect dot(0, 0, side, side);
        dot.moveCenter(rect.center());
        painter.fillRect(dot, themeColor(Token::Muted));
        break;
    }
    case Kind::Value: {
        const MetricScale scale = m_sameScale ? m_values.commonScale() : m_values.scaleOf(file);
        painter.fillRect(rect, metricColor(scale, value.value, m_colorMap));
        break;
    }
    }
    if (value.leavesOut && value.kind != Kind::LeftOut) {
        paintLeftOutMark(painter, rect);
    }
}

void QualityMap::paintLoose(QPainter& painter, const Map& map) const {
    const QFont mono = themeFont(TextStyle::Mono);
    const QFontMetrics monoMetrics(mono);
    for (std::size_t i = 0; i < m_grid->loose.size(); ++i) {
        const MapGrid::Loose& loose = m_grid->loose[i];
        const QRect place = layout().loose[i].translated(map.at);
        const QRect swatch = rectIn(map, Cell{map.file, m_grid->panels.size(), 0, i});
        const MapCellValue& value = m_values.at(map.file, loose.cell);
        paintCell(painter, swatch, map.file, value);
        if (i == 0 && map.first) {
            painter.setFont(themeFont(TextStyle::Axis));
            painter.setPen(themeColor(Token::Muted));
            paintLabel(painter, place.top(), place.height(), tr("no block"));
        }
        QStringList detail;
        if (value.tensor != nullptr) {
            detail << QString::fromStdString(value.tensor->typeName());
        }
        const MetricFact& metric = metricFact(m_values.metric());
        if (value.kind == MapCellValue::Kind::Value && (metric.ofPair() || metric.metric == Metric::Divergence)) {
            detail << metricTextWithUnit(metric, value.value);
        } else if (value.kind == MapCellValue::Kind::Same) {
            detail << likenessText(value.likeness, {});
        } else if (value.kind == MapCellValue::Kind::LeftOut) {
            detail << tr("not finite or cut off");
        } else if (value.kind == MapCellValue::Kind::Apart) {
            detail << tr("not comparable");
        }
        painter.setFont(mono);
        painter.setPen(themeColor(Token::Text));
        const QRect text(swatch.right() + 7, place.top(), place.right() - swatch.right() - 7, place.height());
        const QString name = monoMetrics.elidedText(loose.label, Qt::ElideMiddle, text.width());
        painter.drawText(text, Qt::AlignVCenter, name);
        const int used = monoMetrics.horizontalAdvance(name) + 8;
        painter.setFont(themeFont(TextStyle::Axis));
        painter.setPen(themeColor(Token::Muted));
        painter.drawText(
            text.adjusted(used, 0, 0, 0), Qt::AlignVCenter,
            painter.fontMetrics().elidedText(detail.join(QStringLiteral(", ")), Qt::ElideRight, text.width() - used));
    }
}

} // namespace gufo::ui
