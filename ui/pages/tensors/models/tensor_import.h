// Tensors of another model that can be added, or can replace tensors of the same name.
#pragma once

#include "model/change.h"
#include "model/model.h"

#include <QAbstractTableModel>

namespace gufo::ui {

class TensorImportModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Type, Shape, Existing, Effect, ColumnCount };
    enum class Status {
        New,
        Replaces,   // has the same shape
        OtherShape, // imported only if the user selects it
        Same,       // has the same bytes already
        Refused,    // incomplete, or of an unknown type
    };

    explicit TensorImportModel(std::shared_ptr<const Model> into, QObject* parent = nullptr);
    void setSource(std::shared_ptr<const Model> from); // null: no model
    void setOtherShapes(bool allowed);
    void setTaken(const std::vector<std::string>& names); // none are taken initially
    [[nodiscard]] Status status(TensorIndex tensor) const;
    [[nodiscard]] const Model* source() const { return m_from.get(); }
    [[nodiscard]] std::size_t taken() const;
    [[nodiscard]] std::vector<Change> changes() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

private:
    [[nodiscard]] bool mayBeTaken(TensorIndex tensor) const;
    [[nodiscard]] QString text(TensorIndex tensor, int column) const;

    std::shared_ptr<const Model> m_into;
    std::shared_ptr<const Model> m_from;
    std::vector<bool> m_taken;
    bool m_otherShapes = false;
};

} // namespace gufo::ui
