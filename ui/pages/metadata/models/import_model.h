// Previews an import: which keys are new, which change their value, and which are the same. The user ticks those to
// import.
#pragma once

#include "base/job_context.h"
#include "model/change.h"
#include "model/model.h"

#include <QAbstractTableModel>

namespace gufo::ui {

struct ImportedKey {
    std::string key;
    OwnedValue value;
};

struct ImportRow {
    enum class Status { New, Changed, Same };
    ImportedKey imported;
    Status status = Status::New;
};

// Compares the keys with the model. For jobs. Errors: Cancelled.
[[nodiscard]] Result<std::vector<ImportRow>> compareImport(const Model& model, std::vector<ImportedKey> keys,
                                                           const JobContext& job);

class ImportModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Key, Status, Now, Then, ColumnCount };

    ImportModel(std::shared_ptr<const Model> model, std::vector<ImportRow> rows, QObject* parent = nullptr);

    [[nodiscard]] std::size_t count(ImportRow::Status status) const;
    [[nodiscard]] std::size_t taken() const;
    void takeAll(bool take); // all keys that would change something
    [[nodiscard]] std::vector<Change> changes() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

private:
    [[nodiscard]] QString text(const ImportRow& row, int column) const;

    std::shared_ptr<const Model> m_model;
    std::vector<ImportRow> m_rows; // unchanged keys come last
    std::vector<bool> m_taken;
};

} // namespace gufo::ui
