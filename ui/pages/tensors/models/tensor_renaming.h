// Renames many tensors by a regular expression, after checking the result.
#pragma once

#include "model/change.h"
#include "model/model.h"

#include <QAbstractTableModel>
#include <QRegularExpression>

namespace gufo::ui {

struct TensorRenaming {
    enum class Conflict { None, Empty, TooLong, Taken, Twice };
    TensorIndex tensor{};
    std::string newName;
    Conflict conflict = Conflict::None;
};

// Runtimes store names in 64 bytes including a terminating zero (ggml's GGML_MAX_NAME).
inline constexpr std::size_t kMaxTensorName = 63;

// Renames any of `tensors` whose names the expression changes. `replacement` may contain \1 … \9. Names that are not
// UTF-8 are kept.
[[nodiscard]] std::vector<TensorRenaming> renameTensors(const Model& model, const std::vector<TensorIndex>& tensors,
                                                        const QRegularExpression& expression,
                                                        const QString& replacement);
// Sets the conflicts.
void checkRenamings(const Model& model, std::vector<TensorRenaming>& renamings);
// Returns the changes in an order in which names are always unique. Tensors that swap names get temporary names.
[[nodiscard]] std::vector<Change> changesOfRenaming(const Model& model, const std::vector<TensorRenaming>& renamings);

class RenamingModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Before, After, Problem, ColumnCount };

    explicit RenamingModel(std::shared_ptr<const Model> model, QObject* parent = nullptr);
    void setRenamings(std::vector<TensorRenaming> renamings);
    [[nodiscard]] const std::vector<TensorRenaming>& renamings() const { return m_renamings; }
    [[nodiscard]] std::size_t conflicts() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString problemText(const TensorRenaming& renaming) const;

    std::shared_ptr<const Model> m_model;
    std::vector<TensorRenaming> m_renamings; // conflicts come first
};

} // namespace gufo::ui
