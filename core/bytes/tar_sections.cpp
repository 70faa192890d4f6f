// The fields of a checkpoint in a tar archive (formats/pytorch/reader.cpp lists its files): the headers of the
// archive's entries, pickles, and the numbers and storages between these.
#include "base/checked.h"
#include "base/detail.h"
#include "bytes/map_section.h"
#include "formats/pytorch/checkpoint.h"
#include "formats/pytorch/pickle.h"
#include "formats/pytorch/tar.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace gufo {
namespace {

constexpr std::uint64_t kBlock = 512;
constexpr std::uint64_t kNumberBytes = 8; // of a number between pickles
constexpr std::uint64_t kNameBytes = 100;
constexpr std::uint64_t kHeaderEnd = 500; // of the fields of a header

// A field of a header of 512 bytes: text or octal digits, filled with zeros (POSIX pax).
struct TarRow {
    std::string_view name;
    std::uint32_t offset;
    std::uint32_t bytes;
    bool isNumber = false;
};
constexpr auto kHeader = std::to_array<TarRow>({{"name", 0, kNameBytes},
                                                {"mode", 100, 8, true},
                                                {"owner", 108, 8, true},
                                                {"group", 116, 8, true},
                                                {"size", 124, 12, true},
                                                {"modified", 136, 12, true},
                                                {"checksum", 148, 8, true},
                                                {"type", 156, 1},
                                                {"link", 157, 100},
                                                {"magic", 257, 6},
                                                {"version", 263, 2},
                                                {"owner_name", 265, 32},
                                                {"group_name", 297, 32},
                                                {"device_major", 329, 8, true},
                                                {"device_minor", 337, 8, true},
                                                {"prefix", 345, 155}});

Result<> expandHeader(const MapContext& context, const MapSection& section, FieldSink& sink) {
    const Bytes bytes = GUFO_TRY(context.file.view(section.range));
    for (const TarRow& row : kHeader) {
        if (row.offset + row.bytes > bytes.size()) {
            break;
        }
        const std::string stored = shownText(bytes.subspan(row.offset, row.bytes));
        const std::string_view text = std::string_view(stored).substr(0, stored.find('\0'));
        ByteField shown{.range = {section.range.offset + row.offset, row.bytes},
                        .role = FieldRole::ArchiveHeader,
                        .of = section.of + '/' + std::string(row.name),
                        .type = row.isNumber ? "octal" : "str",
                        .value = std::string(text)};
        if (row.isNumber) {
            std::string_view digits = text.substr(std::min(text.find_first_not_of(' '), text.size()));
            std::uint64_t value = 0;
            if (std::from_chars(digits.data(), digits.data() + digits.size(), value, 8).ec == std::errc()) {
                shown.value = value;
            }
        }
        sink.add(std::move(shown));
    }
    sink.add({.range = {section.range.offset + kHeaderEnd,
                        section.range.length - std::min(kHeaderEnd, section.range.length)},
              .role = FieldRole::Padding,
              .of = section.of});
    return {};
}

// A pickle (key, key of the storage, class), the number of dimensions (u32 and 4 unused bytes), the sizes, the strides
// and the first element.
Result<> expandRecord(const MapContext& context, const MapSection& section, FieldSink& sink) {
    GUFO_TRY(expandPickle(context, section, sink));
    const Bytes bytes = GUFO_TRY(context.file.view(section.range));
    const auto pickle = pickle::read(bytes, 0);
    if (!pickle || bytes.size() - pickle->end < kNumberBytes) {
        return {};
    }
    std::uint64_t at = pickle->end;
    const auto add = [&](std::uint64_t length, FieldRole role, std::optional<std::uint64_t> element = {}) {
        std::uint64_t value = 0;
        if (bytes.size() - at < length) {
            return value;
        }
        const std::byte* begin = bytes.data() + at;
        value = length == kNumberBytes ? load<std::uint64_t>(begin, context.layout.order)
                                       : load<std::uint32_t>(begin, context.layout.order);
        ByteField field{
            .range = {section.range.offset + at, length}, .role = role, .of = section.of, .element = element};
        if (role != FieldRole::Padding) {
            field.type = length == kNumberBytes ? "u64" : "u32";
            field.value = value;
        }
        sink.add(std::move(field));
        at += length;
        return value;
    };
    const std::uint64_t dimensions = add(4, FieldRole::DimensionCount);
    add(4, FieldRole::Padding);
    if (dimensions > Shape::kMaxDimensions) {
        return {};
    }
    for (const FieldRole role : {FieldRole::Dimension, FieldRole::Stride}) {
        for (std::uint64_t i = 0; i < dimensions; ++i) {
            add(kNumberBytes, role, i);
        }
    }
    add(kNumberBytes, FieldRole::FirstElement);
    return {};
}

class TarWalk {
public:
    TarWalk(const MapInput& input, Sections& sections)
        : m_input(input)
        , m_sections(sections)
        , m_entries(sections) {
        if (input.model != nullptr) {
            for (const TensorInfo& tensor : input.model->tensors) {
                m_records.emplace_back(tensor.recordOffset, tensor.name);
            }
            std::ranges::sort(m_records);
        }
    }

