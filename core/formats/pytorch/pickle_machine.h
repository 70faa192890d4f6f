// The machine that executes the opcodes of a pickle (pickle.h).
#pragma once

#include "base/byte_order.h"
#include "base/detail.h"
#include "formats/pytorch/pickle.h"

#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace gufo::pickle {

// The values, the stack and the memo of the interpreter of pickles (pickle.h). Every operation checks that its operands
// exist and that no limit is exceeded. After the first failure, which error() returns, the results of all operations
// are meaningless, so callers need to check only once for each opcode.
//
// What most opcodes of a checkpoint need is inline here. The lists of ids are vectors with spare elements at the end,
// and counts of the used elements: GCC does not inline push_back(), whose call takes as long as the opcode.
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
    [[nodiscard]] Pickle takePickle() && {
        m_pickle.items.resize(m_items);
        return std::move(m_pickle);
    }
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
    NodeId addWithItems(Node::Kind kind, std::span<const NodeId> items) {
        if (items.size() > m_pickle.items.size() - m_items && !growItems(items.size())) {
            return 0;
        }
        Node& node = addNode(kind);
        node.firstItem = static_cast<std::uint32_t>(m_items);
        node.itemCount = static_cast<std::uint32_t>(items.size());
        node.itemRoom = node.itemCount;
        for (const NodeId item : items) {
            m_pickle.items[m_items++] = item;
        }
        return lastNode();
    }
    // A global, which may share a node with an equal one.
    NodeId addGlobal(std::string_view module, std::string_view name);
    // Adds items to the items of a node.
    void append(NodeId id, std::span<const NodeId> items);

    // ---- stack
    void pushId(NodeId id) {
        if (m_height == m_stack.size() && !grow(m_stack)) {
            return;
        }
        m_stack[m_height++] = id;
    }
    void push(const Node& node) { pushId(add(node)); }
    void pushText(Node::Kind kind, std::string_view text) { pushId(addText(kind, text)); }
    void pushWithItems(Node::Kind kind, std::span<const NodeId> items) { pushId(addWithItems(kind, items)); }
    void pushInteger(std::int64_t value) {
        SharedInteger& shared = m_integers[static_cast<std::uint64_t>(value) % m_integers.size()];
        if (shared.id == kNoNode || shared.value != value) {
            addInteger(shared, value);
        }
        pushId(shared.id);
    }
    // None, a boolean or an empty tuple. Each of them exists only once.
    enum class Constant : std::uint8_t { None, False, True, EmptyTuple };
    void pushConstant(Constant constant) {
        NodeId& shared = m_constants[static_cast<std::size_t>(constant)];
        if (shared == kNoNode) {
            addConstant(shared, constant);
        }
        pushId(shared);
    }
    // Of the uppermost items; at most 3.
    void pushTuple(std::size_t size) {
        if (m_height - floor() < size) {
            nothingThere();
            return;
        }
        m_height -= size;
        pushWithItems(Node::Kind::Tuple, std::span(m_stack).subspan(m_height, size));
    }
    void pushCall(NodeId callee, NodeId arguments) {
        pushWithItems(Node::Kind::Call, std::to_array({callee, arguments}));
    }
    NodeId pop() {
        if (m_height <= floor()) {
            return nothingThere();
        }
        return m_stack[--m_height];
    }
    NodeId top() { return m_height > floor() ? m_stack[m_height - 1] : nothingThere(); }
    void mark();
    // Replaces the items above the last mark by a container of them.
    void pushMarked(Node::Kind kind);
    // Removes the uppermost item, or the mark above it.
    void popOrUnmark();
    // Removes the items above the last mark. The result is valid until the next value is pushed.
    std::span<const NodeId> popToMark();
    // Stores items, or pairs of key and value, in the container on top of the stack.
    void store(std::span<const NodeId> items, bool pairs);

    // ---- memo
    void memoize(std::uint64_t index) {
        if (index == m_memoized && index < m_memo.size() && m_sparseMemo.empty() && m_height > floor()) {
            m_memo[m_memoized++] = m_stack[m_height - 1]; // as picklers write it
        } else {
            memoizeAnywhere(index);
        }
    }
    void memoizeNext() { memoize(m_memoized + m_sparseMemo.size()); }
    void recall(std::uint64_t index) {
        if (index < m_memoized) {
            pushId(m_memo[index]);
        } else {
            recallSparse(index);
        }
    }

