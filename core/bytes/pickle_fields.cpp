// The fields of a pickle: its opcodes with their arguments.
//
// Opcodes and their arguments: Python's pickletools.
#include "bytes/map_section.h"

#include <algorithm>
#include <array>

namespace gufo {
namespace {

enum class Argument : std::uint8_t {
    None,
    Line,     // text up to a line feed
    TwoLines, // two of them
    U8,       // a little-endian number
    U16,
    U32,
    I32,
    U64,
    F64,    // big-endian
    Bytes8, // a length in as many bits, and so many bytes
    Bytes32,
    Bytes64,
    Long8, // a length in as many bits, and so many bytes of a number in two's complement, the lowest first
    Long32,
};

struct OpcodeRow {
    std::uint8_t code;
    std::string_view name;
    Argument argument = Argument::None;
};
constexpr auto kOpcodes = std::to_array<OpcodeRow>({
    {'(', "MARK"},
    {')', "EMPTY_TUPLE"},
    {'.', "STOP"},
    {'0', "POP"},
    {'1', "POP_MARK"},
    {'2', "DUP"},
    {'B', "BINBYTES", Argument::Bytes32},
    {'C', "SHORT_BINBYTES", Argument::Bytes8},
    {'F', "FLOAT", Argument::Line},
    {'G', "BINFLOAT", Argument::F64},
    {'I', "INT", Argument::Line},
    {'J', "BININT", Argument::I32},
    {'K', "BININT1", Argument::U8},
    {'L', "LONG", Argument::Line},
    {'M', "BININT2", Argument::U16},
    {'N', "NONE"},
    {'P', "PERSID", Argument::Line},
    {'Q', "BINPERSID"},
    {'R', "REDUCE"},
    {'S', "STRING", Argument::Line},
    {'T', "BINSTRING", Argument::Bytes32},
    {'U', "SHORT_BINSTRING", Argument::Bytes8},
    {'V', "UNICODE", Argument::Line},
    {'X', "BINUNICODE", Argument::Bytes32},
    {']', "EMPTY_LIST"},
    {'a', "APPEND"},
    {'b', "BUILD"},
    {'c', "GLOBAL", Argument::TwoLines},
    {'d', "DICT"},
    {'e', "APPENDS"},
    {'g', "GET", Argument::Line},
    {'h', "BINGET", Argument::U8},
    {'i', "INST", Argument::TwoLines},
    {'j', "LONG_BINGET", Argument::U32},
    {'l', "LIST"},
    {'o', "OBJ"},
    {'p', "PUT", Argument::Line},
    {'q', "BINPUT", Argument::U8},
    {'r', "LONG_BINPUT", Argument::U32},
    {'s', "SETITEM"},
    {'t', "TUPLE"},
    {'u', "SETITEMS"},
    {'}', "EMPTY_DICT"},
    {0x80, "PROTO", Argument::U8},
    {0x81, "NEWOBJ"},
    {0x82, "EXT1", Argument::U8},
    {0x83, "EXT2", Argument::U16},
    {0x84, "EXT4", Argument::I32},
    {0x85, "TUPLE1"},
    {0x86, "TUPLE2"},
    {0x87, "TUPLE3"},
    {0x88, "NEWTRUE"},
    {0x89, "NEWFALSE"},
    {0x8A, "LONG1", Argument::Long8},
    {0x8B, "LONG4", Argument::Long32},
    {0x8C, "SHORT_BINUNICODE", Argument::Bytes8},
    {0x8D, "BINUNICODE8", Argument::Bytes64},
    {0x8E, "BINBYTES8", Argument::Bytes64},
    {0x8F, "EMPTY_SET"},
    {0x90, "ADDITEMS"},
    {0x91, "FROZENSET"},
    {0x92, "NEWOBJ_EX"},
    {0x93, "STACK_GLOBAL"},
    {0x94, "MEMOIZE"},
    {0x95, "FRAME", Argument::U64},
    {0x96, "BYTEARRAY8", Argument::Bytes64},
    {0x97, "NEXT_BUFFER"},
    {0x98, "READONLY_BUFFER"},
});

// The decimal digits of a number in two's complement, the lowest byte first.
std::string decimalOf(Bytes bytes) {
    constexpr std::uint64_t kGroup = 1'000'000'000; // nine digits, so that a remainder and four bytes fit 64 bits
    const bool isNegative = (bytes.back() & std::byte{0x80}) != std::byte{0};
    std::vector<std::uint32_t> words((bytes.size() + 3) / 4, isNegative ? ~0U : 0U);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const unsigned shift = i % 4 * 8;
        words[i / 4] = (words[i / 4] & ~(0xFFU << shift)) | std::to_integer<std::uint32_t>(bytes[i]) << shift;
    }
    if (isNegative) {
        bool carries = true;
        for (std::uint32_t& word : words) {
            word = ~word + (carries ? 1U : 0U);
            carries = carries && word == 0;
        }
    }
    std::string digits; // the lowest first
    const auto isZero = [](std::uint32_t word) { return word == 0; };
    do {
        std::uint64_t rest = 0;
        for (auto word = words.rbegin(); word != words.rend(); ++word) {
            rest = rest << 32U | *word;
            *word = static_cast<std::uint32_t>(rest / kGroup);
            rest %= kGroup;
        }
        for (int i = 0; i < 9; ++i, rest /= 10) {
            digits += static_cast<char>('0' + rest % 10);
        }
    } while (!std::ranges::all_of(words, isZero));
    const std::size_t last = digits.find_last_not_of('0');
    digits.resize(last == digits.npos ? 1 : last + 1);
    digits += isNegative ? "-" : "";
    return {digits.rbegin(), digits.rend()};
}

// The opcode at a position; its fields are empty if the bytes are none.
class OpcodeAt {
public:
    OpcodeAt(Bytes bytes, std::uint64_t at)
        : m_bytes(bytes)
        , m_at(at + 1) {
        const auto code = std::to_integer<std::uint8_t>(bytes[at]);
        const auto* const row = std::ranges::find(kOpcodes, code, &OpcodeRow::code);
        if (row != kOpcodes.end()) {
            m_name = row->name;
            readArgument(row->argument);
        }
    }

