// The language in which tensors are filtered, on pages and on the console.
//
// A filter consists of terms separated by spaces or commas, all of which must hold. A term is
//
//    attn_q        a part of the name, or the name of a type; * and ? stand for any characters, and a term that ends in
//                  a digit does not match a longer number (blk.1 does not match blk.17)
//    /^blk\.\d+/   a regular expression for the name, in which \/ is a slash; it may contain spaces
//    type:IQ*      a type; * and ? as above
//    size:>10M     the bytes of the tensor: <, <=, >, >= or =, or a range 1M..10M; K, M, G, T are powers of 1024
// shape:4096x* the dimensions; * stands for any dimension, and × may replace x
//    -term, !term  does not hold
//
// Case is ignored. Errors are returned as codes, for which ui/messages/problem_text.h has the texts.
#pragma once

#include "model/tensor_info.h"

#include <QRegularExpression>
#include <QString>

#include <expected>
#include <functional>
#include <optional>
#include <vector>

namespace gufo::text {

// "10M", "1.5GiB", "512": bytes, with powers of 1024.
[[nodiscard]] std::optional<std::uint64_t> parseByteSize(const QString& text);

struct FilterProblem {
    enum class Kind : std::uint8_t {
        NoExpression,   // detail: what is wrong with the regular expression
        NotClosed,      // a regular expression without its second slash
        NoSize,         // not a size, or a comparison or range of sizes
        NoShape,        // not a list of dimensions
        NoField,        // a comparison of a field that does not exist; detail: its name
        NothingToMatch, // a field or a sign of exclusion with nothing after it
    };
    Kind kind = Kind::NoExpression;
    QString term; // as the user typed it
    QString detail{};
};

class TensorFilter {
public:
    TensorFilter() = default; // matches everything
    // As a regular expression, the whole text is one expression for the name.
    enum class Syntax : std::uint8_t { Terms, RegularExpression };
    [[nodiscard]] static std::expected<TensorFilter, FilterProblem> parse(const QString& text,
                                                                          Syntax syntax = Syntax::Terms);

    // `displayName` is the name as the user sees it.
    [[nodiscard]] bool matches(const TensorInfo& tensor, const QString& displayName) const;
    [[nodiscard]] bool matchesAll() const { return m_terms.empty(); }

private:
    using Test = std::function<bool(const TensorInfo& tensor, const QString& name)>;
    struct Term {
        Test holds;
        bool excludes = false;
    };
    static std::expected<Test, FilterProblem> parseTerm(const QString& term);

    std::vector<Term> m_terms;
};

} // namespace gufo::text
