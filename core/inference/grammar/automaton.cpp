#include "inference/grammar/automaton.h"

#include <algorithm>
#include <map>
#include <set>

namespace gufo::inference {
namespace {

constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

// Adjacent ranges with the same target become one.
void joinEdges(std::vector<Automaton::Edge>& edges) {
    std::size_t kept = 0;
    for (const Automaton::Edge& edge : edges) {
        if (kept > 0 && edges[kept - 1].to == edge.to && edges[kept - 1].codes.highest + 1 == edge.codes.lowest) {
            edges[kept - 1].codes.highest = edge.codes.highest;
        } else {
            edges[kept++] = edge;
        }
    }
    edges.resize(kept);
}

std::uint64_t addUpTo(std::uint64_t a, std::uint64_t b, std::uint64_t most) { return a > most - b ? most : a + b; }

// Builds the product of automata, or of one with a counter; Key is a state of it.
template<typename Key>
class Product {
public:
    std::uint32_t stateOf(const Key& key) {
        const auto [at, added] = m_known.try_emplace(key, static_cast<std::uint32_t>(m_keys.size()));
        if (added) {
            m_keys.push_back(key);
        }
        return at->second;
    }
    // `make(key)` returns the state of a key. Returns nothing once there are more than `most` states.
    template<typename Make>
    std::optional<Automaton> build(const Key& start, std::size_t most, Make&& make) {
        (void)stateOf(start);
        std::vector<Automaton::State> states;
        std::size_t edges = 0;
        for (std::size_t i = 0; i < m_keys.size(); ++i) {
            states.push_back(make(Key(m_keys[i])));
            joinEdges(states.back().edges);
            edges += states.back().edges.size();
            if (m_keys.size() > most || edges > Automaton::kMaxEdges) {
                return std::nullopt;
            }
        }
        return Automaton(std::move(states));
    }

private:
    std::map<Key, std::uint32_t> m_known;
    std::vector<Key> m_keys;
};

} // namespace

Automaton::Automaton(std::vector<State> states)
    : m_states(std::move(states)) {
    trim();
}

void Automaton::trim() {
    const std::size_t count = m_states.size();
    std::vector<bool> reached(count);
    std::vector<std::uint32_t> work{0};
    reached[0] = true;
    std::vector<std::vector<std::uint32_t>> before(count);
    while (!work.empty()) {
        const std::uint32_t at = work.back();
        work.pop_back();
        for (const Edge& edge : m_states[at].edges) {
            before[edge.to].push_back(at);
            if (!reached[edge.to]) {
                reached[edge.to] = true;
                work.push_back(edge.to);
            }
        }
    }
    std::vector<bool> lives(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (reached[i] && m_states[i].accepts) {
            lives[i] = true;
            work.push_back(i);
        }
    }
    while (!work.empty()) {
        const std::uint32_t at = work.back();
        work.pop_back();
        for (const std::uint32_t from : before[at]) {
            if (!lives[from]) {
                lives[from] = true;
                work.push_back(from);
            }
        }
    }
    std::vector<std::uint32_t> number(count, kNowhere);
    std::vector<State> kept;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (i == 0 || lives[i]) {
            number[i] = static_cast<std::uint32_t>(kept.size());
            kept.push_back(std::move(m_states[i]));
        }
    }
    for (State& state : kept) {
        std::erase_if(state.edges, [&](const Edge& edge) { return !lives[edge.to]; });
        for (Edge& edge : state.edges) {
            edge.to = number[edge.to];
        }
        joinEdges(state.edges);
    }
    m_states = std::move(kept);
}

Automaton Automaton::ofWords(const std::vector<std::u32string>& words) {
    std::vector<std::map<char32_t, std::uint32_t>> next(1);
    std::vector<bool> accepts(1);
    for (const std::u32string& word : words) {
        std::uint32_t at = 0;
        for (const char32_t code : word) {
            const auto [found, added] = next[at].try_emplace(code, static_cast<std::uint32_t>(next.size()));
            at = found->second;
            if (added) {
                next.emplace_back();
                accepts.push_back(false);
            }
        }
        accepts[at] = true;
    }
    std::vector<State> states(next.size());
    for (std::size_t i = 0; i < next.size(); ++i) {
        states[i].accepts = accepts[i];
        for (const auto& [code, to] : next[i]) {
            states[i].edges.push_back({{code, code}, to});
        }
    }
    return Automaton(std::move(states));
}

Automaton Automaton::textsOf(const CodeSet& characters) {
    State state{.accepts = true};
    for (const CodeRange& range : withoutSurrogates(characters)) {
        state.edges.push_back({range, 0});
    }
    return Automaton({std::move(state)});
}

Automaton Automaton::everything() { return textsOf({{0, kLastCode}}); }

bool Automaton::accepts(std::u32string_view text) const {
    std::uint32_t at = 0;
    for (const char32_t code : text) {
        const std::vector<Edge>& edges = m_states[at].edges;
        const auto edge =
            std::ranges::lower_bound(edges, code, {}, [](const Edge& each) { return each.codes.highest; });
        if (edge == edges.end() || code < edge->codes.lowest) {
            return false;
        }
        at = edge->to;
    }
    return m_states[at].accepts;
}

