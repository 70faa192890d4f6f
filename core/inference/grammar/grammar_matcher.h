// Matches bytes against a grammar. All possible parses are followed at once, as a state of an automaton that is built
// lazily.
//
// A state is a set of grammar nodes, each with the state to return to when its rule ends. Parses that reach the same
// node share one entry, so a state has at most as many entries as the grammar has nodes. States are numbers, and equal
// states have the same number.
//
// Thread contract: one thread at a time.
#pragma once

#include "base/error.h"
#include "inference/grammar/grammar.h"

#include <array>
#include <memory>
#include <span>
#include <unordered_map>
#include <unordered_set>

namespace gufo::inference {

class GrammarMatcher {
public:
    using State = std::uint32_t;
    static constexpr State kDead = 0;                     // nothing can follow, and the text is not complete
    static constexpr std::uint32_t kMaxDepth = 1'000;     // of nested rules; a deeper parse does not match
    static constexpr std::uint64_t kMaxWork = 20'000'000; // entries visited between two calls of beginWork()
    static constexpr std::size_t kMaxBytes = 64U << 20U;  // of cached states, before trim() discards them

    // `tokenIds`: the ids of the tokens that the grammar refers to, in the order of Grammar::tokens.
    explicit GrammarMatcher(std::shared_ptr<const Grammar> grammar, std::vector<std::uint32_t> tokenIds = {});

    [[nodiscard]] State start() const { return m_start; }
    // Returns the state after `byte`.
    [[nodiscard]] State step(State state, unsigned char byte) {
        const State known = m_states[state].next == kNone ? kUnknown : m_next[m_states[state].next + m_class[byte]];
        return known != kUnknown ? known : makeStep(state, m_class[byte]);
    }
    [[nodiscard]] State step(State state, std::string_view text);
    // Whether this byte opens an array or object whose parts must differ (DistinctValues). Of several parses, only
    // those continue for which this is so.
    [[nodiscard]] bool opensDistinct(State state, unsigned char byte) const;
    [[nodiscard]] bool checksDistinct() const { return m_grammar->checksDistinct; }
    [[nodiscard]] char quote() const { return m_grammar->quote; }
    // Returns the state after a token that the grammar names; kDead where it does not allow that token by name.
    [[nodiscard]] State stepToken(State state, std::uint32_t token);
    // Returns the state that allows what either state allows.
    [[nodiscard]] State unite(State a, State b);
    // Whether the text may end in this state.
    [[nodiscard]] bool accepts(State state) const { return m_states[state].accepts; }

    struct NamedToken {
        std::uint32_t id;
        bool negated; // every token but this one
    };
    // Returns the tokens that may follow by name.
    [[nodiscard]] std::vector<NamedToken> namedTokens(State state) const;

    // Resets the work limit. Must be called before each token.
    void beginWork() { m_work = 0; }
    // LimitExceeded once more than kMaxWork was needed. All states made afterwards are dead.
    [[nodiscard]] const std::optional<Error>& failure() const { return m_failure; }

    // Discards all states but `state` if they take more than `maximum` bytes, and updates its number. Returns true if
    // states were renumbered.
    bool trim(State& state, std::size_t maximum = kMaxBytes);

private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    static constexpr State kUnknown = ~State{0};
    static constexpr State kBottom = 1; // the state that the root rule returns to

    struct Item {
        std::uint32_t node;
        State parent;
        auto operator<=>(const Item&) const = default;
    };
    using Items = std::vector<Item>;
    struct StateFacts {
        std::uint32_t first = 0; // index into m_items
        std::uint32_t count = 0;
        std::uint32_t depth = 0;
        std::uint32_t next = kNone; // index into m_next: a row of states by byte class
        bool accepts = false;
    };
    struct Pending { // a rule that is being entered
        Items returns{};
        bool accepts = false;
    };

    void classifyBytes();
    void clear();
    [[nodiscard]] std::span<const Item> items(State state) const {
        return {m_items.data() + m_states[state].first, m_states[state].count};
    }
    [[nodiscard]] State makeStep(State state, std::uint32_t byteClass);
    [[nodiscard]] State close(Items seeds, bool accepts);
    void visit(Item item, bool canReturn, Items& found, bool& accepts);
    void enter(const Grammar::Node& call, State parent);
    [[nodiscard]] State intern(Items items, bool accepts);
    [[nodiscard]] bool seen(Item item);
    [[nodiscard]] bool spend(std::uint64_t work);

    std::shared_ptr<const Grammar> m_grammar;
    std::vector<std::uint32_t> m_tokenIds;
    std::array<std::uint8_t, 256> m_class{};      // groups bytes that no rule distinguishes
    std::vector<unsigned char> m_representatives; // one byte of each class

    std::vector<StateFacts> m_states;
    Items m_items;
    std::vector<State> m_next;
    std::unordered_multimap<std::uint64_t, State> m_byHash;
    std::unordered_map<std::uint64_t, State> m_united; // by the pair of numbers
    State m_start = kDead;

    // Work space of one closure:
    Items m_toVisit;
    std::vector<std::uint32_t> m_mark; // by node: the closure that saw it first
    std::vector<State> m_markParent;   // by node: the parent that it was first seen with
    std::unordered_set<std::uint64_t> m_seenMore;
    std::uint32_t m_closure = 0;
    std::vector<Pending> m_pending;     // by rule
    std::vector<std::uint32_t> m_ranks; // a heap of the ranks of entered rules
    std::vector<std::uint32_t> m_byRank;

    std::uint64_t m_work = 0;
    std::optional<Error> m_failure;
};

} // namespace gufo::inference
