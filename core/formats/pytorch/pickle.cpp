#include "formats/pytorch/pickle.h"

#include "base/byte_order.h"
#include "base/detail.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <unordered_map>

namespace gufo::pickle {
namespace {

using Kind = Node::Kind;

constexpr std::size_t kStepsPerStopCheck = 65'536;

std::string_view unquoted(std::string_view text) {
    const bool isQuoted = text.size() > 1 && text.front() == text.back() && (text[0] == '\'' || text[0] == '"');
    return isQuoted ? text.substr(1, text.size() - 2) : text;
}

class Machine {
public:
    Machine(Bytes bytes, std::uint64_t start, const JobContext& job)
        : m_bytes(bytes)
        , m_position(start)
        , m_job(job) {}

    Result<Pickle> run() {
        while (!m_error && !m_stopped) {
            if (++m_steps % kStepsPerStopCheck == 0 && m_job.stopRequested()) {
                fail(ErrorCode::Cancelled, {});
                break;
            }
            m_opcodeOffset = m_position;
            const auto opcode = number<std::uint8_t>();
            if (!m_error) {
                step(opcode);
            }
        }
        if (m_error) {
            return std::unexpected(*std::move(m_error));
        }
        m_pickle.end = m_position;
        return std::move(m_pickle);
    }

private:
    void step(std::uint8_t opcode);
    bool stepScalar(std::uint8_t opcode);
    bool stepText(std::uint8_t opcode);
    bool stepContainer(std::uint8_t opcode);
    bool stepMemo(std::uint8_t opcode);
    bool stepObject(std::uint8_t opcode);

    void fail(ErrorCode code, Arguments args) {
        if (!m_error) {
            m_error = Error{code, {}, Place::atOffset(m_opcodeOffset), std::move(args), 0};
        }
    }
    void malformed(Argument why) { fail(ErrorCode::Malformed, {std::move(why)}); }

    // ---- bytes
    std::string_view take(std::uint64_t bytes) {
        const std::uint64_t left = m_bytes.size() - m_position;
        if (bytes > left) {
            fail(ErrorCode::Truncated, {Detail::Value, bytes, left});
            return {};
        }
        const std::string_view taken(reinterpret_cast<const char*>(m_bytes.data() + m_position), bytes);
        m_position += bytes;
        return taken;
    }
    template<Scalar T>
    T number(ByteOrder order = ByteOrder::Little) {
        const std::string_view taken = take(sizeof(T));
        return m_error ? T{} : load<T>(reinterpret_cast<const std::byte*>(taken.data()), order);
    }
    std::string_view line() {
        const std::string_view rest(reinterpret_cast<const char*>(m_bytes.data() + m_position),
                                    m_bytes.size() - m_position);
        const std::size_t length = rest.find('\n');
        if (length == std::string_view::npos) {
            fail(ErrorCode::Truncated, {Detail::Value, rest.size() + 1, rest.size()});
            return {};
        }
        m_position += length + 1;
        return rest.substr(0, length);
    }

    // ---- nodes
    NodeId add(Node node) {
        if (m_pickle.nodes.size() == kMaxNodes) {
            fail(ErrorCode::LimitExceeded, {Detail::Values, kMaxNodes + 1, kMaxNodes});
            return 0;
        }
        node.offset = m_opcodeOffset;
        m_pickle.nodes.push_back(std::move(node));
        return static_cast<NodeId>(m_pickle.nodes.size() - 1);
    }
    void push(Node node) {
        const NodeId id = add(std::move(node));
        if (!m_error) {
            m_stack.push_back(id);
        }
    }
    void pushInteger(std::int64_t value) { push({.kind = Kind::Integer, .integer = value}); }
    void pushText(Kind kind, std::string_view text) { push({.kind = kind, .text = text}); }
    void pushLong(std::string_view littleEndian);
    void pushDecimal(std::string_view digits);
    void pushGlobal(std::string_view module, std::string_view name) {
        push({.kind = Kind::Global, .text = module, .name = name});
        if (!m_error) {
            m_pickle.globals.push_back(m_stack.back());
        }
    }
    void pushCall(NodeId callee, NodeId arguments) { push({.kind = Kind::Call, .items = {callee, arguments}}); }