    void walk() {
        const Tar::Listing listing = Tar::list(m_input.bytes);
        for (const Tar::Entry& entry : listing.entries) {
            addHeader({entry.header, kBlock}, entry.name);
            const std::uint64_t end = entry.content.offset + entry.content.length;
            addContent(entry.name, entry.content.offset, end);
        }
        if (listing.damage) {
            addDamagedEntry(*listing.damage);
        }
    }

private:
    void addContent(const std::string& name, std::uint64_t begin, std::uint64_t end) {
        const Bytes upToEnd = m_input.bytes.first(end); // offsets count from the start of the archive
        if (name == "storages") {
            addStorages(upToEnd, begin);
        } else if (name == "tensors") {
            addTensors(upToEnd, begin);
        } else if (name == "sys_info" || name == "pickle") {
            const auto pickle = addPickle(upToEnd, begin, name);
            if (pickle && name == "sys_info") {
                m_sections.layout.order = pytorch::isBigEndianSystem(*pickle) ? ByteOrder::Big : ByteOrder::Little;
            }
        } else {
            m_entries.add({begin, end - begin}, name);
        }
    }

    void addHeader(ByteRange range, const std::string& name) {
        m_sections.list.push_back(
            {.range = range, .expand = expandHeader, .role = FieldRole::ArchiveHeader, .of = name});
    }

    // Adds a pickle and returns what it describes; if it is damaged, the rest of the entry is.
    std::optional<pickle::Pickle> addPickle(Bytes upToEnd, std::uint64_t at, const std::string& of) {
        const ByteRange rest{at, upToEnd.size() - at};
        auto pickle = pickle::read(upToEnd, at, m_input.job);
        const std::uint64_t end = pickle ? pickle->end : upToEnd.size();
        m_sections.list.push_back(
            {.range = {at, end - at}, .expand = expandPickle, .role = FieldRole::ArchiveEntry, .of = of});
        if (!pickle) {
            const std::uint64_t length = damageInPickle(upToEnd.subspan(at)).value_or(0);
            markDamage({at + length, rest.length - length});
            return std::nullopt;
        }
        return *std::move(pickle);
    }

    void markDamage(ByteRange range) {
        if (!m_sections.damage) {
            m_sections.damage = range;
        }
    }

    static std::optional<std::uint64_t> countIn(const pickle::Pickle& pickle) {
        const pickle::Node& node = pickle[pickle.result];
        const bool isCount = node.kind == pickle::Node::Kind::Integer && !node.isHuge && node.integer >= 0;
        return isCount ? std::optional(static_cast<std::uint64_t>(node.integer)) : std::nullopt;
    }

