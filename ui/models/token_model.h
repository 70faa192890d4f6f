// The tokens of a vocabulary: id, text, bytes, type, score, and the merge rule that produces it.
#pragma once

#include "ui/models/token_links.h"
#include "ui/models/token_search.h"
#include "ui/models/windowed_model.h"

namespace gufo::ui {

class TokenModel : public WindowedModel {
    Q_OBJECT

public:
    enum Role { TypeRole = Qt::UserRole }; // qint64, 0 where the file does not say

    using WindowedModel::WindowedModel;
    void setVocabulary(std::shared_ptr<const Vocabulary> vocabulary);
    void setLinks(std::shared_ptr<const TokenLinks> links); // fills the merge column

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString text(std::uint64_t id, TokenColumn column) const;

    std::shared_ptr<const Vocabulary> m_vocabulary;
    std::shared_ptr<const TokenLinks> m_links;
};

// "1,234: Ġ th → Ġth", or as much of it as a cell needs.
[[nodiscard]] QString mergeRuleText(const Vocabulary& vocabulary, std::uint64_t rank);

} // namespace gufo::ui
