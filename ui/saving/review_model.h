// The differences between an edited model and its file: a row per key, tensor or changed property of the file format.
#pragma once

#include "document/document.h"

#include <QAbstractTableModel>

#include <memory>

namespace gufo::ui {

class ReviewModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { KindColumn, NameColumn, BeforeColumn, AfterColumn, RevertColumn, ColumnCount };

    // The differences, and the snapshots that they view.
    struct State {
        std::shared_ptr<const Model> base;
        std::shared_ptr<const Model> current;
        SaveTarget target{};
        std::vector<Difference> rows{};
    };

    using QAbstractTableModel::QAbstractTableModel;
    void setState(State state);
    [[nodiscard]] static State stateOf(const Document& document);
    [[nodiscard]] const State& state() const { return m_state; }
    [[nodiscard]] const Difference* difference(int row) const; // null if out of range
    // The row of a difference from before setState(); −1 if it no longer exists.
    [[nodiscard]] int rowOf(const Difference& difference) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

    // Describes a row in one line: a value, a tensor's type and shape, or the file format to be written.
    [[nodiscard]] QString before(int row) const;
    [[nodiscard]] QString after(int row) const;

private:
    State m_state;
};

} // namespace gufo::ui
