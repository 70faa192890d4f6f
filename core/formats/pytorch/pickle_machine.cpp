// The opcodes that take several steps, and the opcodes of protocol 0, which writes numbers as text.
#include "formats/pytorch/pickle_machine.h"

#include "base/detail.h"

#include <algorithm>
#include <charconv>

namespace gufo::pickle {
namespace {

constexpr std::uint8_t kNewestProtocol = 5;

} // namespace

std::string_view Machine::line() {
    const std::string_view rest(reinterpret_cast<const char*>(m_bytes.data() + m_position),
                                m_bytes.size() - m_position);
    const std::size_t length = rest.find('\n');
    if (length == std::string_view::npos) {
        m_stack.fail(ErrorCode::Truncated, {Detail::Value, rest.size() + 1, rest.size()});
        return {};
    }
    m_position += length + 1;
    return rest.substr(0, length);
}

std::uint64_t Machine::lineNumber() {
    const std::string_view digits = line();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) {
        m_stack.malformed(Detail::PickleNumber);
    }
    return value;
}

// A two's complement number of any length.
void Machine::pushLong(std::string_view littleEndian) {
    constexpr std::size_t kBytes = sizeof(std::int64_t);
    Node node{.kind = Kind::Integer, .isHuge = littleEndian.size() > kBytes, .text = littleEndian};
    std::uint64_t bits = !littleEndian.empty() && (littleEndian.back() & '\x80') != 0 ? ~std::uint64_t{0} : 0;
    for (std::size_t i = std::min(littleEndian.size(), kBytes); i-- > 0;) {
        bits = bits << 8U | static_cast<unsigned char>(littleEndian[i]);
    }
    node.integer = static_cast<std::int64_t>(bits);
    m_stack.push(node);
}

void Machine::pushDecimal(std::string_view digits) {
    if (digits == "00" || digits == "01") { // how protocol 0 writes booleans
        m_stack.pushConstant(digits == "01" ? Constant::True : Constant::False);
        return;
    }
    if (digits.ends_with('L')) {
        digits.remove_suffix(1);
    }
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool isHuge = error == std::errc::result_out_of_range;
    if ((error != std::errc() && !isHuge) || end != digits.data() + digits.size()) {
        m_stack.malformed(Detail::PickleNumber);
        return;
    }
    m_stack.push({.kind = Kind::Integer, .isHuge = isHuge, .integer = value, .text = digits});
}

void Machine::pushReal(std::string_view digits) {
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) {
        m_stack.malformed(Detail::PickleNumber);
    }
    m_stack.push({.kind = Kind::Real, .real = value});
}

void Machine::globalFromStack() {
    const NodeId name = m_stack.pop();
    const NodeId module = m_stack.pop();
    if (!m_stack.failed()) {
        pushGlobal(m_stack[module].text, m_stack[name].text);
    }
}

void Machine::call() {
    const NodeId arguments = m_stack.pop();
    const NodeId callee = m_stack.pop();
    m_stack.pushCall(callee, arguments);
}

// The first item above the mark is called with the others.
void Machine::callOfMarked() {
    const std::span<const NodeId> items = m_stack.popToMark();
    if (items.empty()) {
        m_stack.malformed(Detail::PickleStack);
        return;
    }
    const NodeId callee = items.front();
    m_stack.pushCall(callee, m_stack.addWithItems(Kind::Tuple, items.subspan(1)));
}

void Machine::instance() {
    const std::string_view module = line();
    const std::string_view name = line();
    const NodeId arguments = m_stack.addWithItems(Kind::Tuple, m_stack.popToMark());
    m_stack.pushCall(m_stack.addGlobal(module, name), arguments);
}

// The state that a call's result would have received is kept as an item without a key.
void Machine::build() {
    const NodeId state = m_stack.pop();
    const NodeId object = m_stack.top();
    if (!m_stack.failed() && m_stack[object].kind == Kind::Call) {
        m_stack.append(object, std::to_array({m_stack.add({.kind = Kind::None}), state}));
    }
}

void Machine::setItem() {
    const NodeId value = m_stack.pop();
    const NodeId key = m_stack.pop();
    m_stack.store(std::to_array({key, value}), true);
}

void Machine::proto() {
    if (number<std::uint8_t>() > kNewestProtocol) {
        m_stack.malformed(Detail::PickleNumber);
    }
}

void Machine::frame() {
    if (number<std::uint64_t>() > m_bytes.size() - m_position) {
        m_stack.malformed(Detail::PickleFrame);
    }
}

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