// The states are visited in postorder without recursion; an edge back to an unfinished state is a loop, and since every
// state leads to an accepting one, the language is then infinite.
std::uint64_t Automaton::count(std::uint64_t most) const {
    enum class Visit : std::uint8_t { New, Open, Done };
    std::vector<Visit> visits(m_states.size(), Visit::New);
    std::vector<std::uint64_t> counts(m_states.size());
    std::vector<std::pair<std::uint32_t, std::size_t>> path{{0, 0}};
    visits[0] = Visit::Open;
    while (!path.empty()) {
        auto& [at, next] = path.back();
        const State& state = m_states[at];
        if (next < state.edges.size()) {
            const std::uint32_t to = state.edges[next++].to;
            if (visits[to] == Visit::Open) {
                return most;
            }
            if (visits[to] == Visit::New) {
                visits[to] = Visit::Open;
                path.emplace_back(to, 0);
            }
            continue;
        }
        std::uint64_t count = std::min<std::uint64_t>(state.accepts ? 1 : 0, most);
        for (const Edge& edge : state.edges) {
            const std::uint64_t codes = edge.codes.highest - edge.codes.lowest + std::uint64_t{1};
            const std::uint64_t each = counts[edge.to];
            count = addUpTo(count, each > most / codes ? most : std::min(most, each * codes), most);
        }
        counts[at] = count;
        visits[at] = Visit::Done;
        path.pop_back();
    }
    return counts[0];
}

Automaton Automaton::complement() const {
    std::vector<State> states = m_states;
    const auto sink = static_cast<std::uint32_t>(states.size());
    states.emplace_back();
    for (State& state : states) {
        CodeSet known;
        for (const Edge& edge : state.edges) {
            known.push_back(edge.codes);
        }
        for (const CodeRange& gap : withoutSurrogates(inverted(united(std::move(known))))) {
            state.edges.push_back({gap, sink});
        }
        std::ranges::sort(state.edges, {}, &Edge::codes);
        state.accepts = !state.accepts;
    }
    return Automaton(std::move(states));
}

Automaton Automaton::reduced() const {
    constexpr std::size_t kMostStates = 2'000; // the time grows with their square at worst
    if (m_states.size() > kMostStates) {
        return *this;
    }
    std::vector<std::uint32_t> classes(m_states.size());
    std::size_t count = 0;
    std::vector<State> states;
    for (std::size_t before = ~std::size_t{0}; count != before;) {
        before = count;
        using Signature = std::vector<std::uint32_t>;
        std::map<Signature, std::uint32_t> known;
        std::vector<std::uint32_t> refined(m_states.size());
        states.clear();
        for (std::size_t i = 0; i < m_states.size(); ++i) {
            State state = m_states[i];
            for (Edge& edge : state.edges) {
                edge.to = classes[edge.to];
            }
            joinEdges(state.edges);
            Signature signature{classes[i], state.accepts ? 1U : 0U};
            for (const Edge& edge : state.edges) {
                signature.insert(signature.end(), {edge.codes.lowest, edge.codes.highest, edge.to});
            }
            const auto [at, added] = known.try_emplace(std::move(signature), static_cast<std::uint32_t>(known.size()));
            refined[i] = at->second;
            if (added) {
                states.push_back(std::move(state));
            }
        }
        classes = std::move(refined);
        count = known.size();
    }
    return Automaton(std::move(states)); // the numbers of the last two rounds are the same
}

std::optional<Automaton> Automaton::intersection(const Automaton& other) const {
    using Key = std::pair<std::uint32_t, std::uint32_t>;
    Product<Key> product;
    return product.build({0, 0}, kMaxStates, [&](const Key& key) {
        const State& a = m_states[key.first];
        const State& b = other.m_states[key.second];
        State both{.accepts = a.accepts && b.accepts};
        for (std::size_t i = 0, j = 0; i < a.edges.size() && j < b.edges.size();) {
            const Edge& x = a.edges[i];
            const Edge& y = b.edges[j];
            const CodeRange common{std::max(x.codes.lowest, y.codes.lowest),
                                   std::min(x.codes.highest, y.codes.highest)};
            if (common.lowest <= common.highest) {
                both.edges.push_back({common, product.stateOf({x.to, y.to})});
            }
            (x.codes.highest < y.codes.highest ? i : j) += 1;
        }
        return both;
    });
}

std::optional<Automaton> Automaton::ofLength(std::uint64_t minimum, std::optional<std::uint64_t> maximum) const {
    const auto counted = [&](std::uint64_t most, bool open) {
        using Key = std::pair<std::uint64_t, std::uint32_t>;
        Product<Key> product;
        return product.build({0, 0}, kMaxStates, [&](const Key& key) {
            const auto& [length, at] = key;
            State state{.accepts = m_states[at].accepts && length >= minimum};
            for (const Edge& edge : m_states[at].edges) {
                if (open || length < most) {
                    state.edges.push_back({edge.codes, product.stateOf({std::min(length + 1, most), edge.to})});
                }
            }
            return state;
        });
    };
    if (!maximum) {
        return counted(minimum, true);
    }
    if (auto exact = counted(*maximum, false)) {
        return exact;
    }
    for (std::uint64_t most = std::min<std::uint64_t>(*maximum, kMaxStates); most > minimum; most /= 2) {
        if (auto shorter = counted(most, false); shorter && !shorter->isEmpty()) {
            return shorter;
        }
    }
    return std::nullopt;
}

} // namespace gufo::inference
