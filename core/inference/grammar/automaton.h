// Regular languages as deterministic automata over characters. They combine the demands of a schema on a string, a key
// or a number: patterns, formats, lengths, bounds and excluded values.
//
// A missing edge leads nowhere. All states of an automaton can be reached, and lead to an accepting state; the empty
// language has one state without edges. Surrogates are not characters.
//
// Thread contract: values; operations are pure functions.
#pragma once

#include "inference/grammar/code_set.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gufo::inference {

class Automaton {
public:
    static constexpr std::size_t kMaxStates = 30'000;
    static constexpr std::size_t kMaxEdges = 400'000;

    struct Edge {
        CodeRange codes;
        std::uint32_t to;
    };
    struct State {
        std::vector<Edge> edges{}; // sorted, disjoint
        bool accepts = false;
    };

    Automaton() = default; // the empty language
    // State 0 is the start. States that cannot be reached or lead nowhere are removed.
    explicit Automaton(std::vector<State> states);
    [[nodiscard]] static Automaton ofWords(const std::vector<std::u32string>& words);
    // All texts made of these characters.
    [[nodiscard]] static Automaton textsOf(const CodeSet& characters);
    [[nodiscard]] static Automaton everything();

    [[nodiscard]] const std::vector<State>& states() const { return m_states; }
    [[nodiscard]] bool isEmpty() const { return m_states.front().edges.empty() && !m_states.front().accepts; }
    [[nodiscard]] bool accepts(std::u32string_view text) const;
    // The number of texts, at most `most`.
    [[nodiscard]] std::uint64_t count(std::uint64_t most) const;

    [[nodiscard]] Automaton complement() const;
    // Merges states that accept the same; large automata stay as they are.
    [[nodiscard]] Automaton reduced() const;
    // Nothing where the result would be too large.
    [[nodiscard]] std::optional<Automaton> intersection(const Automaton& other) const;
    // Restricts the number of characters. A maximum that would make the automaton too large is lowered, if texts
    // remain.
    [[nodiscard]] std::optional<Automaton> ofLength(std::uint64_t minimum, std::optional<std::uint64_t> maximum) const;

private:
    void trim();

    std::vector<State> m_states = std::vector<State>(1);
};

} // namespace gufo::inference
