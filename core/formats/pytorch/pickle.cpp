#include "formats/pytorch/pickle.h"

#include "formats/pytorch/pickle_machine.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace gufo::pickle {
namespace {

constexpr std::size_t kStepsPerStopCheck = 65'536;
constexpr std::string_view kExtensions = "copyreg.extension"; // a registry of globals by their numbers

std::string_view unquoted(std::string_view text) {
    const bool isQuoted = text.size() > 1 && text.front() == text.back() && (text[0] == '\'' || text[0] == '"');
    return isQuoted ? text.substr(1, text.size() - 2) : text;
}

} // namespace

// Executes an opcode. The comments use the names of pickletools.py. It is inlined into the loop of run(), because a
// call takes as long as most opcodes do.
[[gnu::always_inline]] inline void Machine::step(std::uint8_t opcode) {
    switch (opcode) {
    // Constants and numbers: NONE, NEWTRUE, NEWFALSE, BININT, BININT1, BININT2, INT, LONG, LONG1, LONG4, BINFLOAT,
    // FLOAT.
    case 'N':
        m_stack.pushConstant(Constant::None);
        break;
    case 0x88:
        m_stack.pushConstant(Constant::True);
        break;
    case 0x89:
        m_stack.pushConstant(Constant::False);
        break;
    case 'J':
        m_stack.pushInteger(number<std::int32_t>());
        break;
    case 'K':
        m_stack.pushInteger(number<std::uint8_t>());
        break;
    case 'M':
        m_stack.pushInteger(number<std::uint16_t>());
        break;
    case 'I':
    case 'L':
        pushDecimal(line());
        break;
    case 0x8A:
        pushLong(counted<std::uint8_t>());
        break;
    case 0x8B:
        pushLong(counted<std::uint32_t>());
        break;
    case 'G':
        m_stack.push({.kind = Kind::Real, .real = number<double>(ByteOrder::Big)});
        break;
    case 'F':
        pushReal(line());
        break;
    // Texts: STRING, UNICODE, SHORT_BINSTRING, SHORT_BINUNICODE, BINSTRING, BINUNICODE, BINUNICODE8.
    case 'S':
        pushText(Kind::Text, unquoted(line()));
        break;
    case 'V':
        pushText(Kind::Text, line());
        break;
    case 'U':
    case 0x8C:
        pushText(Kind::Text, counted<std::uint8_t>());
        break;
    case 'T':
    case 'X':
        pushText(Kind::Text, counted<std::uint32_t>());
        break;
    case 0x8D:
        pushText(Kind::Text, counted<std::uint64_t>());
        break;
    // Bytes: SHORT_BINBYTES, BINBYTES, BINBYTES8, BYTEARRAY8, NEXT_BUFFER (outside of the pickle), READONLY_BUFFER.
    case 'C':
        pushText(Kind::Bytes, counted<std::uint8_t>());
        break;
    case 'B':
        pushText(Kind::Bytes, counted<std::uint32_t>());
        break;
    case 0x8E:
    case 0x96:
        pushText(Kind::Bytes, counted<std::uint64_t>());
        break;
    case 0x97:
        m_stack.push({.kind = Kind::Opaque});
        break;
    case 0x98:
        (void)m_stack.top();
        break;
    // Containers: EMPTY_TUPLE, EMPTY_LIST, EMPTY_DICT, EMPTY_SET, TUPLE, LIST, DICT, FROZENSET, TUPLE1, TUPLE2, TUPLE3.
    case ')':
        m_stack.pushConstant(Constant::EmptyTuple);
        break;
    case ']':
        m_stack.push({.kind = Kind::List});
        break;
    case '}':
        m_stack.push({.kind = Kind::Dict});
        break;
    case 0x8F:
        m_stack.push({.kind = Kind::Set});
        break;
    case 't':
        m_stack.pushMarked(Kind::Tuple);
        break;
    case 'l':
        m_stack.pushMarked(Kind::List);
        break;
    case 'd':
        m_stack.pushMarked(Kind::Dict);
        break;
    case 0x91:
        m_stack.pushMarked(Kind::Set);
        break;
    case 0x85:
        m_stack.pushTuple(1);
        break;
    case 0x86:
        m_stack.pushTuple(2);
        break;
    case 0x87:
        m_stack.pushTuple(3);
        break;
    // Items: APPEND, APPENDS, ADDITEMS, SETITEM, SETITEMS.
    case 'a':
        m_stack.store(std::to_array({m_stack.pop()}), false);
        break;
    case 'e':
    case 0x90:
        m_stack.store(m_stack.popToMark(), false);
        break;
    case 's':
        setItem();
        break;
    case 'u':
        m_stack.store(m_stack.popToMark(), true);
        break;
    // The stack: MARK, POP, POP_MARK, DUP.
    case '(':
        m_stack.mark();
        break;
    case '0':
        m_stack.popOrUnmark();
        break;
    case '1':
        (void)m_stack.popToMark();
        break;
    case '2':
        m_stack.pushId(m_stack.top());
        break;
    // The memo: PUT, BINPUT, LONG_BINPUT, MEMOIZE, GET, BINGET, LONG_BINGET.
    case 'p':
        m_stack.memoize(lineNumber());
        break;
    case 'q':
        m_stack.memoize(number<std::uint8_t>());
        break;
    case 'r':
        m_stack.memoize(number<std::uint32_t>());
        break;
    case 0x94:
        m_stack.memoizeNext();
        break;
    case 'g':
        m_stack.recall(lineNumber());
        break;
    case 'h':
        m_stack.recall(number<std::uint8_t>());
        break;
    case 'j':
        m_stack.recall(number<std::uint32_t>());
        break;
    // Globals: GLOBAL, STACK_GLOBAL, EXT1, EXT2, EXT4.
    case 'c': {
        const std::string_view module = line();
        pushGlobal(module, line());
        break;
    }
    case 0x93:
        globalFromStack();
        break;
    case 0x82:
        pushGlobal(kExtensions, take(1));
        break;
    case 0x83:
        pushGlobal(kExtensions, take(2));
        break;
    case 0x84:
        pushGlobal(kExtensions, take(4));
        break;
    // Objects: REDUCE, NEWOBJ, NEWOBJ_EX, INST, OBJ, BUILD, PERSID, BINPERSID.
    case 'R':
    case 0x81:
        call();
        break;
    case 0x92:
        (void)m_stack.pop(); // arguments by name
        call();
        break;
    case 'i':
        instance();
        break;
    case 'o':
        callOfMarked();
        break;
    case 'b':
        build();
        break;
    case 'P':
        pushPersistent(m_stack.add({.kind = Kind::Text, .text = line()}));
        break;
    case 'Q':
        pushPersistent(m_stack.pop());
        break;
    // The pickle itself: PROTO, FRAME, STOP.
    case 0x80:
        proto();
        break;
    case 0x95:
        frame();
        break;
    case '.':
        stop();
        break;
    default:
        unknownOpcode();
    }
}

Result<Pickle> Machine::run(std::vector<Node>* named) {
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
        step(std::to_integer<std::uint8_t>(m_bytes[m_position++]));
    }
    std::optional<Error> error = m_stack.failed() ? std::optional(m_stack.error()) : std::nullopt;
    Pickle pickle = std::move(m_stack).takePickle();
    if (named != nullptr) {
        std::ranges::transform(pickle.globals, std::back_inserter(*named), [&](NodeId id) { return pickle[id]; });
    }
    if (error) {
        return std::unexpected(*std::move(error));
    }
    pickle.result = m_result;
    pickle.end = m_position;
    return pickle;
}

Result<Pickle> read(Bytes bytes, std::uint64_t start, const JobContext& job, std::vector<Node>* named) {
    return Machine(bytes, start, job).run(named);
}

} // namespace gufo::pickle
