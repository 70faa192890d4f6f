#include "formats/pytorch/pickle.h"

#include "base/byte_order.h"
#include "base/detail.h"
#include "formats/pytorch/pickle_stack.h"

#include <algorithm>
#include <charconv>

namespace gufo::pickle {
namespace {

using Kind = Node::Kind;
using Constant = PickleStack::Constant;

constexpr std::size_t kStepsPerStopCheck = 65'536;
constexpr std::uint64_t kBytesPerNode = 8; // fewer than a value takes in a checkpoint
constexpr std::uint8_t kNewestProtocol = 5;
constexpr std::string_view kExtensions = "copyreg.extension"; // a registry of globals by their numbers

std::string_view unquoted(std::string_view text) {
    const bool isQuoted = text.size() > 1 && text.front() == text.back() && (text[0] == '\'' || text[0] == '"');
    return isQuoted ? text.substr(1, text.size() - 2) : text;
}

class Machine {
public:
    Machine(Bytes bytes, std::uint64_t start, const JobContext& job)
        : m_bytes(bytes)
        , m_position(start)
        , m_job(job)
        , m_stack((bytes.size() - start) / kBytesPerNode) {}

    Result<Pickle> run();

private:
    using Step = void (*)(Machine& machine);
    static constexpr std::array<Step, 256> steps();

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

// The handler of each opcode. The comments use the names of pickletools.py.
constexpr std::array<Machine::Step, 256> Machine::steps() {
    std::array<Step, 256> table{};
    table.fill([](Machine& m) { m.unknownOpcode(); });
    // Constants and numbers: NONE, NEWTRUE, NEWFALSE, BININT, BININT1, BININT2, INT, LONG, LONG1, LONG4, BINFLOAT,
    // FLOAT.
    table['N'] = [](Machine& m) { m.m_stack.pushConstant(Constant::None); };
    table[0x88] = [](Machine& m) { m.m_stack.pushConstant(Constant::True); };
    table[0x89] = [](Machine& m) { m.m_stack.pushConstant(Constant::False); };
    table['J'] = [](Machine& m) { m.m_stack.pushInteger(m.number<std::int32_t>()); };
    table['K'] = [](Machine& m) { m.m_stack.pushInteger(m.number<std::uint8_t>()); };
    table['M'] = [](Machine& m) { m.m_stack.pushInteger(m.number<std::uint16_t>()); };
    table['I'] = [](Machine& m) { m.pushDecimal(m.line()); };
    table['L'] = [](Machine& m) { m.pushDecimal(m.line()); };
    table[0x8A] = [](Machine& m) { m.pushLong(m.counted<std::uint8_t>()); };
    table[0x8B] = [](Machine& m) { m.pushLong(m.counted<std::uint32_t>()); };
    table['G'] = [](Machine& m) { m.m_stack.push({.kind = Kind::Real, .real = m.number<double>(ByteOrder::Big)}); };
    table['F'] = [](Machine& m) { m.pushReal(m.line()); };
    // Texts: STRING, UNICODE, SHORT_BINSTRING, SHORT_BINUNICODE, BINSTRING, BINUNICODE, BINUNICODE8.
    table['S'] = [](Machine& m) { m.pushText(Kind::Text, unquoted(m.line())); };
    table['V'] = [](Machine& m) { m.pushText(Kind::Text, m.line()); };
    table['U'] = [](Machine& m) { m.pushText(Kind::Text, m.counted<std::uint8_t>()); };
    table[0x8C] = [](Machine& m) { m.pushText(Kind::Text, m.counted<std::uint8_t>()); };
    table['T'] = [](Machine& m) { m.pushText(Kind::Text, m.counted<std::uint32_t>()); };
    table['X'] = [](Machine& m) { m.pushText(Kind::Text, m.counted<std::uint32_t>()); };
    table[0x8D] = [](Machine& m) { m.pushText(Kind::Text, m.counted<std::uint64_t>()); };
    // Bytes: SHORT_BINBYTES, BINBYTES, BINBYTES8, BYTEARRAY8, NEXT_BUFFER (outside of the pickle), READONLY_BUFFER.
    table['C'] = [](Machine& m) { m.pushText(Kind::Bytes, m.counted<std::uint8_t>()); };
    table['B'] = [](Machine& m) { m.pushText(Kind::Bytes, m.counted<std::uint32_t>()); };
    table[0x8E] = [](Machine& m) { m.pushText(Kind::Bytes, m.counted<std::uint64_t>()); };
    table[0x96] = [](Machine& m) { m.pushText(Kind::Bytes, m.counted<std::uint64_t>()); };
    table[0x97] = [](Machine& m) { m.m_stack.push({.kind = Kind::Opaque}); };
    table[0x98] = [](Machine& m) { (void)m.m_stack.top(); };
    // Containers: EMPTY_TUPLE, EMPTY_LIST, EMPTY_DICT, EMPTY_SET, TUPLE, LIST, DICT, FROZENSET, TUPLE1, TUPLE2, TUPLE3.
    table[')'] = [](Machine& m) { m.m_stack.pushConstant(Constant::EmptyTuple); };
    table[']'] = [](Machine& m) { m.m_stack.push({.kind = Kind::List}); };
    table['}'] = [](Machine& m) { m.m_stack.push({.kind = Kind::Dict}); };
    table[0x8F] = [](Machine& m) { m.m_stack.push({.kind = Kind::Set}); };
    table['t'] = [](Machine& m) { m.m_stack.pushMarked(Kind::Tuple); };
    table['l'] = [](Machine& m) { m.m_stack.pushMarked(Kind::List); };
    table['d'] = [](Machine& m) { m.m_stack.pushMarked(Kind::Dict); };
    table[0x91] = [](Machine& m) { m.m_stack.pushMarked(Kind::Set); };
    table[0x85] = [](Machine& m) { m.m_stack.pushTuple(1); };
    table[0x86] = [](Machine& m) { m.m_stack.pushTuple(2); };
    table[0x87] = [](Machine& m) { m.m_stack.pushTuple(3); };
    // Items: APPEND, APPENDS, ADDITEMS, SETITEM, SETITEMS.
    table['a'] = [](Machine& m) { m.m_stack.store(std::to_array({m.m_stack.pop()}), false); };
    table['e'] = [](Machine& m) { m.m_stack.store(m.m_stack.popToMark(), false); };
    table[0x90] = [](Machine& m) { m.m_stack.store(m.m_stack.popToMark(), false); };
    table['s'] = [](Machine& m) { m.setItem(); };
    table['u'] = [](Machine& m) { m.m_stack.store(m.m_stack.popToMark(), true); };
    // The stack: MARK, POP, POP_MARK, DUP.
    table['('] = [](Machine& m) { m.m_stack.mark(); };
    table['0'] = [](Machine& m) { m.m_stack.popOrUnmark(); };
    table['1'] = [](Machine& m) { (void)m.m_stack.popToMark(); };
    table['2'] = [](Machine& m) { m.m_stack.pushId(m.m_stack.top()); };
    // The memo: PUT, BINPUT, LONG_BINPUT, MEMOIZE, GET, BINGET, LONG_BINGET.
    table['p'] = [](Machine& m) { m.m_stack.memoize(m.lineNumber()); };
    table['q'] = [](Machine& m) { m.m_stack.memoize(m.number<std::uint8_t>()); };
    table['r'] = [](Machine& m) { m.m_stack.memoize(m.number<std::uint32_t>()); };
    table[0x94] = [](Machine& m) { m.m_stack.memoizeNext(); };
    table['g'] = [](Machine& m) { m.m_stack.recall(m.lineNumber()); };
    table['h'] = [](Machine& m) { m.m_stack.recall(m.number<std::uint8_t>()); };
    table['j'] = [](Machine& m) { m.m_stack.recall(m.number<std::uint32_t>()); };
    // Globals: GLOBAL, STACK_GLOBAL, EXT1, EXT2, EXT4.
    table['c'] = [](Machine& m) {
        const std::string_view module = m.line();
        m.pushGlobal(module, m.line());
    };
    table[0x93] = [](Machine& m) { m.globalFromStack(); };
    table[0x82] = [](Machine& m) { m.pushGlobal(kExtensions, m.take(1)); };
    table[0x83] = [](Machine& m) { m.pushGlobal(kExtensions, m.take(2)); };
    table[0x84] = [](Machine& m) { m.pushGlobal(kExtensions, m.take(4)); };
    // Objects: REDUCE, NEWOBJ, NEWOBJ_EX, INST, OBJ, BUILD, PERSID, BINPERSID.
    table['R'] = [](Machine& m) { m.call(); };
    table[0x81] = [](Machine& m) { m.call(); };
    table[0x92] = [](Machine& m) {
        (void)m.m_stack.pop(); // arguments by name
        m.call();
    };
    table['i'] = [](Machine& m) { m.instance(); };
    table['o'] = [](Machine& m) { m.callOfMarked(); };
    table['b'] = [](Machine& m) { m.build(); };
    table['P'] = [](Machine& m) { m.pushPersistent(m.m_stack.add({.kind = Kind::Text, .text = m.line()})); };
    table['Q'] = [](Machine& m) { m.pushPersistent(m.m_stack.pop()); };
    // The pickle itself: PROTO, FRAME, STOP.
    table[0x80] = [](Machine& m) { m.proto(); };
    table[0x95] = [](Machine& m) { m.frame(); };
    table['.'] = [](Machine& m) { m.stop(); };
    return table;
}

Result<Pickle> Machine::run() {
    static constexpr auto kSteps = steps();
    while (!m_stack.failed() && !m_stopped) {
        m_stack.setOffset(m_position);
        if (++m_steps % kStepsPerStopCheck == 0 && m_job.stopRequested()) {
            m_stack.fail(ErrorCode::Cancelled, {});
            break;
        }
        if (m_position == m_bytes.size()) {
            (void)take(1); // fails
            break;
        }
        kSteps[std::to_integer<std::uint8_t>(m_bytes[m_position++])](*this);
    }
    if (m_stack.failed()) {
        return std::unexpected(m_stack.error());
    }
    Pickle pickle = std::move(m_stack).takePickle();
    pickle.result = m_result;
    pickle.end = m_position;
    return pickle;
}

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

} // namespace

Result<Pickle> read(Bytes bytes, std::uint64_t start, const JobContext& job) {
    return Machine(bytes, start, job).run();
}

} // namespace gufo::pickle