    // ---- stack
    [[nodiscard]] std::size_t floor() const { return m_marks.empty() ? 0 : m_marks.back(); }
    NodeId pop() {
        if (m_stack.size() <= floor()) {
            malformed(Detail::PickleStack);
            return 0;
        }
        const NodeId top = m_stack.back();
        m_stack.pop_back();
        return top;
    }
    std::vector<NodeId> popToMark() {
        if (m_marks.empty()) {
            malformed(Detail::PickleStack);
            return {};
        }
        const auto begin = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
        std::vector<NodeId> items(begin, m_stack.end());
        m_stack.erase(begin, m_stack.end());
        m_marks.pop_back();
        return items;
    }
    NodeId top() {
        if (m_stack.size() <= floor()) {
            malformed(Detail::PickleStack);
            return 0;
        }
        return m_stack.back();
    }
    void pushTuple(std::size_t size) {
        std::vector<NodeId> items(size);
        for (std::size_t i = size; i-- > 0;) {
            items[i] = pop();
        }
        if (!m_error) {
            push({.kind = Kind::Tuple, .items = std::move(items)});
        }
    }
    // Stores items in the container on top of the stack.
    void store(const std::vector<NodeId>& items, bool pairs) {
        const NodeId container = top();
        if (m_error) {
            return;
        }
        if (pairs && items.size() % 2 != 0) {
            malformed(Detail::PickleStack);
            return;
        }
        Node& node = m_pickle.nodes[container];
        const bool holds = node.kind == Kind::Call || node.kind == (pairs ? Kind::Dict : Kind::List) ||
                           (!pairs && node.kind == Kind::Set);
        if (!holds) {
            malformed(Detail::PickleStack);
            return;
        }
        for (const NodeId item : items) {
            if (node.kind == Kind::Call && !pairs) {
                node.items.push_back(node.items[0]); // in place of a key
            }
            node.items.push_back(item);
        }
    }
    void memoize(std::uint64_t index) {
        const NodeId id = top();
        if (!m_error) {
            m_memo[index] = id;
        }
    }
    void recall(std::uint64_t index) {
        const auto found = m_memo.find(index);
        if (found == m_memo.end()) {
            malformed(Detail::PickleStack);
        } else if (m_stack.size() == kMaxNodes) {
            fail(ErrorCode::LimitExceeded, {Detail::Values, kMaxNodes + 1, kMaxNodes});
        } else {
            m_stack.push_back(found->second);
        }
    }
    std::uint64_t lineNumber() {
        const std::string_view digits = line();
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (!m_error && (error != std::errc() || end != digits.data() + digits.size())) {
            malformed(Detail::PickleNumber);
        }
        return value;
    }

