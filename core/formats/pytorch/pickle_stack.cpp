#include "formats/pytorch/pickle_stack.h"

#include "base/detail.h"

#include <algorithm>

namespace gufo::pickle {

using Kind = Node::Kind;

namespace {

constexpr std::size_t kFirstIds = 1024;

} // namespace

PickleStack::PickleStack(std::size_t expectedNodes) {
    m_pickle.nodes.reserve(std::min(expectedNodes, kMaxNodes));
    m_constants.fill(kNoNode);
    m_globals.fill(kNoNode);
}

void PickleStack::fail(ErrorCode code, Arguments args) {
    if (!m_error) {
        m_error = Error{code, {}, Place::atOffset(m_offset), std::move(args), 0};
    }
}

void PickleStack::tooMany(std::size_t limit) { fail(ErrorCode::LimitExceeded, {Detail::Values, limit + 1, limit}); }

NodeId PickleStack::nothingThere() {
    malformed(Detail::PickleStack);
    return 0;
}

bool PickleStack::grow(std::vector<NodeId>& ids) {
    if (ids.size() == kMaxNodes) {
        tooMany(kMaxNodes);
        return false;
    }
    ids.resize(std::clamp(2 * ids.size(), kFirstIds, kMaxNodes));
    return true;
}

bool PickleStack::growItems(std::size_t needed) {
    if (needed > kMaxItems - m_items) {
        tooMany(kMaxItems);
        return false;
    }
    std::vector<NodeId>& all = m_pickle.items;
    all.resize(std::min(std::max({2 * all.size(), m_items + needed, kFirstIds}), kMaxItems));
    return true;
}

NodeId PickleStack::addGlobal(std::string_view module, std::string_view name) {
    NodeId& shared = m_globals[(module.size() * 31 + name.size()) % m_globals.size()];
    if (shared != kNoNode && m_pickle[shared].text == module && m_pickle[shared].name == name) {
        return shared;
    }
    const NodeId id = add({.kind = Kind::Global, .text = module, .name = name});
    if (!m_error) {
        shared = id;
        m_pickle.globals.push_back(id);
    }
    return id;
}

void PickleStack::addInteger(SharedInteger& shared, std::int64_t value) {
    const NodeId id = add({.kind = Kind::Integer, .integer = value});
    shared = {.value = value, .id = m_error ? kNoNode : id};
}

void PickleStack::addConstant(NodeId& shared, Constant constant) {
    const Kind kind = constant == Constant::None         ? Kind::None
                      : constant == Constant::EmptyTuple ? Kind::Tuple
                                                         : Kind::Bool;
    const NodeId id = add({.kind = kind, .integer = constant == Constant::True ? 1 : 0});
    shared = m_error ? kNoNode : id;
}

// The items of a node that outgrows its room are moved to the end, where they have twice the room, unless they are
// already the last.
void PickleStack::append(NodeId id, std::span<const NodeId> items) {
    Node& node = m_pickle.nodes[id];
    const std::size_t count = node.itemCount + items.size();
    if (m_items + 2 * count > kMaxItems) {
        tooMany(kMaxItems);
        return;
    }
    if (2 * count > m_pickle.items.size() - m_items && !growItems(2 * count)) {
        return;
    }
    const auto begin = m_pickle.items.begin();
    const std::size_t end = std::size_t{node.firstItem} + node.itemCount;
    if (end == m_items) {
        std::ranges::copy(items, begin + static_cast<std::ptrdiff_t>(end));
        m_items += items.size();
        node.itemRoom = static_cast<std::uint32_t>(count);
    } else if (count <= node.itemRoom) {
        std::ranges::copy(items, begin + static_cast<std::ptrdiff_t>(end));
    } else {
        const std::size_t first = m_items;
        const auto moved =
            std::copy_n(begin + node.firstItem, node.itemCount, begin + static_cast<std::ptrdiff_t>(first));
        std::ranges::copy(items, moved);
        m_items += 2 * count;
        node.firstItem = static_cast<std::uint32_t>(first);
        node.itemRoom = static_cast<std::uint32_t>(2 * count);
    }
    node.itemCount = static_cast<std::uint32_t>(count);
}

void PickleStack::mark() {
    if (m_marks.size() == kMaxMarks) {
        fail(ErrorCode::NestingTooDeep, {kMaxMarks});
    } else {
        m_marks.push_back(m_height);
    }
}

void PickleStack::pushMarked(Kind kind) {
    if (m_marks.empty()) {
        nothingThere();
        return;
    }
    const std::size_t begin = m_marks.back();
    const NodeId id = addWithItems(kind, std::span(m_stack).subspan(begin, m_height - begin));
    m_height = begin;
    m_marks.pop_back();
    pushId(id);
}

void PickleStack::popOrUnmark() {
    if (m_height == floor() && !m_marks.empty()) {
        m_marks.pop_back();
    } else {
        (void)pop();
    }
}

std::span<const NodeId> PickleStack::popToMark() {
    if (m_marks.empty()) {
        malformed(Detail::PickleStack);
        return {};
    }
    const std::size_t begin = m_marks.back();
    const auto items = std::span<const NodeId>(m_stack).subspan(begin, m_height - begin);
    m_height = begin;
    m_marks.pop_back();
    return items;
}

void PickleStack::store(std::span<const NodeId> items, bool pairs) {
    const NodeId container = top();
    if (m_error) {
        return;
    }
    const Node& node = m_pickle[container];
    const bool holds =
        node.kind == Kind::Call || node.kind == (pairs ? Kind::Dict : Kind::List) || (!pairs && node.kind == Kind::Set);
    if (!holds || (pairs && items.size() % 2 != 0)) {
        malformed(Detail::PickleStack);
        return;
    }
    if (node.kind != Kind::Call || pairs) {
        append(container, items);
        return;
    }
    const NodeId insteadOfKey = m_pickle.items[node.firstItem];
    for (const NodeId item : items) {
        append(container, std::to_array({insteadOfKey, item}));
    }
}

void PickleStack::memoizeAnywhere(std::uint64_t index) {
    const NodeId id = top();
    if (m_error) {
        return;
    }
    if (index < m_memoized) {
        m_memo[index] = id;
    } else if (m_memoized + m_sparseMemo.size() == kMaxNodes) {
        tooMany(kMaxNodes);
    } else if (index == m_memoized && (index < m_memo.size() || grow(m_memo))) {
        m_sparseMemo.erase(index);
        m_memo[m_memoized++] = id;
    } else {
        m_sparseMemo[index] = id;
    }
}

void PickleStack::recallSparse(std::uint64_t index) {
    if (const auto found = m_sparseMemo.find(index); found != m_sparseMemo.end()) {
        pushId(found->second);
    } else {
        malformed(Detail::PickleStack);
    }
}

} // namespace gufo::pickle
