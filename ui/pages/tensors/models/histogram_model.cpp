#include "ui/pages/tensors/models/histogram_model.h"

#include "ui/messages/figure_text.h"
#include "ui/widgets/table_text.h"

namespace gufo::ui {

void HistogramModel::setHistogram(Histogram histogram, bool codes) {
    beginResetModel();
    m_histogram = std::move(histogram);
    m_codes = codes;
    endResetModel();
}

int HistogramModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_histogram.counts.size());
}

int HistogramModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_codes ? 2 : 3; }

QVariant HistogramModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const auto bin = static_cast<std::size_t>(index.row());
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == columnCount() - 1) {
            return formatCount(m_histogram.counts[bin]);
        }
        return m_codes ? formatReal(m_histogram.lo + 0.5 + static_cast<double>(bin), 6)
                       : formatReal(m_histogram.edge(bin + static_cast<std::size_t>(index.column())), 6);
    case kExactRole:
        return m_codes || index.column() == columnCount() - 1
                   ? QVariant()
                   : QVariant(m_histogram.edge(bin + static_cast<std::size_t>(index.column())));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant HistogramModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return role == Qt::TextAlignmentRole ? QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    }
    return section == columnCount() - 1 ? tr("Count") : m_codes ? tr("Code") : section == 0 ? tr("From") : tr("To");
}

} // namespace gufo::ui

#include "moc_histogram_model.cpp"
