// The bins of a histogram: from, to, count.
#pragma once

#include "analysis/statistics.h"

#include <QAbstractTableModel>

namespace gufo::ui {

class HistogramModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;
    void setHistogram(Histogram histogram, bool codes); // `codes`: bin i is code lo + 0.5 + i

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    Histogram m_histogram;
    bool m_codes = false;
};

} // namespace gufo::ui
