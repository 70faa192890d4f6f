// Constrains generated text to a grammar.
//
//     auto grammar = Grammar::parse(text);
//     auto trie = std::make_shared<const TokenTrie>(*tokenizer);   // once for each tokenizer
//     generation.setConstraint(*GrammarConstraint::make(*grammar, trie, *tokenizer));
#pragma once

#include "inference/grammar/distinct_values.h"
#include "inference/grammar/grammar_matcher.h"
#include "inference/grammar/token_trie.h"
#include "inference/sampling/constraint.h"

namespace gufo::inference {

class GrammarConstraint final : public Constraint {
public:
    // Errors: BadSyntax with line and column, where the grammar names a token that the vocabulary does not have.
    [[nodiscard]] static Result<std::unique_ptr<GrammarConstraint>> make(std::shared_ptr<const Grammar> grammar,
                                                                         std::shared_ptr<const TokenTrie> trie,
                                                                         const text::Tokenizer& tokenizer);

    [[nodiscard]] bool allows(TokenId token) override;
    [[nodiscard]] TokenMask mask() override;
    [[nodiscard]] bool mayEnd() const override { return m_matcher.accepts(m_state); }
    void accept(TokenId token) override;
    // Whether a text may come next; it need not be that of a token.
    [[nodiscard]] bool allowsText(std::string_view text);
    [[nodiscard]] bool isDead() const { return m_state == GrammarMatcher::kDead; }
    // Adds text that is part of a token.
    void acceptText(std::string_view text) {
        m_matcher.beginWork();
        m_state = m_matcher.step(m_state, text);
    }
    // Returns to the beginning of the text; cached states and masks stay valid.
    void reset() {
        m_state = m_matcher.start();
        m_values = {};
    }
    [[nodiscard]] const std::optional<Error>& failure() const override {
        return m_failure ? m_failure : m_matcher.failure();
    }

private:
    GrammarConstraint(std::shared_ptr<const Grammar> grammar, std::shared_ptr<const TokenTrie> trie,
                      std::vector<std::uint32_t> tokenIds);
    void fill(std::vector<std::uint64_t>& mask);
    void allowNamed(std::vector<std::uint64_t>& mask) const;
    // Returns the state after a text and moves `values` on; kDead if it leads to equal values.
    [[nodiscard]] GrammarMatcher::State follow(GrammarMatcher::State state, std::string_view text,
                                               DistinctValues& values);
    // Whether the value that is being written can end so that it differs from those before.
    [[nodiscard]] bool canDiffer(GrammarMatcher::State state, const DistinctValues& values, std::size_t depth);
    // The bytes that lead a state back to itself.
    struct Loops {
        std::uint64_t kinds = 0; // kinds of bytes, as TokenTrie numbers them
        bool characters = false; // all characters beyond ASCII
    };
    [[nodiscard]] Loops loopsOf(GrammarMatcher::State state);
    [[nodiscard]] bool loopsOverCharacters(GrammarMatcher::State state);
    // Whether every text made of these kinds of bytes leaves the state unchanged, or ends within a character.
    [[nodiscard]] bool staysIn(GrammarMatcher::State state, std::uint64_t kinds);

    std::shared_ptr<const TokenTrie> m_trie;
    GrammarMatcher m_matcher;
    GrammarMatcher::State m_state;
    std::unordered_map<GrammarMatcher::State, std::vector<std::uint64_t>> m_masks;
    std::unordered_map<GrammarMatcher::State, Loops> m_loops;
    std::vector<GrammarMatcher::State> m_path; // states on the current path through the trie, by depth
    // For arrays and objects whose parts must differ:
    DistinctValues m_values;
    std::vector<DistinctValues> m_valuesPath; // by depth, like m_path
    std::uint64_t m_lookedAhead = 0;          // bytes, for the current token
    std::optional<Error> m_failure;
};

} // namespace gufo::inference
