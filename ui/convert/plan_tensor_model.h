// The tensors of a conversion as a table: the result's tensors, then the omitted ones, or, before all others, source
// tensors that have no place in the result.
#pragma once

#include "convert/operation.h"
#include "ui/convert/planned_conversion.h"

#include <QAbstractTableModel>
#include <QString>
#include <QStringList>

#include <string_view>

namespace gufo::ui {

class PlanTensorModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Target, Type, TensorShape, Size, Operations, Sources };
    static constexpr int kColumns = 6;

    using QAbstractTableModel::QAbstractTableModel;
    void setPlan(std::shared_ptr<const PlannedConversion> planned);
    // Shows only the tensors that have no place in the result and so prevent a plan.
    void setUnmapped(QStringList names);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : kColumns;
    }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString plannedText(std::size_t number, int column) const;

    std::shared_ptr<const PlannedConversion> m_planned;
    QStringList m_unmapped;
};

// Words for what a conversion does to tensors and why it leaves some out.

// "permute the halves of 8 heads".
[[nodiscard]] QString operationText(const convert::Operation& operation);
// The operations in order. A change of the name is listed only if it is the only one.
[[nodiscard]] QString operationsText(const std::vector<convert::Operation>& operations);
// The words for a reason of core; the reason itself if there are none.
[[nodiscard]] QString droppedText(std::string_view reason);

} // namespace gufo::ui
