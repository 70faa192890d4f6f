// Keeps generated text to a grammar.
//
//     auto grammar = Grammar::parse(text);
//     auto trie = std::make_shared<const TokenTrie>(*tokenizer);   // once for a tokenizer
//     generation.setConstraint(*GrammarConstraint::make(*grammar, trie, *tokenizer));
#pragma once

#include "inference/grammar/grammar_matcher.h"
#include "inference/grammar/token_trie.h"
#include "inference/sampling/constraint.h"

namespace gufo::inference {

class GrammarConstraint final : public Constraint {
public:
    // Errors: BadSyntax with line and column, for a token that the grammar refers to and the vocabulary does not have.
    [[nodiscard]] static Result<std::unique_ptr<GrammarConstraint>> make(std::shared_ptr<const Grammar> grammar,
                                                                         std::shared_ptr<const TokenTrie> trie,
                                                                         const text::Tokenizer& tokenizer);

    [[nodiscard]] bool allows(TokenId token) override;
    [[nodiscard]] TokenMask mask() override;
    [[nodiscard]] bool mayEnd() const override { return m_matcher.accepts(m_state); }
    void accept(TokenId token) override;
    // To the beginning of a text; what was worked out stays.
    void reset() { m_state = m_matcher.start(); }
    [[nodiscard]] const std::optional<Error>& failure() const override { return m_matcher.failure(); }

private:
    GrammarConstraint(std::shared_ptr<const Grammar> grammar, std::shared_ptr<const TokenTrie> trie,
                      std::vector<std::uint32_t> tokenIds);
    void fill(std::vector<std::uint64_t>& mask);
    void allowNamed(std::vector<std::uint64_t>& mask) const;
    // Which bytes lead a state back to itself.
    struct Loops {
        std::uint64_t kinds = 0; // as the trie has them
        bool characters = false; // all characters beyond ASCII, as a whole
    };
    [[nodiscard]] Loops loopsOf(GrammarMatcher::State state);
    [[nodiscard]] bool loopsOverCharacters(GrammarMatcher::State state);
    // Whether texts of these kinds of bytes leave it where it is, or within a character.
    [[nodiscard]] bool staysIn(GrammarMatcher::State state, std::uint64_t kinds);

    std::shared_ptr<const TokenTrie> m_trie;
    GrammarMatcher m_matcher;
    GrammarMatcher::State m_state;
    std::unordered_map<GrammarMatcher::State, std::vector<std::uint64_t>> m_masks;
    std::unordered_map<GrammarMatcher::State, Loops> m_loops;
    std::vector<GrammarMatcher::State> m_path; // of a walk, by depth
};

} // namespace gufo::inference
