// Constrains generated text to a grammar.
//
//     auto grammar = Grammar::parse(text);
//     auto trie = std::make_shared<const TokenTrie>(*tokenizer);   // once for each tokenizer
//     generation.setConstraint(*GrammarConstraint::make(*grammar, trie, *tokenizer));
#pragma once

#include "inference/grammar/grammar_matcher.h"
#include "inference/sampling/constraint.h"
#include "model/index.h"
#include "text/tokenizer/tokenizer.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace gufo::inference {

// The texts of a vocabulary as a trie of bytes, stored in preorder.
class TokenTrie {
public:
    // Tokens with empty text (control tokens …) are left out.
    explicit TokenTrie(const text::Tokenizer& tokenizer);

    // Nodes are in preorder: the descendants of a node follow it, up to node `end`. The tokens of a node extend from
    // `tokens` to the next node's `tokens`, so the tokens of a whole subtree are contiguous.
    struct Node {
        std::uint32_t end;
        std::uint32_t tokens;
        std::uint16_t depth; // in bytes; counts from 1
        unsigned char byte;
    };
    [[nodiscard]] std::span<const Node> nodes() const { return {m_nodes.data(), m_nodes.size() - 1}; }
    // Returns the tokens of the nodes [from, to).
    [[nodiscard]] std::span<const std::uint32_t> tokens(std::size_t from, std::size_t to) const {
        return {m_tokens.data() + m_nodes[from].tokens, m_nodes[to].tokens - std::size_t{m_nodes[from].tokens}};
    }
    // Which kinds of bytes occur below a node: bit kindOf(byte) for each kind, and kMalformed if a text below it, read
    // from this node on, is not well-formed UTF-8 (it may end within a character).
    [[nodiscard]] std::uint64_t kindsBelow(std::size_t node) const { return m_kinds[node]; }
    static constexpr std::uint64_t kMalformed = std::uint64_t{1} << 63U;
    static constexpr std::uint64_t kNotAscii = 0b11;          // kinds of bytes of characters beyond ASCII
    [[nodiscard]] static unsigned kindOf(unsigned char byte); // < 63

    [[nodiscard]] std::size_t vocabulary() const { return m_vocabulary; } // number of tokens
    [[nodiscard]] std::string_view text(std::uint32_t token) const {
        return std::string_view(m_bytes).substr(m_begins[token], m_begins[token + 1] - m_begins[token]);
    }

private:
    std::size_t m_vocabulary;
    std::string m_bytes; // of all tokens
    std::vector<std::uint32_t> m_begins;
    std::vector<Node> m_nodes; // and an end marker
    std::vector<std::uint64_t> m_kinds;
    std::vector<std::uint32_t> m_tokens;
};

// Follows a JSON text within arrays whose elements must differ, and within objects whose names must, and says whether
// the element or name that is being written can still become different from the earlier ones.
//
// Values are compared as bytes, without white space outside of strings. The grammar ensures that each value has one
// spelling there, and that such arrays are not nested directly within each other's elements.
//
// Outside of such an array or object, nothing needs to be followed.
class DistinctValues {
public:
    DistinctValues() = default;
    explicit DistinctValues(char quote)
        : m_quote(quote) {}
    // Whether the text is within an array or object whose parts must differ.
    [[nodiscard]] bool isActive() const { return !m_frames.empty(); }
    // Whether the part that is being written differs already, or there is none.
    [[nodiscard]] bool isFree() const;
    // Whether all bytes up to a quote belong to a string.
    [[nodiscard]] bool isInString() const { return m_inString && !m_escaped; }

    // Adds the next byte. `opens`: it opens an array or object whose parts must differ. Returns false if a part ends
    // with it that is equal to an earlier one.
    [[nodiscard]] bool add(unsigned char byte, bool opens);
    // How many parts have ended, for comparing two positions in a text.
    [[nodiscard]] std::size_t ended() const { return m_ended; }
    [[nodiscard]] const std::string& part() const { return m_part; }

private:
    using Parts = std::set<std::string, std::less<>>;
    struct Frame { // an open array or object
        bool isArray = false;
        bool distinct = false;
        std::shared_ptr<Parts> parts{}; // shared by copies of this object until one of them adds to it
    };
    [[nodiscard]] bool endPart();
    [[nodiscard]] Frame& top() { return m_frames.back(); }

    std::vector<Frame> m_frames;      // from the outermost one that is distinct on
    std::size_t m_recorder = kNobody; // index of the frame whose part is being written
    std::string m_part;
    std::size_t m_ended = 0;
    char m_quote = '"'; // around strings
    bool m_inString = false;
    bool m_escaped = false;

    static constexpr std::size_t kNobody = ~std::size_t{0};
};

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
    // Whether a text may come next; it need not be the text of a token.
    [[nodiscard]] bool allowsText(std::string_view text);
    [[nodiscard]] bool isDead() const { return m_state == GrammarMatcher::kDead; }
    // Adds text that is part of a token.
    void acceptText(std::string_view text);
    // Returns to the beginning of the text; cached states and masks stay valid.
    void reset() {
        m_state = m_matcher.start();
        m_values = DistinctValues(m_matcher.quote());
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
    // Whether the value that is being written can end so that it differs from the values before it.
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
