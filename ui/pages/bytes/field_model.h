// The fields of the bytes that the hex view shows, one row each.
#pragma once

#include "bytes/byte_field.h"

#include <QAbstractTableModel>

#include <vector>

namespace gufo::ui {

class FieldModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column : int { Offset, Field, Owner, Type, FieldValue, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    // Of a file of `fileBytes`.
    void setFields(std::vector<ByteField> fields, std::uint64_t fileBytes);
    [[nodiscard]] const ByteField& field(int row) const { return m_fields.at(static_cast<std::size_t>(row)); }
    [[nodiscard]] int rowOf(std::uint64_t offset) const; // of the field that contains the byte; −1: none

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<ByteField> m_fields; // by offset
    std::uint64_t m_fileBytes = 0;
};

} // namespace gufo::ui
