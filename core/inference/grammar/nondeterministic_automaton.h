// A nondeterministic finite automaton (Thompson's construction): it is put together from parts, as a regular expression
// is read, and then made deterministic by the subset construction.
//
// Thread contract: one thread at a time.
#pragma once

#include "inference/grammar/automaton.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace gufo::inference {

class NondeterministicAutomaton {
public:
    static constexpr std::size_t kMaxNodes = 60'000;

    enum class Step : std::uint8_t { Nothing, AtBegin, AtEnd };
    // A part of it with one entry and one exit, which has no edges yet.
    struct Part {
        std::uint32_t entry;
        std::uint32_t exit;
    };

    [[nodiscard]] bool tooMany() const { return m_nodes.size() > kMaxNodes; }
    [[nodiscard]] std::uint32_t add();
    void connect(std::uint32_t from, std::uint32_t to) { m_nodes[from].to.push_back(to); }
    [[nodiscard]] Part nothing();
    [[nodiscard]] Part characters(CodeSet codes);
    [[nodiscard]] Part assertion(Step step);
    [[nodiscard]] Part anything();
    [[nodiscard]] Part sequence(Part a, Part b);
    // A copy of the nodes from `first` on, which `part` consists of.
    [[nodiscard]] Part copy(Part part, std::uint32_t first, std::uint32_t end);
    [[nodiscard]] Part inserted(const Automaton& automaton);
    [[nodiscard]] std::size_t work() const { return m_work + m_nodes.size(); }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(m_nodes.size()); }
    // The subset construction. Nothing if the result is too large.
    [[nodiscard]] std::optional<Automaton> determined(Part part);

private:
    // A node has either one edge for characters, or up to two edges that need no character but may hold only where the
    // text begins or ends.
    struct Node {
        CodeSet codes{}; // empty: `to` is reached without a character
        std::vector<std::uint32_t> to{};
        Step step = Step::Nothing;
    };
    using Set = std::vector<std::uint32_t>; // sorted

    Set closure(Set from, bool atBegin, bool atEnd);

    std::vector<Node> m_nodes;
    std::vector<std::uint32_t> m_seen;
    std::uint32_t m_round = 0;
    std::size_t m_work = 0;
};

} // namespace gufo::inference
