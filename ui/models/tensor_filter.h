// The filter of the tensor list.
//
// All words (separated by spaces or commas) must match. A word is a type's name (Q6_K), a pattern with * and ?, or a
// part of the tensor's name; case is ignored. A word that ends in a digit does not match a longer number: blk.1 does
// not match blk.17. In regular-expression syntax the whole text is one pattern for the name.
#pragma once

#include "model/tensor_info.h"

#include <QRegularExpression>
#include <QString>

#include <expected>
#include <string>
#include <vector>

namespace gufo::ui {

class TensorFilter {
public:
    TensorFilter() = default; // matches everything
    enum class Syntax { Words, RegularExpression };
    // The error is the regular expression's own message.
    [[nodiscard]] static std::expected<TensorFilter, QString> parse(const QString& text, Syntax syntax);

    [[nodiscard]] bool matches(const TensorInfo& tensor, const QString& displayName) const;
    [[nodiscard]] bool matchesAll() const { return m_words.empty(); }

private:
    struct Word {
        QRegularExpression pattern;
        std::string type; // also matches tensors of the type of this name
    };
    std::vector<Word> m_words;
};

} // namespace gufo::ui
