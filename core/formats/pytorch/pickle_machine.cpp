// The opcodes that take several steps, and those of protocol 0, which writes numbers as text.
#include "formats/pytorch/pickle_machine.h"

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

} // namespace gufo::pickle
