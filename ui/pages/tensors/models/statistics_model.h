// The statistics of a tensor as rows of name and figure.
#pragma once

#include "analysis/statistics.h"

#include <QAbstractTableModel>

namespace gufo::ui {

class StatisticsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;
    void setStatistics(std::optional<Statistics> statistics); // empty: not known yet

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::optional<Statistics> m_statistics;
};

} // namespace gufo::ui
