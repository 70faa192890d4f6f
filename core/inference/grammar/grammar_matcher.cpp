#include "inference/grammar/grammar_matcher.h"

#include "base/detail.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace gufo::inference {
namespace {

using NodeKind = Grammar::Node::Kind;

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
    hash ^= value + 0x9E37'79B9'7F4A'7C15U + (hash << 6U) + (hash >> 2U);
    hash *= 0xFF51'AFD7'ED55'8CCDU;
    return hash ^ (hash >> 33U);
}

std::uint64_t pairOf(std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32U | b; }

} // namespace

GrammarMatcher::GrammarMatcher(std::shared_ptr<const Grammar> grammar, std::vector<std::uint32_t> tokenIds)
    : m_grammar(std::move(grammar))
    , m_tokenIds(std::move(tokenIds))
    , m_mark(m_grammar->nodes.size())
    , m_markParent(m_grammar->nodes.size())
    , m_pending(m_grammar->rules.size())
    , m_byRank(m_grammar->rules.size()) {
    for (std::uint32_t i = 0; i < m_grammar->rules.size(); ++i) {
        m_byRank[m_grammar->rules[i].rank] = i;
    }
    classifyBytes();
    clear();
    m_start = close({{m_grammar->rules[m_grammar->root].start, kBottom}}, false);
}

void GrammarMatcher::classifyBytes() {
    std::array<bool, 257> begins{};
    begins[0] = true;
    for (const Grammar::ByteRange& range : m_grammar->ranges) {
        begins[range.lowest] = true;
        begins[range.highest + std::size_t{1}] = true;
    }
    for (std::size_t byte = 0; byte < 256; ++byte) {
        if (begins[byte]) {
            m_representatives.push_back(static_cast<unsigned char>(byte));
        }
        m_class[byte] = static_cast<std::uint8_t>(m_representatives.size() - 1);
    }
}

void GrammarMatcher::clear() {
    m_states.assign(2, {});
    m_states[kBottom].accepts = true;
    m_items.clear();
    m_next.clear();
    m_byHash.clear();
    m_united.clear();
}

GrammarMatcher::State GrammarMatcher::step(State state, std::string_view text) {
    for (const char byte : text) {
        if (state == kDead) {
            break;
        }
        state = step(state, static_cast<unsigned char>(byte));
    }
    return state;
}

GrammarMatcher::State GrammarMatcher::makeStep(State state, std::uint32_t byteClass) {
    const unsigned char byte = m_representatives[byteClass];
    const bool onlyDistinct = checksDistinct() && opensDistinct(state, byte);
    Items seeds;
    for (const Item& item : items(state)) {
        const Grammar::Node& node = m_grammar->nodes[item.node];
        const bool follows = node.kind == NodeKind::Bytes && (node.distinct || !onlyDistinct);
        for (std::uint32_t i = 0; follows && i < node.count; ++i) {
            const Grammar::ByteRange& range = m_grammar->ranges[node.first + i];
            if (byte >= range.lowest && byte <= range.highest) {
                seeds.push_back({range.target, item.parent});
            }
        }
    }
    const State to = close(std::move(seeds), false);
    if (m_states[state].next == kNone) {
        m_states[state].next = static_cast<std::uint32_t>(m_next.size());
        m_next.resize(m_next.size() + m_representatives.size(), kUnknown);
    }
    m_next[m_states[state].next + byteClass] = to;
    return to;
}

bool GrammarMatcher::opensDistinct(State state, unsigned char byte) const {
    return std::ranges::any_of(items(state), [&](const Item& item) {
        const Grammar::Node& node = m_grammar->nodes[item.node];
        return node.distinct && m_grammar->ranges[node.first].lowest == byte; // a literal of one byte
    });
}

