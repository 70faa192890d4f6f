// The tensors of the part that is selected in the diagram, one row each.
#pragma once

#include "model/model.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace gufo::ui {

class PartTensorsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column : int { Name, Type, Shape, Size, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setTensors(std::shared_ptr<const Model> model, std::vector<TensorIndex> tensors);
    [[nodiscard]] TensorIndex tensor(int row) const { return m_tensors.at(static_cast<std::size_t>(row)); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const Model> m_model;
    std::vector<TensorIndex> m_tensors;
};

} // namespace gufo::ui
