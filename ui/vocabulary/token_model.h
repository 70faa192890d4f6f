// The tokens of a vocabulary: id, text, bytes, type, score, and the merge rule that produces it. With a document, text,
// type and score can be edited in place, each in its array.
#pragma once

#include "ui/vocabulary/token_links.h"
#include "ui/widgets/row_window.h"
#include "ui/widgets/windowed_model.h"

#include <Qt>

namespace gufo::ui {

enum class TokenColumn : int { Id, Token, Bytes, Type, Score, Merge, Count };

// Searches and sorts the tokens or merge rules of a vocabulary. For jobs.
struct TokenQuery {
    enum class In { Text, Bytes };
    In in = In::Text;
    QString text; // Text: ignores case, matches stored or decoded text; Bytes: hexadecimal
    std::optional<std::int64_t> type;
    TokenColumn sortBy = TokenColumn::Id;
    Qt::SortOrder order = Qt::AscendingOrder;

    [[nodiscard]] bool showsAll() const {
        return text.isEmpty() && !type && sortBy == TokenColumn::Id && order == Qt::AscendingOrder;
    }
};

// Parses "e2 96 81", "E29681" or "0x0a"; empty if the text is not hexadecimal.
[[nodiscard]] std::optional<QByteArray> parseHex(const QString& text);

// `links` may be null; sorting by merge rank then keeps the order. Errors: Cancelled; InvalidArgument (the text is not
// hexadecimal).
[[nodiscard]] Result<Matches> searchTokens(const TokenArrays& vocabulary, const TokenLinks* links,
                                           const TokenQuery& query, const JobContext& job);

// Finds the rules whose left part, right part or result contains the text.
[[nodiscard]] Result<Matches> searchMerges(const TokenArrays& vocabulary, const QString& text, const JobContext& job);

class ModelDocument;

class TokenModel : public WindowedModel {
    Q_OBJECT

public:
    enum Role { TypeRole = Qt::UserRole }; // qint64; 0 if the file does not state it

    using WindowedModel::WindowedModel;
    void setVocabulary(std::shared_ptr<const TokenArrays> vocabulary);
    void setLinks(std::shared_ptr<const TokenLinks> links); // fills the merge column
    void setDocument(ModelDocument* document);              // once
    // Sets the vocabulary after a change. `before` is the one in the file, or null if it is the same.
    void follow(std::shared_ptr<const TokenArrays> vocabulary, std::shared_ptr<const TokenArrays> before);
    // Disables editing while the token ids of the document differ from those shown.
    void setFrozen(bool frozen) { m_frozen = frozen; }
    [[nodiscard]] bool isEditable() const;
    [[nodiscard]] bool isChanged(std::uint64_t id) const;

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

private:
    [[nodiscard]] QString text(std::uint64_t id, TokenColumn column) const;
    [[nodiscard]] QVariant exact(std::uint64_t id, TokenColumn column) const; // for kExactRole
    [[nodiscard]] bool differs(std::uint64_t id, TokenColumn column) const;   // from the file; requires m_before
    [[nodiscard]] QString beforeText(std::uint64_t id, TokenColumn column) const;
    [[nodiscard]] QVariant editing(std::uint64_t id, TokenColumn column, int role) const; // see value_delegate.h

    std::shared_ptr<const TokenArrays> m_vocabulary;
    std::shared_ptr<const TokenArrays> m_before;
    std::shared_ptr<const TokenLinks> m_links;
    ModelDocument* m_document = nullptr;
    bool m_frozen = false;
};

// The key of the array that a column shows; empty for derived columns.
[[nodiscard]] std::string_view tokenArrayKey(TokenColumn column);

// "1,234: Ġ th → Ġth", truncated to what a cell needs.
[[nodiscard]] QString mergeRuleText(const TokenArrays& vocabulary, std::uint64_t rank);

} // namespace gufo::ui
