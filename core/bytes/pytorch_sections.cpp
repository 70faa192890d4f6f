// The fields of PyTorch's files: the entries of the ZIP archive, the opcodes of its pickle and the tensors' data, or
// the pickles of the older format and the data after them.
//
// Opcodes and their arguments: Python's pickletools.
#include "bytes/map_section.h"
#include "formats/pytorch/archive.h"
#include "formats/pytorch/pickle.h"

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
    {0x8A, "LONG1", Argument::Bytes8},
    {0x8B, "LONG4", Argument::Bytes32},
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
        }
    }

    Bytes m_bytes;
    std::uint64_t m_at;
    bool m_cut = false;
    std::string_view m_name;
    decltype(ByteField::value) m_value;
};

bool isPickle(std::string_view name) { return name.ends_with(".pkl"); }

// The headers of entries lie between their data; the directory follows the last one.
void addArchive(const MapInput& input, const Archive& archive, Sections& sections) {
    struct Entry {
        ByteRange range;
        std::string name;
    };
    std::vector<Entry> entries;
    for (const std::string_view name : archive.allWith({})) {
        if (const auto range = archive.find(name)) {
            entries.push_back({*range, std::string(name)});
        }
    }
    std::ranges::sort(entries, {}, [](const Entry& entry) { return entry.range.offset; });
    addTensorData(input, sections);
    // The entry of a storage that holds tensors is shown as these.
    std::vector<std::uint64_t> tensors;
    for (const MapSection& section : sections.list) {
        tensors.push_back(section.range.offset);
    }
    std::ranges::sort(tensors);
    std::uint64_t at = 0;
    for (Entry& entry : entries) {
        if (entry.range.offset > at) {
            sections.list.push_back(
                {.range = {at, entry.range.offset - at}, .role = FieldRole::ArchiveHeader, .of = entry.name});
        }
        at = std::max(at, entry.range.offset + entry.range.length);
        const auto tensor = std::ranges::lower_bound(tensors, entry.range.offset);
        const bool holdsTensors = tensor != tensors.end() && *tensor < entry.range.offset + entry.range.length;
        if (!holdsTensors) {
            sections.list.push_back({.range = entry.range,
                                     .expand = isPickle(entry.name) ? expandPickle : nullptr,
                                     .role = FieldRole::ArchiveEntry,
                                     .of = std::move(entry.name)});
        }
    }
    if (at < input.bytes.size()) {
        sections.list.push_back({.range = {at, input.bytes.size() - at}, .role = FieldRole::ArchiveDirectory});
    }
}

// The older format: pickles one after another, then the storages, each after its number of elements.
void addPickles(const MapInput& input, Sections& sections) {
    addTensorData(input, sections);
    std::uint64_t end = input.bytes.size();
    for (const MapSection& section : sections.list) {
        end = std::min(end, section.range.offset);
    }
    constexpr int kMaxPickles = 8; // PyTorch writes five
    std::uint64_t at = 0;
    for (int i = 0; i < kMaxPickles && at < end; ++i) {
        const auto pickle = pickle::read(input.bytes, at, input.job);
        if (!pickle) {
            if (i == 0) {
                sections.list.push_back({.range = {0, end}, .expand = expandPickle, .role = FieldRole::Opcode});
            }
            return;
        }
        sections.list.push_back({.range = {at, pickle->end - at}, .expand = expandPickle, .role = FieldRole::Opcode});
        at = pickle->end;
    }
}

} // namespace

Result<> expandPickle(const MapContext& context, const MapSection& section, FieldSink& sink) {
    const Bytes bytes = GUFO_TRY(context.file.view(section.range));
    const ByteRange window = sink.window();
    const std::uint64_t last = window.offset + window.length;
    for (std::uint64_t at = 0; at < bytes.size() && section.range.offset + at < last && !sink.full();) {
        OpcodeAt opcode(bytes, at);
        if (!opcode.isValid()) {
            sink.add(
                {.range = {section.range.offset + at, bytes.size() - at}, .role = FieldRole::Damage, .of = section.of});
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

Sections pytorchSections(const MapInput& input) {
    Sections sections;
    if (const auto archive = Archive::read(input.bytes)) {
        addArchive(input, *archive, sections);
    } else {
        addPickles(input, sections);
    }
    return sections;
}

} // namespace gufo