private:
    [[nodiscard]] NodeId lastNode() const { return static_cast<NodeId>(m_pickle.nodes.size() - 1); }
    void tooMany(std::size_t limit);
    NodeId nothingThere();
    [[nodiscard]] std::size_t floor() const { return m_marks.empty() ? 0 : m_marks.back(); }
    // Doubles the spare elements. False if the limit is reached.
    [[nodiscard]] bool grow(std::vector<NodeId>& ids);
    [[nodiscard]] bool growItems(std::size_t needed);
    void memoizeAnywhere(std::uint64_t index);
    void recallSparse(std::uint64_t index);

    std::uint64_t m_offset = 0;
    std::optional<Error> m_error;
    Pickle m_pickle;
    std::size_t m_items = 0; // the used ones of m_pickle.items
    std::vector<NodeId> m_stack;
    std::size_t m_height = 0;
    std::vector<std::size_t> m_marks; // heights of the stack
    std::vector<NodeId> m_memo;       // by index, as picklers count them
    std::size_t m_memoized = 0;
    std::unordered_map<std::uint64_t, NodeId> m_sparseMemo; // of indices beyond those

    // The last of the shared nodes that has each hash. Only values that cannot be changed are shared.
    static constexpr NodeId kNoNode = ~NodeId{0};
    std::array<NodeId, 4> m_constants;
    std::array<NodeId, 64> m_globals;
    struct SharedInteger {
        std::int64_t value = 0; // also in the node, which is farther away
        NodeId id = kNoNode;
    };
    void addInteger(SharedInteger& shared, std::int64_t value);
    void addConstant(NodeId& shared, Constant constant);
    std::array<SharedInteger, 256> m_integers;
};

class Machine {
public:
    Machine(Bytes bytes, std::uint64_t start, const JobContext& job)
        : m_bytes(bytes)
        , m_position(start)
        , m_job(job)
        , m_stack((bytes.size() - start) / kBytesPerNode) {}

    Result<Pickle> run(std::vector<Node>* named);

private:
    using Kind = Node::Kind;
    using Constant = PickleStack::Constant;
    static constexpr std::uint64_t kBytesPerNode = 8; // fewer than a value takes in a checkpoint

    void step(std::uint8_t opcode);

    // ---- bytes
    std::string_view take(std::uint64_t bytes) {
        const std::uint64_t left = m_bytes.size() - m_position;
        if (bytes > left) {
            m_stack.fail(ErrorCode::Truncated, {Detail::Value, bytes, left});
            return {};
        }
        const std::string_view taken(reinterpret_cast<const char*>(m_bytes.data() + m_position), bytes);
        m_position += bytes;
        return taken;
    }
    template<Scalar T>
    T number(ByteOrder order = ByteOrder::Little) {
        if (m_bytes.size() - m_position < sizeof(T)) {
            (void)take(sizeof(T)); // fails
            return T{};
        }
        const T value = load<T>(m_bytes.data() + m_position, order);
        m_position += sizeof(T);
        return value;
    }
    // A text that follows its length, which is a T.
    template<Scalar T>
    std::string_view counted() {
        return take(number<T>());
    }
    std::string_view line();
    std::uint64_t lineNumber();

    // ---- values
    void pushText(Kind kind, std::string_view text) { m_stack.pushText(kind, text); }
    void pushLong(std::string_view littleEndian);
    void pushDecimal(std::string_view digits);
    void pushReal(std::string_view digits);
    void pushGlobal(std::string_view module, std::string_view name) { m_stack.pushId(m_stack.addGlobal(module, name)); }
    void pushPersistent(NodeId id) { m_stack.pushWithItems(Kind::Persistent, std::to_array({id})); }

    // ---- opcodes of several steps
    void globalFromStack();
    void call();
    void callOfMarked();
    void instance();
    void build();
    void setItem();
    void unknownOpcode() {
        m_stack.malformed(Argument(Detail::PickleOpcode, {std::to_integer<std::uint8_t>(m_bytes[m_position - 1])}));
    }
    void proto();
    void frame();
    void stop() {
        m_result = m_stack.pop();
        m_stopped = true;
    }

    Bytes m_bytes;
    std::uint64_t m_position;
    const JobContext& m_job;
    std::size_t m_steps = 0;
    bool m_stopped = false;
    NodeId m_result = 0;
    PickleStack m_stack;
};

} // namespace gufo::pickle