std::vector<GrammarMatcher::NamedToken> GrammarMatcher::namedTokens(State state) const {
    std::vector<NamedToken> tokens;
    for (const Item& item : items(state)) {
        if (const Grammar::Node& node = m_grammar->nodes[item.node]; node.kind == NodeKind::Token) {
            tokens.push_back({m_tokenIds[node.first], m_grammar->tokens[node.first].negated});
        }
    }
    return tokens;
}

GrammarMatcher::State GrammarMatcher::stepToken(State state, std::uint32_t token) {
    Items seeds;
    for (const Item& item : items(state)) {
        const Grammar::Node& node = m_grammar->nodes[item.node];
        if (node.kind == NodeKind::Token &&
            (m_tokenIds[node.first] == token) != m_grammar->tokens[node.first].negated) {
            seeds.push_back({node.next, item.parent});
        }
    }
    return seeds.empty() ? kDead : close(std::move(seeds), false);
}

// Returns the state with everything that may follow the seeds, whose parents must exist. The end of a seed's rule
// returns to its parent. Rules entered on the way are processed in the order of their ranks, so that all their returns
// are known by then; nullable rules were already skipped where they were called.
GrammarMatcher::State GrammarMatcher::close(Items seeds, bool accepts) {
    if (m_failure) {
        return kDead;
    }
    if (++m_closure == 0) { // wrapped around after 2³² closures
        std::ranges::fill(m_mark, 0U);
        m_closure = 1;
    }
    m_seenMore.clear();
    Items found;
    m_toVisit = std::move(seeds);
    const auto drain = [&](bool canReturn) {
        while (!m_toVisit.empty()) {
            const Item item = m_toVisit.back();
            m_toVisit.pop_back();
            visit(item, canReturn, found, accepts);
        }
    };
    drain(true);
    while (!m_ranks.empty()) {
        std::ranges::pop_heap(m_ranks, std::greater());
        const std::uint32_t rule = m_byRank[m_ranks.back()];
        m_ranks.pop_back();
        Pending pending = std::exchange(m_pending[rule], {});
        const State parent = intern(std::move(pending.returns), pending.accepts);
        if (parent == kDead || m_states[parent].depth > kMaxDepth) {
            continue; // treated as no match, so that the text can still be completed
        }
        m_toVisit.push_back({m_grammar->rules[rule].start, parent});
        drain(false);
    }
    return intern(std::move(found), accepts);
}

void GrammarMatcher::visit(Item item, bool canReturn, Items& found, bool& accepts) {
    if (seen(item) || !spend(1)) {
        return;
    }
    const Grammar::Node& node = m_grammar->nodes[item.node];
    switch (node.kind) {
    case NodeKind::End:
        if (canReturn) {
            accepts = accepts || m_states[item.parent].accepts;
            const auto returns = items(item.parent);
            m_toVisit.insert(m_toVisit.end(), returns.begin(), returns.end());
        }
        break;
    case NodeKind::Bytes:
    case NodeKind::Token:
        found.push_back(item);
        break;
    case NodeKind::Split:
        for (std::uint32_t i = 0; i < node.count; ++i) {
            m_toVisit.push_back({m_grammar->targets[node.first + i], item.parent});
        }
        break;
    case NodeKind::Call:
        enter(node, item.parent);
        if (m_grammar->rules[node.first].nullable) {
            m_toVisit.push_back({node.next, item.parent});
        }
        break;
    }
}

// A call at the end of a rule returns to the caller of that rule (tail call), so that chains of parents stay short.
void GrammarMatcher::enter(const Grammar::Node& call, State parent) {
    Pending& pending = m_pending[call.first];
    if (pending.returns.empty() && !pending.accepts) {
        m_ranks.push_back(m_grammar->rules[call.first].rank);
        std::ranges::push_heap(m_ranks, std::greater());
    }
    if (m_grammar->nodes[call.next].kind == NodeKind::End) {
        const auto returns = items(parent);
        pending.returns.insert(pending.returns.end(), returns.begin(), returns.end());
        pending.accepts = pending.accepts || m_states[parent].accepts;
        (void)spend(returns.size());
    } else {
        pending.returns.push_back({call.next, parent});
    }
}

