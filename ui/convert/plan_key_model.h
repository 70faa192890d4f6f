// The keys that a conversion writes: key, type, value, and where the value comes from.
#pragma once

#include "ui/convert/planned_conversion.h"

#include <QAbstractTableModel>

namespace gufo::ui {

class PlanKeyModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Key, Type, KeyValue, From };
    static constexpr int kColumns = 4;

    using QAbstractTableModel::QAbstractTableModel;
    void setPlan(std::shared_ptr<const PlannedConversion> planned); // null: no keys

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : kColumns;
    }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    std::shared_ptr<const PlannedConversion> m_planned;
};

} // namespace gufo::ui