    [[nodiscard]] bool isValid() const { return !m_name.empty() && !m_cut; }
    [[nodiscard]] std::uint64_t end() const { return m_at; }
    [[nodiscard]] std::string_view name() const { return m_name; }
    [[nodiscard]] auto& value() { return m_value; }

private:
    template<typename T>
    T number(ByteOrder order = ByteOrder::Little) {
        if (m_bytes.size() - m_at < sizeof(T)) {
            m_cut = true;
            return T{};
        }
        const T value = load<T>(m_bytes.data() + m_at, order);
        m_at += sizeof(T);
        return value;
    }

    void readText(std::uint64_t length) {
        if (m_cut || length > m_bytes.size() - m_at) {
            m_cut = true;
            return;
        }
        m_value = shownText(m_bytes.subspan(m_at, length));
        m_at += length;
    }

    void readLong(std::uint64_t length) {
        constexpr std::uint64_t kLongest = 128; // the value of a longer number is not shown
        if (m_cut || length > m_bytes.size() - m_at) {
            m_cut = true;
            return;
        }
        const Bytes stored = m_bytes.subspan(m_at, length);
        if (length <= sizeof(std::int64_t)) {
            std::uint64_t value = 0;
            for (std::uint64_t i = 0; i < length; ++i) {
                value |= std::to_integer<std::uint64_t>(stored[i]) << (8 * i);
            }
            const bool isNegative = length != 0 && (stored.back() & std::byte{0x80}) != std::byte{0};
            const unsigned unused = 64 - 8 * static_cast<unsigned>(length);
            m_value = static_cast<std::int64_t>(isNegative && unused != 0 ? value | ~std::uint64_t{0} << (64 - unused)
                                                                          : value);
        } else if (length <= kLongest) {
            m_value = LongNumber{decimalOf(stored)};
        }
        m_at += length;
    }

    std::string readLine() {
        const Bytes rest = m_bytes.subspan(m_at);
        const auto end = std::ranges::find(rest, std::byte{'\n'});
        m_cut = m_cut || end == rest.end();
        const auto length = static_cast<std::uint64_t>(end - rest.begin());
        m_at += m_cut ? 0 : length + 1;
        return shownText(rest.first(length));
    }

    void readArgument(Argument argument) {
        switch (argument) {
        case Argument::None:
            break;
        case Argument::Line:
            m_value = readLine();
            break;
        case Argument::TwoLines: {
            std::string text = readLine();
            m_value = text + ' ' + readLine();
            break;
        }
        case Argument::U8:
            m_value = std::uint64_t{number<std::uint8_t>()};
            break;
        case Argument::U16:
            m_value = std::uint64_t{number<std::uint16_t>()};
            break;
        case Argument::U32:
            m_value = std::uint64_t{number<std::uint32_t>()};
            break;
        case Argument::I32:
            m_value = std::int64_t{number<std::int32_t>()};
            break;
        case Argument::U64:
            m_value = number<std::uint64_t>();
            break;
        case Argument::F64:
            m_value = number<double>(ByteOrder::Big);
            break;
        case Argument::Bytes8:
            readText(number<std::uint8_t>());
            break;
        case Argument::Bytes32:
            readText(number<std::uint32_t>());
            break;
        case Argument::Bytes64:
            readText(number<std::uint64_t>());
            break;
        case Argument::Long8:
            readLong(number<std::uint8_t>());
            break;
        case Argument::Long32:
            readLong(number<std::uint32_t>());
            break;
        }
    }

    Bytes m_bytes;
    std::uint64_t m_at;
    bool m_cut = false;
    std::string_view m_name;
    decltype(ByteField::value) m_value;
};

} // namespace

Result<> expandPickle(const MapContext& context, const MapSection& section, FieldSink& sink) {
    const Bytes bytes = GUFO_TRY(context.file.view(section.range));
    const ByteRange window = sink.window();
    const std::uint64_t last = window.offset + window.length;
    for (std::uint64_t at = 0; at < bytes.size() && section.range.offset + at < last && !sink.full();) {
        OpcodeAt opcode(bytes, at);
        if (!opcode.isValid()) { // the file is damaged here, and the section is cut there
            return {};
        }
        sink.add({.range = {section.range.offset + at, opcode.end() - at},
                  .role = FieldRole::Opcode,
                  .of = section.of,
                  .type = std::string(opcode.name()),
                  .value = std::move(opcode.value())});
        at = opcode.end();
        if (opcode.name() == "STOP") {
            return {};
        }
    }
    return {};
}

std::optional<std::uint64_t> damageInPickle(Bytes pickle) {
    for (std::uint64_t at = 0; at < pickle.size();) {
        const OpcodeAt opcode(pickle, at);
        if (!opcode.isValid()) {
            return at;
        }
        if (opcode.name() == "STOP") {
            return std::nullopt;
        }
        at = opcode.end();
    }
    return pickle.size();
}

} // namespace gufo
