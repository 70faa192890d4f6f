// Searches and sorts the tokens or merge rules of a vocabulary. For jobs.
#pragma once

#include "ui/vocabulary/token_links.h"
#include "ui/widgets/row_window.h"

#include <Qt>

namespace gufo::ui {

enum class TokenColumn : int { Id, Token, Bytes, Type, Score, Merge, Count };

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

} // namespace gufo::ui