    // The number of storages; for each a pickle (key, device, class), the number of its elements and these; then a
    // pickle of parts of storages.
    void addStorages(Bytes file, std::uint64_t at) {
        const std::string name = "storages";
        const auto counted = addPickle(file, at, name);
        const std::uint64_t count = counted ? countIn(*counted).value_or(0) : 0;
        at = counted ? counted->end : file.size();
        for (std::uint64_t i = 0; i < count && at < file.size(); ++i) {
            const auto pickle = addPickle(file, at, name);
            if (!pickle) {
                return;
            }
            at = pickle->end;
            const auto args = pickle->itemsOf((*pickle)[pickle->result]);
            const pytorch::DataType type = args.size() == 3 && (*pickle)[args[2]].kind == pickle::Node::Kind::Global
                                               ? pytorch::dataTypeOf((*pickle)[args[2]])
                                               : pytorch::DataType();
            if (type.info == nullptr || file.size() - at < kNumberBytes) {
                return markDamage({at, file.size() - at});
            }
            const std::string storage = name + '[' + std::to_string(i) + ']';
            m_sections.list.push_back({.range = {at, kNumberBytes},
                                       .expand = expandElementCount,
                                       .role = FieldRole::ElementCount,
                                       .of = storage});
            const auto elements = load<std::uint64_t>(file.data() + at, m_sections.layout.order);
            const auto size = checkedMultiply(elements, type.info->blockBytes);
            at += kNumberBytes;
            if (!size || *size > file.size() - at) {
                return markDamage({at - kNumberBytes, file.size() - at + kNumberBytes});
            }
            m_entries.add({at, *size}, storage);
            at += *size;
        }
        if (counted && at < file.size()) {
            addPickle(file, at, name);
        }
    }

    void addTensors(Bytes file, std::uint64_t at) {
        const auto counted = addPickle(file, at, "tensors");
        const std::uint64_t count = counted ? countIn(*counted).value_or(0) : 0;
        at = counted ? counted->end : file.size();
        for (std::uint64_t i = 0; i < count && at < file.size(); ++i) {
            const auto pickle = pickle::read(file, at, m_input.job);
            const std::uint64_t numbers = pickle ? pickle->end : at + damageInPickle(file.subspan(at)).value_or(0);
            const std::uint64_t dimensions = pickle && file.size() - numbers >= kNumberBytes
                                                 ? load<std::uint32_t>(file.data() + numbers, m_sections.layout.order)
                                                 : Shape::kMaxDimensions + 1;
            const std::uint64_t length = kNumberBytes * (2 + 2 * dimensions);
            const bool isWhole = dimensions <= Shape::kMaxDimensions && length <= file.size() - numbers;
            const std::uint64_t end = isWhole ? numbers + length : file.size();
            const auto record =
                std::ranges::lower_bound(m_records, at, {}, [](const auto& each) { return each.first; });
            const bool isKnown = record != m_records.end() && record->first == at;
            m_sections.list.push_back(
                {.range = {at, end - at},
                 .expand = expandRecord,
                 .role = FieldRole::TensorRecord,
                 .of = isKnown ? std::string(record->second) : "tensors[" + std::to_string(i) + ']'});
            if (!isWhole) {
                return markDamage({numbers, file.size() - numbers});
            }
            at = end;
        }
    }

    // An entry that goes on beyond the end of the file is shown as far as it is there.
    void addDamagedEntry(const Error& damage) {
        const std::uint64_t at = damage.place.offset.value_or(0);
        const bool isCut = !damage.args.empty() && damage.args[0].detail() == Detail::EntryTooLong;
        if (isCut) {
            const std::string stored = shownText(m_input.bytes.subspan(at, kNameBytes));
            const std::string name = stored.substr(0, stored.find('\0'));
            addHeader({at, kBlock}, name);
            addContent(name, at + kBlock, m_input.bytes.size());
        }
        markDamage(m_input.from(isCut ? m_input.bytes.size() : at));
    }

    const MapInput& m_input;
    Sections& m_sections;
    EntryList m_entries;
    std::vector<std::pair<std::uint64_t, std::string_view>> m_records; // the tensors of the model
};

} // namespace

void addTar(const MapInput& input, Sections& sections) {
    addTensorData(input, sections);
    TarWalk(input, sections).walk();
}

} // namespace gufo
