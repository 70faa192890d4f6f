#include "inference/grammar/nondeterministic_automaton.h"

#include <algorithm>
#include <map>

namespace gufo::inference {
namespace {

constexpr std::size_t kMaxWork = 4'000'000; // entries of sets of nodes, while it is made deterministic

} // namespace

std::uint32_t NondeterministicAutomaton::add() {
    m_nodes.emplace_back();
    return static_cast<std::uint32_t>(m_nodes.size() - 1);
}

NondeterministicAutomaton::Part NondeterministicAutomaton::nothing() {
    const std::uint32_t node = add();
    return {node, node};
}

NondeterministicAutomaton::Part NondeterministicAutomaton::characters(CodeSet codes) {
    const Part part{add(), add()};
    m_nodes[part.entry].codes = withoutSurrogates(codes);
    if (m_nodes[part.entry].codes.empty()) {
        return part; // it matches nothing
    }
    connect(part.entry, part.exit);
    return part;
}

NondeterministicAutomaton::Part NondeterministicAutomaton::assertion(Step step) {
    const Part part{add(), add()};
    m_nodes[part.entry].step = step;
    connect(part.entry, part.exit);
    return part;
}

NondeterministicAutomaton::Part NondeterministicAutomaton::anything() {
    const Part loop = characters({{0, kLastCode}});
    connect(loop.exit, loop.entry);
    const Part part{add(), add()};
    connect(part.entry, loop.entry);
    connect(part.entry, part.exit);
    connect(loop.exit, part.exit);
    return part;
}

NondeterministicAutomaton::Part NondeterministicAutomaton::sequence(Part a, Part b) {
    connect(a.exit, b.entry);
    return {a.entry, b.exit};
}

NondeterministicAutomaton::Part NondeterministicAutomaton::copy(Part part, std::uint32_t first, std::uint32_t end) {
    const auto shift = static_cast<std::uint32_t>(m_nodes.size()) - first;
    for (std::uint32_t i = first; i < end; ++i) {
        Node node = m_nodes[i];
        for (std::uint32_t& to : node.to) {
            to += shift;
        }
        m_nodes.push_back(std::move(node));
    }
    return {part.entry + shift, part.exit + shift};
}

NondeterministicAutomaton::Part NondeterministicAutomaton::inserted(const Automaton& automaton) {
    const Part part{add(), add()};
    const auto first = static_cast<std::uint32_t>(m_nodes.size());
    for (std::size_t i = 0; i < automaton.states().size(); ++i) {
        (void)add();
    }
    for (std::uint32_t i = 0; i < automaton.states().size(); ++i) {
        const Automaton::State& state = automaton.states()[i];
        for (const Automaton::Edge& edge : state.edges) {
            const Part step = characters({edge.codes});
            connect(first + i, step.entry);
            connect(step.exit, first + edge.to);
        }
        if (state.accepts) {
            connect(first + i, part.exit);
        }
    }
    connect(part.entry, first);
    return part;
}

std::optional<Automaton> NondeterministicAutomaton::determined(Part part) {
    std::map<Set, std::uint32_t> known;
    std::vector<Set> sets;
    const auto stateOf = [&](Set set) {
        const auto [at, added] = known.try_emplace(set, static_cast<std::uint32_t>(sets.size()));
        if (added) {
            sets.push_back(std::move(set));
        }
        return at->second;
    };
    (void)stateOf(closure({part.entry}, true, false));
    std::vector<Automaton::State> states;
    std::size_t edges = 0;
    for (std::size_t i = 0; i < sets.size(); ++i) {
        const Set set = sets[i];
        Automaton::State state;
        // The set of the start already passed the assertions about the beginning.
        state.accepts = std::ranges::binary_search(closure(set, i == 0, true), part.exit);
        std::vector<char32_t> begins; // of ranges that no node of the set distinguishes
        for (const std::uint32_t at : set) {
            for (const CodeRange& range : m_nodes[at].codes) {
                begins.insert(begins.end(), {range.lowest, range.highest + 1});
            }
        }
        std::ranges::sort(begins);
        const auto repeated = std::ranges::unique(begins);
        begins.erase(repeated.begin(), repeated.end());
        for (std::size_t j = 0; j + 1 < begins.size(); ++j) {
            Set targets;
            for (const std::uint32_t at : set) {
                const bool holds = std::ranges::any_of(m_nodes[at].codes, [&](const CodeRange& range) {
                    return begins[j] >= range.lowest && begins[j] <= range.highest;
                });
                if (holds) {
                    targets.push_back(m_nodes[at].to.front());
                }
            }
            if (!targets.empty()) {
                state.edges.push_back(
                    {{begins[j], begins[j + 1] - 1}, stateOf(closure(std::move(targets), false, false))});
            }
            if (m_work > kMaxWork) {
                return std::nullopt;
            }
        }
        edges += state.edges.size();
        states.push_back(std::move(state));
        if (sets.size() > Automaton::kMaxStates || edges > Automaton::kMaxEdges) {
            return std::nullopt;
        }
    }
    return Automaton(std::move(states)).reduced();
}

NondeterministicAutomaton::Set NondeterministicAutomaton::closure(Set from, bool atBegin, bool atEnd) {
    if (m_seen.size() < m_nodes.size()) {
        m_seen.resize(m_nodes.size());
    }
    ++m_round;
    Set all;
    while (!from.empty()) {
        const std::uint32_t at = from.back();
        from.pop_back();
        if (m_seen[at] == m_round) {
            continue;
        }
        m_seen[at] = m_round;
        all.push_back(at);
        const Node& node = m_nodes[at];
        const bool holds =
            node.codes.empty() && (node.step == Step::Nothing || (node.step == Step::AtBegin ? atBegin : atEnd));
        if (holds) {
            from.insert(from.end(), node.to.begin(), node.to.end());
        }
    }
    std::ranges::sort(all);
    m_work += all.size() + 1;
    return all;
}

} // namespace gufo::inference
