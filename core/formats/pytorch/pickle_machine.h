// The machine that executes the opcodes of a pickle (pickle.h).
#pragma once

#include "base/byte_order.h"
#include "base/detail.h"
#include "formats/pytorch/pickle_stack.h"

#include <array>
#include <string_view>

namespace gufo::pickle {

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
