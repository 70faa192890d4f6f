// The merge rules of a byte-pair vocabulary in rank order.
#pragma once

#include "ui/vocabulary/token_links.h"
#include "ui/widgets/windowed_model.h"

namespace gufo::ui {

class MergeModel : public WindowedModel {
    Q_OBJECT

public:
    enum Column { Rank, Left, Right, Result, ResultId, ColumnCount };

    using WindowedModel::WindowedModel;
    void setVocabulary(std::shared_ptr<const TokenArrays> vocabulary);
    void follow(std::shared_ptr<const TokenArrays> vocabulary); // after an edit
    void setLinks(std::shared_ptr<const TokenLinks> links);     // provides the ids

    // The token that a row's rule produces.
    [[nodiscard]] std::optional<std::uint64_t> resultId(std::uint64_t rank) const;

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const TokenArrays> m_vocabulary;
    std::shared_ptr<const TokenLinks> m_links;
};

} // namespace gufo::ui
