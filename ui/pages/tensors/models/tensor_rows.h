// The columns that the table and the trees show of a tensor.
//
// UI thread only. Reads the model's header, never tensor bytes.
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
// Same as QAbstractItemModel::headerData().
[[nodiscard]] QVariant tensorColumnHeader(int section, Qt::Orientation orientation, int role);
[[nodiscard]] bool isFigure(TensorColumn column); // right-aligned

// Above this number of tensors, work that visits each of them is done in jobs.
inline constexpr std::size_t kTensorsAtOnce = 20'000;

class TensorRows {
public:
    // With a document, changed rows are marked (roles: ui/widgets/value_delegate.h).
    TensorRows(std::shared_ptr<const Model> model, const TensorSummaries* summaries,
               const ModelDocument* document = nullptr);

    [[nodiscard]] const Model& model() const { return *m_model; }
    [[nodiscard]] std::size_t count() const { return m_model->tensors.size(); }
    [[nodiscard]] const TensorInfo& info(TensorIndex tensor) const { return m_model->tensor(tensor); }
    [[nodiscard]] bool areMany() const { return count() > kTensorsAtOnce; }
    // Parsed names are kept if there are few tensors, and made on demand if there are many.
    [[nodiscard]] TensorName parsed(TensorIndex tensor) const {
        return areMany() ? parseTensorName(info(tensor).name) : m_parsed[tensor.value];
    }
    [[nodiscard]] QString name(TensorIndex tensor) const;

    [[nodiscard]] QVariant data(TensorIndex tensor, TensorColumn column, int role) const;
    // Negative, 0 or positive if a sorts before, with or after b. Unknown values come last in ascending order.
    [[nodiscard]] int compare(TensorIndex a, TensorIndex b, TensorColumn column) const;

private:
    [[nodiscard]] QString text(TensorIndex tensor, TensorColumn column) const;
    [[nodiscard]] QVariant exact(TensorIndex tensor, TensorColumn column) const; // for kExactRole
    [[nodiscard]] const Difference* difference(TensorIndex tensor) const;        // null if unchanged
    [[nodiscard]] QString toolTip(TensorIndex tensor, TensorColumn column) const;
    [[nodiscard]] QString pictureText(TensorIndex tensor) const; // what the small picture shows; empty if there is none

    std::shared_ptr<const Model> m_model;
    const TensorSummaries* m_summaries;
    const ModelDocument* m_document;
    std::vector<TensorName> m_parsed;
    std::vector<QString> m_names;
};

// Compares names with numbers ordered by value: blk.2 before blk.10.
[[nodiscard]] int compareNaturally(std::string_view a, std::string_view b);

} // namespace gufo::ui
