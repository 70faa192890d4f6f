// Searches and sorts the tokens or the merge rules of a vocabulary; for a job.
#pragma once

#include "ui/vocabulary/token_links.h"
#include "ui/widgets/row_window.h"

#include <Qt>

namespace gufo::ui {

enum class TokenColumn : int { Id, Token, Bytes, Type, Score, Merge, Count };

struct TokenQuery {
    enum class In { Text, Bytes };
    In in = In::Text;
    QString text; // Text: letter case does not matter, stored or decoded text; Bytes: hexadecimal
    std::optional<std::int64_t> type;
    TokenColumn sortBy = TokenColumn::Id;
    Qt::SortOrder order = Qt::AscendingOrder;

    [[nodiscard]] bool showsAll() const {
        return text.isEmpty() && !type && sortBy == TokenColumn::Id && order == Qt::AscendingOrder;
    }
};

// Bytes from "e2 96 81", "E29681", "0x0a"; nothing if it is not hexadecimal.
[[nodiscard]] std::optional<QByteArray> parseHex(const QString& text);

// `links` may be null: then sorting by merge rank leaves the order as it is. Errors: Cancelled; InvalidArgument (the
// text is not hexadecimal).
[[nodiscard]] Result<Matches> searchTokens(const TokenArrays& vocabulary, const TokenLinks* links,
                                           const TokenQuery& query, const JobContext& job);

// Rules whose left, right or result contains the text.
[[nodiscard]] Result<Matches> searchMerges(const TokenArrays& vocabulary, const QString& text, const JobContext& job);

} // namespace gufo::ui
