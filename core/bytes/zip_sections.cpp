// The fields of a ZIP archive: the headers before its entries, the entries, and the directory.
//
// Layouts: PKWARE's APPNOTE.TXT with the extensions for large files. An archive without a directory, because its end is
// missing, is followed from header to header.
#include "bytes/map_section.h"
#include "formats/pytorch/archive.h"

#include <algorithm>
#include <array>
#include <span>

namespace gufo {
namespace {

// A number of a header: 2, 4 or 8 bytes, little-endian.
struct NumberRow {
    std::string_view name;
    std::uint32_t bytes;
};
constexpr auto kLocalHeader = std::to_array<NumberRow>({{"signature", 4},
                                                        {"version_needed", 2},
                                                        {"flags", 2},
                                                        {"method", 2},
                                                        {"time", 2},
                                                        {"date", 2},
                                                        {"crc32", 4},
                                                        {"stored_bytes", 4},
                                                        {"original_bytes", 4},
                                                        {"name_length", 2},
                                                        {"extra_length", 2}});
constexpr auto kCentralHeader = std::to_array<NumberRow>({{"signature", 4},
                                                          {"version_made_by", 2},
                                                          {"version_needed", 2},
                                                          {"flags", 2},
                                                          {"method", 2},
                                                          {"time", 2},
                                                          {"date", 2},
                                                          {"crc32", 4},
                                                          {"stored_bytes", 4},
                                                          {"original_bytes", 4},
                                                          {"name_length", 2},
                                                          {"extra_length", 2},
                                                          {"comment_length", 2},
                                                          {"disk", 2},
                                                          {"internal_attributes", 2},
                                                          {"external_attributes", 4},
                                                          {"header_offset", 4}});
constexpr auto kEnd64 = std::to_array<NumberRow>({{"signature", 4},
                                                  {"record_bytes", 8},
                                                  {"version_made_by", 2},
                                                  {"version_needed", 2},
                                                  {"disk", 4},
                                                  {"directory_disk", 4},
                                                  {"entries_on_disk", 8},
                                                  {"entries", 8},
                                                  {"directory_bytes", 8},
                                                  {"directory_offset", 8}});
constexpr auto kLocator =
    std::to_array<NumberRow>({{"signature", 4}, {"end_disk", 4}, {"end_offset", 8}, {"disks", 4}});
constexpr auto kEnd = std::to_array<NumberRow>({{"signature", 4},
                                                {"disk", 2},
                                                {"directory_disk", 2},
                                                {"entries_on_disk", 2},
                                                {"entries", 2},
                                                {"directory_bytes", 4},
                                                {"directory_offset", 4},
                                                {"comment_length", 2}});
constexpr auto kDescriptor =
    std::to_array<NumberRow>({{"signature", 4}, {"crc32", 4}, {"stored_bytes", 4}, {"original_bytes", 4}});
constexpr auto kDescriptor64 =
    std::to_array<NumberRow>({{"signature", 4}, {"crc32", 4}, {"stored_bytes", 8}, {"original_bytes", 8}});

// A record of the archive: its numbers, and the texts after them, whose lengths are among the numbers.
struct RecordRow {
    std::uint32_t signature;
    std::string_view name; // empty: it is named after the entry
    std::span<const NumberRow> numbers;
};
constexpr std::uint32_t kLocalSignature = 0x04034B50;
constexpr std::uint32_t kDescriptorSignature = 0x08074B50;
constexpr auto kRecords = std::to_array<RecordRow>({
    {kLocalSignature, {}, kLocalHeader},
    {0x02014B50, {}, kCentralHeader},
    {0x06064B50, "end64", kEnd64},
    {0x07064B50, "locator64", kLocator},
    {0x06054B50, "end", kEnd},
});
constexpr auto kTexts = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"name_length", "name"}, {"extra_length", "extra"}, {"comment_length", "comment"}});

std::uint64_t numberAt(Bytes bytes, std::uint64_t at, std::uint32_t size) {
    const std::byte* begin = bytes.data() + at;
    return size == 2 ? load<std::uint16_t>(begin) : size == 4 ? load<std::uint32_t>(begin) : load<std::uint64_t>(begin);
}

struct RecordField {
    std::string_view name;
    ByteRange range; // in the bytes
    bool isText = false;
};

