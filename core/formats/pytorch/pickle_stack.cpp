#include "formats/pytorch/pickle_stack.h"

#include "base/detail.h"

#include <algorithm>

namespace gufo::pickle {

using Kind = Node::Kind;

PickleStack::PickleStack(std::size_t expectedNodes) {
    m_pickle.nodes.reserve(std::min(expectedNodes, kMaxNodes));
    m_pickle.items.reserve(std::min(expectedNodes, kMaxItems));
    m_memo.reserve(std::min(expectedNodes, kMaxNodes));
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

NodeId PickleStack::addWithItems(Kind kind, std::span<const NodeId> items) {
    std::vector<NodeId>& all = m_pickle.items;
    if (items.size() > kMaxItems - all.size()) {
        tooMany(kMaxItems);
        return 0;
    }
    Node& node = addNode(kind);
    node.firstItem = static_cast<std::uint32_t>(all.size());
    node.itemCount = static_cast<std::uint32_t>(items.size());
    node.itemRoom = node.itemCount;
    for (const NodeId item : items) { // usually so few that inserting them in one call takes longer
        all.push_back(item);
    }
    return lastNode();
}

NodeId PickleStack::addShared(NodeId& shared, bool isEqual, const Node& node) {
    if (!isEqual) {
        const NodeId id = add(node);
        shared = m_error ? kNoNode : id;
        return id;
    }
    return shared;
}

NodeId PickleStack::addGlobal(std::string_view module, std::string_view name) {
    NodeId& shared = m_globals[(module.size() * 31 + name.size()) % m_globals.size()];
    const bool isEqual = shared != kNoNode && m_pickle[shared].text == module && m_pickle[shared].name == name;
    const NodeId id = addShared(shared, isEqual, {.kind = Kind::Global, .text = module, .name = name});
    if (!isEqual && !m_error) {
        m_pickle.globals.push_back(id);
    }
    return id;
}

// The items of a node that outgrows its room are moved to the end, where they have twice the room, unless they are
// already the last.
void PickleStack::append(NodeId id, std::span<const NodeId> items) {
    Node& node = m_pickle.nodes[id];
    std::vector<NodeId>& all = m_pickle.items;
    const std::size_t count = node.itemCount + items.size();
    if (all.size() + 2 * count > kMaxItems) {
        tooMany(kMaxItems);
        return;
    }
    const bool isLast = node.firstItem + node.itemCount == all.size();
    if (isLast) {
        all.insert(all.end(), items.begin(), items.end());
        node.itemRoom = static_cast<std::uint32_t>(count);
    } else if (count <= node.itemRoom) {
        std::ranges::copy(items, all.begin() + node.firstItem + node.itemCount);
    } else {
        const std::size_t first = all.size();
        all.resize(first + 2 * count);
        const auto moved =
            std::copy_n(all.begin() + node.firstItem, node.itemCount, all.begin() + static_cast<std::ptrdiff_t>(first));
        std::ranges::copy(items, moved);
        node.firstItem = static_cast<std::uint32_t>(first);
        node.itemRoom = static_cast<std::uint32_t>(2 * count);
    }
    node.itemCount = static_cast<std::uint32_t>(count);
}

void PickleStack::pushInteger(std::int64_t value) {
    SharedInteger& shared = m_integers[static_cast<std::uint64_t>(value) % m_integers.size()];
    const bool isEqual = shared.id != kNoNode && shared.value == value;
    shared.value = value;
    pushId(addShared(shared.id, isEqual, {.kind = Kind::Integer, .integer = value}));
}

void PickleStack::pushConstant(Constant constant) {
    NodeId& shared = m_constants[static_cast<std::size_t>(constant)];
    const Kind kind = constant == Constant::None         ? Kind::None
                      : constant == Constant::EmptyTuple ? Kind::Tuple
                                                         : Kind::Bool;
    pushId(addShared(shared, shared != kNoNode, {.kind = kind, .integer = constant == Constant::True ? 1 : 0}));
}

void PickleStack::pushTuple(std::size_t size) {
    std::array<NodeId, 3> items{};
    for (std::size_t i = size; i-- > 0;) {
        items[i] = pop();
    }
    if (!m_error) {
        pushWithItems(Kind::Tuple, std::span(items).first(size));
    }
}

void PickleStack::mark() {
    if (m_marks.size() == kMaxMarks) {
        fail(ErrorCode::NestingTooDeep, {kMaxMarks});
    } else {
        m_marks.push_back(m_stack.size());
    }
}

void PickleStack::pushMarked(Kind kind) {
    if (m_marks.empty()) {
        nothingThere();
        return;
    }
    const std::size_t begin = m_marks.back();
    const NodeId id = addWithItems(kind, std::span(m_stack).subspan(begin));
    m_stack.resize(begin);
    m_marks.pop_back();
    pushId(id);
}

void PickleStack::popOrUnmark() {
    if (m_stack.size() == floor() && !m_marks.empty()) {
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
    m_marked.assign(m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back()), m_stack.end());
    m_stack.resize(m_marks.back());
    m_marks.pop_back();
    return m_marked;
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

void PickleStack::memoize(std::uint64_t index) {
    const NodeId id = top();
    if (m_error) {
        return;
    }
    if (index == m_memo.size() && m_sparseMemo.empty() && index < kMaxNodes) { // as picklers write it
        m_memo.push_back(id);
    } else if (index < m_memo.size()) {
        m_memo[index] = id;
    } else if (m_memo.size() + m_sparseMemo.size() == kMaxNodes) {
        tooMany(kMaxNodes);
    } else if (index == m_memo.size()) {
        m_sparseMemo.erase(index);
        m_memo.push_back(id);
    } else {
        m_sparseMemo[index] = id;
    }
}

void PickleStack::recall(std::uint64_t index) {
    if (index < m_memo.size()) {
        pushId(m_memo[index]);
    } else if (const auto found = m_sparseMemo.find(index); found != m_sparseMemo.end()) {
        pushId(found->second);
    } else {
        malformed(Detail::PickleStack);
    }
}

} // namespace gufo::pickle