bool GrammarMatcher::seen(Item item) {
    if (m_mark[item.node] != m_closure) {
        m_mark[item.node] = m_closure;
        m_markParent[item.node] = item.parent;
        return false;
    }
    return m_markParent[item.node] == item.parent || !m_seenMore.insert(pairOf(item.node, item.parent)).second;
}

GrammarMatcher::State GrammarMatcher::unite(State a, State b) {
    if (a == b || b == kDead) {
        return a;
    }
    if (a == kDead) {
        return b;
    }
    const auto [lower, upper] = std::minmax(a, b);
    if (const auto known = m_united.find(pairOf(lower, upper)); known != m_united.end()) {
        return known->second;
    }
    Items both;
    std::ranges::copy(items(a), std::back_inserter(both));
    std::ranges::copy(items(b), std::back_inserter(both));
    const State made = intern(std::move(both), m_states[a].accepts || m_states[b].accepts);
    m_united.emplace(pairOf(lower, upper), made);
    return made;
}

// Returns the state with these entries, after merging entries of the same node.
GrammarMatcher::State GrammarMatcher::intern(Items all, bool accepts) {
    if (!spend(all.size())) {
        return kDead;
    }
    std::ranges::sort(all);
    Items items;
    std::uint32_t depth = 0;
    for (const Item& item : all) {
        if (!items.empty() && items.back().node == item.node) {
            items.back().parent = unite(items.back().parent, item.parent);
        } else {
            items.push_back(item);
        }
        depth = std::max(depth, m_states[items.back().parent].depth + 1);
    }
    if (items.empty()) {
        return accepts ? kBottom : kDead;
    }
    std::uint64_t hash = accepts ? 1 : 0;
    for (const Item& item : items) {
        hash = mix(hash, pairOf(item.node, item.parent));
    }
    const auto [begin, end] = m_byHash.equal_range(hash);
    for (auto at = begin; at != end; ++at) {
        if (m_states[at->second].accepts == accepts && std::ranges::equal(this->items(at->second), items)) {
            return at->second;
        }
    }
    const auto made = static_cast<State>(m_states.size());
    m_states.push_back({.first = static_cast<std::uint32_t>(m_items.size()),
                        .count = static_cast<std::uint32_t>(items.size()),
                        .depth = depth,
                        .accepts = accepts});
    m_items.insert(m_items.end(), items.begin(), items.end());
    m_byHash.emplace(hash, made);
    return made;
}

bool GrammarMatcher::spend(std::uint64_t work) {
    m_work += work;
    if (m_work > kMaxWork && !m_failure) {
        m_failure = fail(ErrorCode::LimitExceeded, {}, {Detail::GrammarStates, m_work, kMaxWork}).error();
    }
    return !m_failure;
}

bool GrammarMatcher::trim(State& state, std::size_t maximum) {
    const std::size_t bytes = m_states.size() * (sizeof(StateFacts) + 40) + m_items.size() * sizeof(Item) +
                              m_next.size() * sizeof(State) + m_united.size() * 40;
    if (bytes <= maximum) {
        return false;
    }
    const auto states = std::move(m_states);
    const auto all = std::move(m_items);
    clear();
    std::unordered_map<State, State> moved{{kDead, kDead}, {kBottom, kBottom}};
    const auto move = [&](auto& self, State old) -> State { // recursion is as deep as the state
        if (const auto known = moved.find(old); known != moved.end()) {
            return known->second;
        }
        const StateFacts& facts = states[old];
        Items items(all.begin() + facts.first, all.begin() + facts.first + facts.count);
        for (Item& item : items) {
            item.parent = self(self, item.parent);
        }
        const State made = intern(std::move(items), facts.accepts);
        moved.emplace(old, made);
        return made;
    };
    state = move(move, state);
    m_start = move(move, m_start);
    return true;
}

} // namespace gufo::inference