    Bytes m_bytes;
    std::uint64_t m_position;
    std::uint64_t m_opcodeOffset = 0;
    const JobContext& m_job;
    std::size_t m_steps = 0;
    bool m_stopped = false;
    std::optional<Error> m_error;
    Pickle m_pickle;
    std::vector<NodeId> m_stack;
    std::vector<std::size_t> m_marks;
    std::unordered_map<std::uint64_t, NodeId> m_memo;
};

// A two's complement number of any length.
void Machine::pushLong(std::string_view littleEndian) {
    constexpr std::size_t kBytes = sizeof(std::int64_t);
    Node node{.kind = Kind::Integer, .isHuge = littleEndian.size() > kBytes, .text = littleEndian};
    std::uint64_t bits = !littleEndian.empty() && (littleEndian.back() & '\x80') != 0 ? ~std::uint64_t{0} : 0;
    for (std::size_t i = std::min(littleEndian.size(), kBytes); i-- > 0;) {
        bits = bits << 8U | static_cast<unsigned char>(littleEndian[i]);
    }
    node.integer = static_cast<std::int64_t>(bits);
    push(std::move(node));
}

void Machine::pushDecimal(std::string_view digits) {
    if (digits == "00" || digits == "01") { // how protocol 0 writes booleans
        push({.kind = Kind::Bool, .integer = digits == "01" ? 1 : 0});
        return;
    }
    if (digits.ends_with('L')) {
        digits.remove_suffix(1);
    }
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool isHuge = error == std::errc::result_out_of_range;
    if ((error != std::errc() && !isHuge) || end != digits.data() + digits.size()) {
        malformed(Detail::PickleNumber);
        return;
    }
    push({.kind = Kind::Integer, .isHuge = isHuge, .integer = value, .text = digits});
}

bool Machine::stepScalar(std::uint8_t opcode) {
    switch (opcode) {
    case 'N':
        push({.kind = Kind::None});
        return true;
    case 0x88:
    case 0x89:
        push({.kind = Kind::Bool, .integer = opcode == 0x88 ? 1 : 0});
        return true;
    case 'J':
        pushInteger(number<std::int32_t>());
        return true;
    case 'K':
        pushInteger(number<std::uint8_t>());
        return true;
    case 'M':
        pushInteger(number<std::uint16_t>());
        return true;
    case 'I':
    case 'L': {
        const std::string_view digits = line();
        if (!m_error) {
            pushDecimal(digits);
        }
        return true;
    }
    case 0x8A:
        pushLong(take(number<std::uint8_t>()));
        return true;
    case 0x8B:
        pushLong(take(number<std::uint32_t>()));
        return true;
    case 'G':
        push({.kind = Kind::Real, .real = number<double>(ByteOrder::Big)});
        return true;
    case 'F': {
        const std::string_view digits = line();
        double value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc() || end != digits.data() + digits.size()) {
            malformed(Detail::PickleNumber);
        }
        push({.kind = Kind::Real, .real = value});
        return true;
    }
    default:
        return false;
    }
}

bool Machine::stepText(std::uint8_t opcode) {
    switch (opcode) {
    case 'S':
        pushText(Kind::Text, unquoted(line()));
        return true;
    case 'V':
        pushText(Kind::Text, line());
        return true;
    case 'U':
    case 0x8C:
        pushText(Kind::Text, take(number<std::uint8_t>()));
        return true;
    case 'T':
    case 'X':
        pushText(Kind::Text, take(number<std::uint32_t>()));
        return true;
    case 0x8D:
        pushText(Kind::Text, take(number<std::uint64_t>()));
        return true;
    case 'C':
        pushText(Kind::Bytes, take(number<std::uint8_t>()));
        return true;
    case 'B':
        pushText(Kind::Bytes, take(number<std::uint32_t>()));
        return true;
    case 0x8E:
    case 0x96:
        pushText(Kind::Bytes, take(number<std::uint64_t>()));
        return true;
    case 0x97:
        push({.kind = Kind::Opaque}); // a buffer outside of the pickle
        return true;
    case 0x98:
        (void)top(); // the buffer becomes read-only
        return true;
    default:
        return false;
    }
}

bool Machine::stepContainer(std::uint8_t opcode) {
    const auto fromMark = [&](Kind kind) { push({.kind = kind, .items = popToMark()}); };
    switch (opcode) {
    case '(':
        if (m_marks.size() == kMaxMarks) {
            fail(ErrorCode::NestingTooDeep, {kMaxMarks});
        } else {
            m_marks.push_back(m_stack.size());
        }
        return true;
    case '0':
        if (m_stack.size() == floor() && !m_marks.empty()) {
            m_marks.pop_back();
        } else {
            (void)pop();
        }
        return true;
    case '1':
        (void)popToMark();
        return true;
    case '2': {
        const NodeId id = top();
        if (!m_error) {
            m_stack.push_back(id);
        }
        return true;
    }
    case ')':
    case ']':
    case '}':
    case 0x8F:
        push({.kind = opcode == ')'   ? Kind::Tuple
                      : opcode == ']' ? Kind::List
                      : opcode == '}' ? Kind::Dict
                                      : Kind::Set});
        return true;
    case 't':
        fromMark(Kind::Tuple);
        return true;
    case 'l':
        fromMark(Kind::List);
        return true;
    case 'd':
        fromMark(Kind::Dict);
        return true;
    case 0x91:
        fromMark(Kind::Set);
        return true;
    case 0x85:
    case 0x86:
    case 0x87:
        pushTuple(opcode - 0x84U);
        return true;
    case 'a':
        store({pop()}, false);
        return true;
    case 'e':
    case 0x90:
        store(popToMark(), false);
        return true;
    case 's': {
        const NodeId value = pop();
        const NodeId key = pop();
        store({key, value}, true);
        return true;
    }
    case 'u':
        store(popToMark(), true);
        return true;
    default:
        return false;
    }
}

bool Machine::stepMemo(std::uint8_t opcode) {
    switch (opcode) {
    case 'p':
        memoize(lineNumber());
        return true;
    case 'q':
        memoize(number<std::uint8_t>());
        return true;
    case 'r':
        memoize(number<std::uint32_t>());
        return true;
    case 0x94:
        memoize(m_memo.size());
        return true;
    case 'g':
        recall(lineNumber());
        return true;
    case 'h':
        recall(number<std::uint8_t>());
        return true;
    case 'j':
        recall(number<std::uint32_t>());
        return true;
    default:
        return false;
    }
}

bool Machine::stepObject(std::uint8_t opcode) {
    switch (opcode) {
    case 'c': {
        const std::string_view module = line();
        pushGlobal(module, line());
        return true;
    }
    case 0x93: {
        const NodeId name = pop();
        const NodeId module = pop();
        if (!m_error) {
            pushGlobal(m_pickle[module].text, m_pickle[name].text);
        }
        return true;
    }
    case 0x82:
        pushGlobal("copyreg.extension", take(1));
        return true;
    case 0x83:
        pushGlobal("copyreg.extension", take(2));
        return true;
    case 0x84:
        pushGlobal("copyreg.extension", take(4));
        return true;
    case 'R':
    case 0x81: {
        const NodeId arguments = pop();
        const NodeId callee = pop();
        pushCall(callee, arguments);
        return true;
    }
    case 0x92: {
        (void)pop(); // keyword arguments
        const NodeId arguments = pop();
        const NodeId callee = pop();
        pushCall(callee, arguments);
        return true;
    }
    case 'i': {
        const std::string_view module = line();
        const std::string_view name = line();
        const NodeId arguments = add({.kind = Kind::Tuple, .items = popToMark()});
        pushGlobal(module, name);
        const NodeId callee = pop();
        pushCall(callee, arguments);
        return true;
    }
    case 'o': {
        std::vector<NodeId> items = popToMark();
        if (items.empty()) {
            malformed(Detail::PickleStack);
            return true;
        }
        const NodeId callee = items.front();
        items.erase(items.begin());
        const NodeId arguments = add({.kind = Kind::Tuple, .items = std::move(items)});
        pushCall(callee, arguments);
        return true;
    }
    case 'b': {
        const NodeId state = pop();
        const NodeId object = top();
        if (!m_error && m_pickle[object].kind == Kind::Call) {
            const NodeId key = add({.kind = Kind::None});
            auto& items = m_pickle.nodes[object].items;
            items.insert(items.end(), {key, state});
        }
        return true;
    }
    case 'P': {
        const NodeId id = add({.kind = Kind::Text, .text = line()});
        push({.kind = Kind::Persistent, .items = {id}});
        return true;
    }
    case 'Q': {
        const NodeId id = pop();
        push({.kind = Kind::Persistent, .items = {id}});
        return true;
    }
    default:
        return false;
    }
}

void Machine::step(std::uint8_t opcode) {
    constexpr std::uint8_t kNewestProtocol = 5;
    switch (opcode) {
    case '.':
        m_pickle.result = pop();
        m_stopped = true;
        return;
    case 0x80:
        if (number<std::uint8_t>() > kNewestProtocol) {
            malformed(Detail::PickleNumber);
        }
        return;
    case 0x95:
        if (number<std::uint64_t>() > m_bytes.size() - m_position) {
            malformed(Detail::PickleFrame);
        }
        return;
    default:
        break;
    }
    if (!stepScalar(opcode) && !stepText(opcode) && !stepContainer(opcode) && !stepMemo(opcode) &&
        !stepObject(opcode)) {
        malformed(Argument(Detail::PickleOpcode, {opcode}));
    }
}

} // namespace

Result<Pickle> read(Bytes bytes, std::uint64_t start, const JobContext& job) {
    return Machine(bytes, start, job).run();
}

} // namespace gufo::pickle