// The fields of the record at `at`, as far as the bytes reach.
std::vector<RecordField> fieldsOf(const RecordRow& row, Bytes bytes, std::uint64_t at) {
    std::vector<RecordField> fields;
    std::vector<std::pair<std::string_view, std::uint64_t>> lengths;
    for (const NumberRow& number : row.numbers) {
        if (number.bytes > bytes.size() - at) {
            return fields;
        }
        for (const auto& [length, text] : kTexts) {
            if (length == number.name) {
                lengths.emplace_back(text, numberAt(bytes, at, number.bytes));
            }
        }
        fields.push_back({number.name, {at, number.bytes}});
        at += number.bytes;
    }
    for (const auto& [text, length] : lengths) {
        if (length > bytes.size() - at) {
            return fields;
        }
        if (length != 0) {
            fields.push_back({text, {at, length}, true});
            at += length;
        }
    }
    return fields;
}

// The offset after the record at `at`, or the end of the bytes if they do not reach so far.
std::uint64_t recordEnd(const RecordRow& row, Bytes bytes, std::uint64_t at) {
    std::uint64_t texts = 0;
    for (const NumberRow& number : row.numbers) {
        if (number.bytes > bytes.size() - at) {
            return bytes.size();
        }
        const bool isLength = std::ranges::any_of(kTexts, [&](const auto& text) { return text.first == number.name; });
        texts += isLength ? numberAt(bytes, at, number.bytes) : 0;
        at += number.bytes;
    }
    return texts < bytes.size() - at ? at + texts : bytes.size();
}

const RecordRow* recordAt(Bytes bytes, std::uint64_t at) {
    if (bytes.size() - at < 4) {
        return nullptr;
    }
    const auto* const row = std::ranges::find(kRecords, load<std::uint32_t>(bytes.data() + at), &RecordRow::signature);
    return row != kRecords.end() ? row : nullptr;
}

// What follows an entry whose header did not state its size: 32-bit sizes, or 64-bit ones if the next record follows
// only these.
RecordRow descriptorAt(Bytes bytes, std::uint64_t at) {
    constexpr std::uint64_t kShort = 16;
    constexpr std::uint64_t kLong = 24;
    const auto ends = [&](std::uint64_t length) {
        return bytes.size() - at == length || (bytes.size() - at > length && recordAt(bytes, at + length) != nullptr);
    };
    const bool isLong = !ends(kShort) && ends(kLong);
    return {kDescriptorSignature, "descriptor", isLong ? std::span<const NumberRow>(kDescriptor64) : kDescriptor};
}

std::string textAt(Bytes bytes, ByteRange range) { return shownText(bytes.subspan(range.offset, range.length)); }

Result<> expandRecords(const MapContext& context, const MapSection& section, FieldSink& sink) {
    const Bytes bytes = GUFO_TRY(context.file.view(section.range));
    for (std::uint64_t at = 0; at < bytes.size() && !sink.full();) {
        const bool isDescriptor =
            bytes.size() - at >= 4 && load<std::uint32_t>(bytes.data() + at) == kDescriptorSignature;
        const RecordRow* known = recordAt(bytes, at);
        if (known == nullptr && !isDescriptor) {
            return {};
        }
        const RecordRow row = isDescriptor ? descriptorAt(bytes, at) : *known;
        const std::uint64_t end = recordEnd(row, bytes, at);
        const ByteRange window = sink.window();
        if (section.range.offset + end <= window.offset) {
            at = end;
            continue;
        }
        if (section.range.offset + at >= window.offset + window.length) {
            return {};
        }
        const std::vector<RecordField> fields = fieldsOf(row, bytes, at);
        std::string owner = row.name.empty() ? section.of : std::string(row.name);
        for (const RecordField& field : fields) {
            owner = row.name.empty() && field.name == "name" ? textAt(bytes, field.range) : owner;
        }
        for (const RecordField& field : fields) {
            ByteField shown{.range = {section.range.offset + field.range.offset, field.range.length},
                            .role = section.role,
                            .of = owner + '/' + std::string(field.name),
                            .type = field.isText ? "str" : "u" + std::to_string(8 * field.range.length)};
            if (field.name == "name" || field.name == "comment") {
                shown.value = textAt(bytes, field.range);
            } else if (!field.isText) {
                shown.value = numberAt(bytes, field.range.offset, static_cast<std::uint32_t>(field.range.length));
            } else {
                shown.type = {}; // extra fields are bytes
            }
            sink.add(std::move(shown));
        }
        at = end;
    }
    return {};
}

