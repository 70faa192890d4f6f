// The values, the stack and the memo of the interpreter of pickles (pickle.h). Every operation checks that its operands
// exist and that no limit is exceeded. After the first failure, which error() returns, the results of all operations
// are meaningless, so callers need to check only once for each opcode.
#pragma once

#include "formats/pytorch/pickle.h"

#include <array>
#include <optional>
#include <unordered_map>

namespace gufo::pickle {

class PickleStack {
public:
    // Memory for `expectedNodes` is reserved, which costs nothing as long as it is not used.
    explicit PickleStack(std::size_t expectedNodes);

    // The offset of the current opcode, for new nodes and for errors.
    void setOffset(std::uint64_t offset) { m_offset = offset; }
    void fail(ErrorCode code, Arguments args);
    void malformed(Argument why) { fail(ErrorCode::Malformed, {std::move(why)}); }
    [[nodiscard]] bool failed() const { return m_error.has_value(); }
    [[nodiscard]] const Error& error() const { return *m_error; }
    [[nodiscard]] Pickle takePickle() && { return std::move(m_pickle); }
    [[nodiscard]] const Node& operator[](NodeId id) const { return m_pickle[id]; }

    // ---- values
    // Adds a node whose other members the caller sets in place, because copying a node that has just been built stalls
    // until its members are stored. The reference is valid until the next node is added.
    Node& addNode(Node::Kind kind) {
        if (m_pickle.nodes.size() == kMaxNodes) {
            tooMany(kMaxNodes);
            return m_pickle.nodes.back();
        }
        Node& node = m_pickle.nodes.emplace_back();
        node.kind = kind;
        node.offset = m_offset;
        return node;
    }
    NodeId add(const Node& node) {
        Node& added = addNode(node.kind);
        added = node;
        added.offset = m_offset;
        return lastNode();
    }
    NodeId addText(Node::Kind kind, std::string_view text) {
        addNode(kind).text = text;
        return lastNode();
    }
    NodeId addWithItems(Node::Kind kind, std::span<const NodeId> items);
    // A global, which may share a node with an equal one.
    NodeId addGlobal(std::string_view module, std::string_view name);
    // Adds items to those of a node.
    void append(NodeId id, std::span<const NodeId> items);

    // ---- stack
    void pushId(NodeId id) {
        if (m_stack.size() == kMaxNodes) {
            tooMany(kMaxNodes);
        } else {
            m_stack.push_back(id);
        }
    }
    void push(const Node& node) { pushId(add(node)); }
    void pushText(Node::Kind kind, std::string_view text) { pushId(addText(kind, text)); }
    void pushWithItems(Node::Kind kind, std::span<const NodeId> items) { pushId(addWithItems(kind, items)); }
    void pushInteger(std::int64_t value);
    // None, a boolean or an empty tuple, of which there is only one each.
    enum class Constant : std::uint8_t { None, False, True, EmptyTuple };
    void pushConstant(Constant constant);
    void pushTuple(std::size_t size); // of the uppermost items; at most 3
    void pushCall(NodeId callee, NodeId arguments) {
        pushWithItems(Node::Kind::Call, std::to_array({callee, arguments}));
    }
    NodeId pop() {
        if (m_stack.size() <= floor()) {
            return nothingThere();
        }
        const NodeId id = m_stack.back();
        m_stack.pop_back();
        return id;
    }
    NodeId top() { return m_stack.size() > floor() ? m_stack.back() : nothingThere(); }
    void mark();
    // Replaces the items above the last mark by a container of them.
    void pushMarked(Node::Kind kind);
    // Removes the uppermost item, or the mark above it.
    void popOrUnmark();
    // Removes the items above the last mark. The result is valid until the next call.
    std::span<const NodeId> popToMark();
    // Stores items, or pairs of key and value, in the container on top of the stack.
    void store(std::span<const NodeId> items, bool pairs);

    // ---- memo
    void memoize(std::uint64_t index);
    void memoizeNext() { memoize(m_memo.size() + m_sparseMemo.size()); }
    void recall(std::uint64_t index);

private:
    [[nodiscard]] NodeId lastNode() const { return static_cast<NodeId>(m_pickle.nodes.size() - 1); }
    void tooMany(std::size_t limit);
    NodeId nothingThere();
    [[nodiscard]] std::size_t floor() const { return m_marks.empty() ? 0 : m_marks.back(); }
    // Adds a node unless `shared` is that of an equal value. Only values that cannot be changed are shared.
    NodeId addShared(NodeId& shared, bool isEqual, const Node& node);

    std::uint64_t m_offset = 0;
    std::optional<Error> m_error;
    Pickle m_pickle;
    std::vector<NodeId> m_stack;
    std::vector<std::size_t> m_marks;                       // sizes of the stack
    std::vector<NodeId> m_marked;                           // what popToMark() returned
    std::vector<NodeId> m_memo;                             // by index, as picklers count them
    std::unordered_map<std::uint64_t, NodeId> m_sparseMemo; // of indices beyond those

    // The last of the shared nodes that has each hash.
    static constexpr NodeId kNoNode = ~NodeId{0};
    std::array<NodeId, 4> m_constants;
    std::array<NodeId, 64> m_globals;
    struct SharedInteger {
        std::int64_t value = 0; // also in the node, which is farther away
        NodeId id = kNoNode;
    };
    std::array<SharedInteger, 256> m_integers;
};

} // namespace gufo::pickle
