// What the table and the trees of tensors show of a tensor, column by column.
//
// UI thread. Reads the model's header only, never tensor bytes.
#pragma once

#include "model/model.h"
#include "model/tensor_role.h"
#include "ui/models/tensor_delegates.h"
#include "ui/pages/tensors/models/tensor_summaries.h"

#include <QString>
#include <QVariant>

#include <memory>
#include <vector>

namespace gufo {
struct Difference;
}

namespace gufo::ui {

class ModelDocument;

enum class TensorColumn { Name, Type, Shape, Size, Sigma, Distribution, BitsPerWeight, Block, Role, Offset, Weights };
inline constexpr int kTensorColumns = 11;

[[nodiscard]] QString tensorColumnTitle(TensorColumn column);
[[nodiscard]] QString tensorColumnToolTip(TensorColumn column);
[[nodiscard]] bool isFigure(TensorColumn column); // right-aligned

class TensorRows {
public:
    // With a document, rows say what has changed (the roles of ui/widgets/value_delegate.h).
    TensorRows(std::shared_ptr<const Model> model, const TensorSummaries* summaries,
               const ModelDocument* document = nullptr);

    [[nodiscard]] const Model& model() const { return *m_model; }
    [[nodiscard]] std::size_t count() const { return m_names.size(); }
    [[nodiscard]] const TensorInfo& info(TensorIndex tensor) const { return m_model->tensor(tensor); }
    [[nodiscard]] const TensorName& parsed(TensorIndex tensor) const { return m_parsed[tensor.value]; }
    [[nodiscard]] const QString& name(TensorIndex tensor) const { return m_names[tensor.value]; }

    [[nodiscard]] QVariant data(TensorIndex tensor, TensorColumn column, int role) const;
    // Negative, 0 or positive, as a comes before b in a column. What is not known comes last in ascending order.
    [[nodiscard]] int compare(TensorIndex a, TensorIndex b, TensorColumn column) const;

private:
    [[nodiscard]] QString text(TensorIndex tensor, TensorColumn column) const;
    [[nodiscard]] const Difference* difference(TensorIndex tensor) const; // null: as in the file
    [[nodiscard]] QString toolTip(TensorIndex tensor, TensorColumn column) const;

    std::shared_ptr<const Model> m_model;
    const TensorSummaries* m_summaries;
    const ModelDocument* m_document;
    std::vector<TensorName> m_parsed;
    std::vector<QString> m_names;
};

// Order of names in which numbers count as numbers: blk.2 before blk.10.
[[nodiscard]] int compareNaturally(std::string_view a, std::string_view b);

} // namespace gufo::ui
