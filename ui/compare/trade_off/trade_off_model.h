// The points of a trade-off as a table: file, size, bits per weight, quality, and whether it is on the frontier.
#pragma once

#include "ui/compare/trade_off/trade_off.h"

#include <QAbstractTableModel>

namespace gufo::ui {

class TradeOffModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { kFile, kSize, kBits, kQuality, kVerdict, kColumns };
    using QAbstractTableModel::QAbstractTableModel;
    void setPoints(std::vector<TradeOffPoint> points, Metric metric); // sorts by size, largest first
    [[nodiscard]] const std::vector<TradeOffPoint>& points() const { return m_points; }
    [[nodiscard]] int rowOf(std::size_t file) const; // −1: not there

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    [[nodiscard]] QString verdict(const TradeOffPoint& point) const;
    void reorder();

    std::vector<TradeOffPoint> m_points; // in the order of tradeOff(), to which `better` refers
    std::vector<std::size_t> m_order;
    Metric m_metric = Metric::Sqnr;
    int m_sortColumn = kSize;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

} // namespace gufo::ui
