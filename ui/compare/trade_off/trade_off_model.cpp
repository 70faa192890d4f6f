#include "ui/compare/trade_off/trade_off_model.h"

#include "ui/messages/figure_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table_text.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace gufo::ui {

void TradeOffModel::setPoints(std::vector<TradeOffPoint> points, Metric metric) {
    beginResetModel();
    m_points = std::move(points);
    m_metric = metric;
    reorder();
    endResetModel();
}

void TradeOffModel::reorder() {
    m_order.resize(m_points.size());
    std::iota(m_order.begin(), m_order.end(), std::size_t{0});
    const bool descending = m_sortOrder == Qt::DescendingOrder;
    const auto qualityOf = [this](const TradeOffPoint& point) { // the reference is the closest of all
        const double best = metricFact(m_metric).higherIsCloser ? std::numeric_limits<double>::max() : -1;
        return point.quality.value_or(best);
    };
    const auto before = [&](const TradeOffPoint& a, const TradeOffPoint& b) {
        switch (m_sortColumn) {
        case kFile:
            return a.label < b.label;
        case kBits:
            return a.bits.value_or(0) < b.bits.value_or(0);
        case kQuality:
            return qualityOf(a) < qualityOf(b);
        case kVerdict:
            return a.frontier < b.frontier;
        default:
            return a.bytes < b.bytes;
        }
    };
    std::ranges::stable_sort(m_order, [&](std::size_t a, std::size_t b) {
        return descending ? before(m_points[b], m_points[a]) : before(m_points[a], m_points[b]);
    });
}

void TradeOffModel::sort(int column, Qt::SortOrder order) {
    emit layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    std::vector<std::size_t> points;
    for (const QModelIndex& one : before) {
        points.push_back(m_order[static_cast<std::size_t>(one.row())]);
    }
    m_sortColumn = column;
    m_sortOrder = order;
    reorder();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        const auto row = std::ranges::find(m_order, points[static_cast<std::size_t>(i)]) - m_order.begin();
        after << index(static_cast<int>(row), before[i].column());
    }
    changePersistentIndexList(before, after);
    emit layoutChanged();
}

int TradeOffModel::rowOf(std::size_t file) const {
    for (std::size_t row = 0; row < m_order.size(); ++row) {
        if (m_points[m_order[row]].file == file) {
            return static_cast<int>(row);
        }
    }
    return -1;
}

int TradeOffModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_points.size());
}

int TradeOffModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QString TradeOffModel::verdict(const TradeOffPoint& point) const {
    return point.tooLarge    ? tr("too large")
           : point.reference ? tr("reference")
           : point.frontier  ? (point.lossless ? point.likeness : tr("frontier"))
           : point.better    ? tr("%1 is better").arg(m_points[*point.better].label)
                             : point.likeness;
}

QVariant TradeOffModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const TradeOffPoint& point = m_points[m_order[static_cast<std::size_t>(index.row())]];
    switch (role) {
    case Qt::UserRole:
        return static_cast<uint>(point.file);
    case Qt::TextAlignmentRole:
        return QVariant(index.column() == kFile || index.column() == kVerdict ? Qt::AlignLeft | Qt::AlignVCenter
                                                                              : Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        if (index.column() == kQuality && !point.leftOut.isEmpty()) {
            return themeColor(Token::WarningText);
        }
        return index.column() == kVerdict ? QVariant(themeColor(point.frontier ? Token::Accent : Token::Muted))
                                          : QVariant();
    case Qt::ToolTipRole: {
        QStringList lines = point.leftOut;
        if (index.column() == kFile || index.column() == kVerdict) {
            lines.prepend(index.data().toString());
        }
        if (point.memory) {
            lines << tr("Running it takes %1").arg(formatBytes(*point.memory));
        }
        return lines.isEmpty() ? QVariant() : QVariant(lines.join(u'\n').toHtmlEscaped());
    }
    case kExactRole: {
        const auto orNothing = [](std::optional<double> value) { return value ? QVariant(*value) : QVariant(); };
        return index.column() == kSize      ? QVariant::fromValue(quint64{point.bytes})
               : index.column() == kBits    ? orNothing(point.bits)
               : index.column() == kQuality ? orNothing(point.quality)
                                            : QVariant();
    }
    case Qt::DisplayRole:
        break;
    default:
        return {};
    }
    switch (index.column()) {
    case kFile:
        return point.label;
    case kSize:
        return formatBytes(point.bytes);
    case kBits:
        return point.bits ? formatBitsPerWeight(*point.bits) : QStringLiteral("—");
    case kQuality:
        return point.quality ? metricText(metricFact(m_metric), *point.quality) : QStringLiteral("—");
    default:
        return verdict(point);
    }
}

QVariant TradeOffModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant(section == kFile || section == kVerdict ? Qt::AlignLeft | Qt::AlignVCenter
                                                                : Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case kFile:
        return tr("File");
    case kSize:
        return tr("Size");
    case kBits:
        return tr("Bits");
    case kQuality:
        return metricTitle(metricFact(m_metric));
    default:
        return tr("Verdict");
    }
}

} // namespace gufo::ui

#include "moc_trade_off_model.cpp"
