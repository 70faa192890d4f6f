// The findings about a model, worst first as validate() orders them, followed by the deep scan if it was not run.
#pragma once

#include "model/change.h"
#include "ui/widgets/marks.h"
#include "validate/validate.h"

#include <QAbstractListModel>

#include <memory>

namespace gufo::ui {

class FindingsModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        MarkRole = Qt::UserRole, // int: Mark
        MessageRole,
        HintRole,
        PlaceTextRole, // empty for the file as a whole
        CodeRole,      // the stable name of the finding, or of the check that was not run
        FixTextRole,   // the label of the repair button; empty if there is no repair
    };

    // The repairs of Validation::findings, row by row.
    struct Fix {
        std::vector<Change> changes; // empty: no repair
        bool sound = false;          // isSoundFix()
    };
    using Fixes = std::vector<Fix>;

    using QAbstractListModel::QAbstractListModel;
    // `readBytes` is what the checks that were not run would read; their row shows it, with the host that would be
    // contacted, if any.
    void setValidation(std::shared_ptr<const Validation> validation, std::uint64_t readBytes,
                       std::shared_ptr<const Fixes> fixes = nullptr, const QString& server = {});
    [[nodiscard]] const Validation* validation() const { return m_validation.get(); }

    // The place of a row's finding; null for checks that were not run.
    [[nodiscard]] const Place* place(const QModelIndex& index) const;
    [[nodiscard]] bool isNotRun(const QModelIndex& index) const;
    // Null if there is no repair.
    [[nodiscard]] const Fix* fix(const QModelIndex& index) const;
    // The number of all repairs, and of the repairs that "Fix all" may apply.
    [[nodiscard]] std::size_t fixCount() const;
    [[nodiscard]] std::size_t soundFixCount() const;
    [[nodiscard]] std::uint64_t count(Severity severity) const;
    [[nodiscard]] QString countsText() const; // "2 warnings, 1 note, 41 checks passed"

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QVariant notRunData(int role) const;
    [[nodiscard]] bool deepScanIsLeft() const;
    std::shared_ptr<const Validation> m_validation;
    std::shared_ptr<const Fixes> m_fixes;
    std::uint64_t m_readBytes = 0;
    QString m_server;
};

} // namespace gufo::ui
