// The models of a repository as a table. At first it shows what their names and the list of files say; the other cells
// are filled as the headers are read.
//
// UI thread only.
#pragma once

#include "base/error.h"
#include "hub/repository.h"
#include "hub/repository_models.h"
#include "model/model.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace gufo::ui {

// What the list of a repository shows of a model, from its header alone.
struct HeaderFacts {
    QString architecture;
    std::uint64_t weights = 0;
    std::optional<double> bitsPerWeight{};
    QString types;                         // "Q4_K 71 %, Q6_K 29 %", the most bytes first
    std::optional<std::uint64_t> memory{}; // to run, see memoryToRun(); nothing for other files than models
    std::string chatTemplate;              // empty if there is none
};

// Visits each tensor, so it must not be called on the UI thread.
[[nodiscard]] HeaderFacts headerFacts(const std::shared_ptr<const Model>& model);

class RepositoryModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        NameColumn,
        KindColumn,
        TypesColumn,
        SizeColumn,
        BitsColumn,
        MemoryColumn,
        FitsColumn,
        TemplateColumn,
        ColumnCount
    };
    enum Role { SortRole = Qt::UserRole, FitsRole };

    using QAbstractTableModel::QAbstractTableModel;

    // `freeMemory` is the memory that a run may take on this computer; 0 if it is not known. `baseTemplate` is the chat
    // template of the base model; nothing if it is not known.
    void setRepository(const hub::Repository& repository, std::uint64_t freeMemory);
    void setBaseTemplate(std::optional<std::string> baseTemplate);
    void setFacts(std::size_t row, HeaderFacts facts);
    void setProblem(std::size_t row, const Error& error);

    [[nodiscard]] const hub::ModelFiles& filesAt(int row) const { return m_rows[static_cast<std::size_t>(row)].files; }
    [[nodiscard]] bool isPending(int row) const; // its header has not been read
    [[nodiscard]] int fittingCount() const;
    // The chat template of a model; empty if it has none or its header has not been read.
    [[nodiscard]] std::string chatTemplateAt(int row) const;
    // The template that the others are compared with: that of the base model or, if it is not known, the one that most
    // files have. Empty if there is none.
    [[nodiscard]] const std::string& referenceTemplate() const {
        return m_baseTemplate ? *m_baseTemplate : m_usualTemplate;
    }
    [[nodiscard]] bool knowsBaseTemplate() const { return m_baseTemplate.has_value(); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        hub::ModelFiles files;
        std::optional<HeaderFacts> facts{};
        QString problem; // why the header could not be read
    };
    [[nodiscard]] QString text(const Row& row, int column) const;
    [[nodiscard]] QVariant sortKey(const Row& row, int column) const;
    [[nodiscard]] std::optional<bool> fits(const Row& row) const; // nothing: not known
    [[nodiscard]] QString templateText(const Row& row) const;
    void findUsualTemplate();
    void rowChanged(std::size_t row);

    std::vector<Row> m_rows;
    std::uint64_t m_freeMemory = 0;
    std::optional<std::string> m_baseTemplate;
    std::string m_usualTemplate; // that most of the models have
};

// Filters by a text in any column, and on request by whether the model fits into the memory.
class RepositoryFilter : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit RepositoryFilter(QObject* parent = nullptr);
    void setOnlyFitting(bool only);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    bool m_onlyFitting = false;
};

} // namespace gufo::ui