struct Entry {
    ByteRange range;
    std::string name;
};

void addHeader(ByteRange range, const std::string& entry, Sections& sections) {
    if (range.length != 0) {
        sections.list.push_back(
            {.range = range, .expand = expandRecords, .role = FieldRole::ArchiveHeader, .of = entry});
    }
}

// Follows the headers of an archive whose directory is missing.
void followHeaders(const MapInput& input, Sections& sections) {
    const Bytes bytes = input.bytes;
    EntryList entries(sections);
    std::uint64_t at = 0;
    while (at < bytes.size()) {
        const RecordRow* row = recordAt(bytes, at);
        const std::vector<RecordField> fields = row != nullptr && row->signature == kLocalSignature
                                                    ? fieldsOf(*row, bytes, at)
                                                    : std::vector<RecordField>();
        const auto name = std::ranges::find(fields, "name", &RecordField::name);
        if (name == fields.end() || input.job.stopRequested()) {
            break;
        }
        const auto number = [&](std::string_view wanted) {
            const RecordField& field = *std::ranges::find(fields, wanted, &RecordField::name);
            return numberAt(bytes, field.range.offset, static_cast<std::uint32_t>(field.range.length));
        };
        const std::string entry = textAt(bytes, name->range);
        const std::uint64_t data = name->range.offset + name->range.length + number("extra_length");
        if (data > bytes.size()) {
            break;
        }
        std::uint64_t size = number("stored_bytes");
        constexpr std::uint64_t kSizesFollow = 8;
        if (size == 0 && (number("flags") & kSizesFollow) != 0) { // up to the descriptor
            constexpr std::array<std::byte, 4> kMark{std::byte{'P'}, std::byte{'K'}, std::byte{7}, std::byte{8}};
            const Bytes rest = bytes.subspan(data);
            size = static_cast<std::uint64_t>(std::ranges::search(rest, kMark).begin() - rest.begin());
        }
        addHeader({at, data - at}, entry, sections);
        if (size > bytes.size() - data) {
            sections.cut.push_back({entry, size - (bytes.size() - data)});
            size = bytes.size() - data;
        }
        entries.add({data, size}, entry);
        if (entry.ends_with(".pkl")) {
            const auto damage = damageInPickle(bytes.subspan(data, size));
            if (damage && *damage != size) {
                sections.damage = ByteRange{data + *damage, size - *damage};
            }
        }
        at = data + size;
        if (bytes.size() - at >= 4 && load<std::uint32_t>(bytes.data() + at) == kDescriptorSignature) {
            const std::vector<RecordField> descriptor = fieldsOf(descriptorAt(bytes, at), bytes, at);
            const std::uint64_t end = descriptor.back().range.offset + descriptor.back().range.length;
            addHeader({at, end - at}, entry, sections);
            at = end;
        }
    }
    const bool isDirectory =
        at < bytes.size() && recordAt(bytes, at) != nullptr && recordAt(bytes, at)->signature != kLocalSignature;
    if (isDirectory) {
        sections.list.push_back(
            {.range = input.from(at), .expand = expandRecords, .role = FieldRole::ArchiveDirectory});
    } else if (!sections.damage) {
        sections.damage = input.from(at);
    }
}

} // namespace

// The headers of entries lie between their data; the directory follows the last one.
void addZip(const MapInput& input, Sections& sections) {
    addTensorData(input, sections);
    const auto archive = Archive::read(input.bytes);
    if (!archive) {
        return followHeaders(input, sections);
    }
    std::vector<Entry> found;
    for (const std::string_view name : archive->allWith({})) {
        if (const auto range = archive->find(name)) {
            found.push_back({*range, std::string(name)});
        }
    }
    std::ranges::sort(found, {}, [](const Entry& entry) { return entry.range.offset; });
    EntryList entries(sections);
    std::uint64_t at = 0;
    for (const Entry& entry : found) {
        if (entry.range.offset > at) {
            addHeader({at, entry.range.offset - at}, entry.name, sections);
        }
        at = std::max(at, entry.range.offset + entry.range.length);
        entries.add(entry.range, entry.name);
    }
    if (at < input.bytes.size()) {
        sections.list.push_back(
            {.range = input.from(at), .expand = expandRecords, .role = FieldRole::ArchiveDirectory});
    }
}

} // namespace gufo
