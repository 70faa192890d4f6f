// Parses the text of a grammar into a tree, before it is compiled (grammar.h describes the notation).
#pragma once

#include "base/error.h"
#include "inference/grammar/code_set.h"
#include "inference/grammar/grammar.h"

#include <map>

namespace gufo::inference {

struct TextPlace {
    std::uint32_t line = 1;
    std::uint32_t column = 1; // in bytes
};

struct Expression {
    enum class Kind : std::uint8_t { Literal, Class, Token, Reference, Sequence, Choice, Repeat };
    static constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};
    Kind kind;
    std::string bytes{};              // of a literal
    CodeSet set{};                    // of a class
    std::size_t number = 0;           // of a token or rule: its index
    std::vector<std::size_t> parts{}; // indexes of expressions
    std::uint64_t minimum = 0;        // of a repetition
    std::uint64_t maximum = kUnlimited;
};

struct SyntaxRule {
    std::string name;
    std::optional<std::size_t> expression{}; // empty: the rule is only referred to
    TextPlace place{};                       // of the definition, or of the first reference
};

struct GrammarSyntax {
    std::vector<Expression> expressions;
    std::vector<SyntaxRule> rules;
    std::vector<Grammar::TokenReference> tokens;
    std::map<std::string, std::size_t, std::less<>> byName; // indexes of rules
};

// Errors: BadSyntax, LimitExceeded. Undefined rules are found by the compiler.
[[nodiscard]] Result<GrammarSyntax> readGrammar(std::string_view text);

[[nodiscard]] std::unexpected<Error> badGrammar(Argument what, TextPlace place);

} // namespace gufo::inference
