// A lock-step run as a table: a row for each position of the text, with the token that follows there, each file's most
// likely token, and its divergence from the reference.
#pragma once

#include "ui/compare/lock_step/lock_step_run.h"

#include <QAbstractTableModel>

namespace gufo::ui {

class LockStepModel : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit LockStepModel(const LockStepRun& run, QObject* parent = nullptr);

    // Columns: position, token, the reference's choice; then for each other file its choice and its divergence.
    enum Column { kPosition, kToken, kReference, kOthers };
    [[nodiscard]] static std::size_t fileOf(int column) {
        return column < kOthers ? 0 : 1 + static_cast<std::size_t>(column - kOthers) / 2;
    }
    [[nodiscard]] static bool isDivergence(int column) { return column >= kOthers && (column - kOthers) % 2 == 1; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    // The candidates of all files at a position, as rich text.
    [[nodiscard]] QString candidates(int row) const;

private:
    void reset();
    [[nodiscard]] QString cell(const inference::LockStepPlace& place, int column) const;

    const LockStepRun& m_run;
    int m_rows = 0;
    std::optional<std::size_t> m_firstDifference;
};

} // namespace gufo::ui
