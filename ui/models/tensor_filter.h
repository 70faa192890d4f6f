// The filter of the tensor list: which tensors a text asks for.
//
// Words (separated by spaces or commas) must all match. A word is a type's name (Q6_K), a pattern with * and ?, or a
// part of the name; letter case does not matter. A word that ends in a digit does not end inside a number: blk.1 does
// not find blk.17. As a regular expression the whole text is one pattern for the name.
#pragma once

#include "model/tensor_info.h"

#include <QRegularExpression>
#include <QString>

#include <expected>
#include <vector>

namespace gufo::ui {

class TensorFilter {
public:
    TensorFilter() = default; // matches everything
    enum class Syntax { Words, RegularExpression };
    // The error is that of the regular expression, in its words.
    [[nodiscard]] static std::expected<TensorFilter, QString> parse(const QString& text, Syntax syntax);

    [[nodiscard]] bool matches(const TensorInfo& tensor, const QString& displayName) const;
    [[nodiscard]] bool matchesAll() const { return m_words.empty(); }

private:
    struct Word {
        QRegularExpression pattern;
        std::optional<std::uint32_t> typeId{}; // matches by this too
    };
    std::vector<Word> m_words;
};

} // namespace gufo::ui
