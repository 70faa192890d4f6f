#include "hub/download_journal.h"

#include "base/json_value.h"
#include "base/mapped_file.h"
#include "base/output_file.h"
#include "base/part_file.h"

#include <fstream>

namespace gufo::hub {
namespace {

constexpr std::uint64_t kLargestJournal = 1 << 20;
constexpr std::string_view kKind = "gufo-download-1";

std::string textOf(const JsonValue& object, std::string_view name) {
    const JsonValue* member = object.find(name);
    return member != nullptr && member->is(JsonValue::Kind::String) ? member->text : std::string();
}

std::optional<std::uint64_t> numberOf(const JsonValue* value) {
    const auto number = value != nullptr ? value->whole() : std::nullopt;
    return number && *number >= 0 ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
}

// The ranges of a list like [[0,100],[200,50]]; nothing if one of them does not follow the last one or exceeds `total`.
std::optional<std::vector<ByteRange>> rangesOf(const JsonValue& list, std::uint64_t total) {
    std::vector<ByteRange> ranges;
    std::uint64_t end = 0;
    for (const JsonValue& range : list.elements) {
        const auto offset = range.elements.size() == 2 ? numberOf(&range.elements[0]) : std::nullopt;
        const auto length = range.elements.size() == 2 ? numberOf(&range.elements[1]) : std::nullopt;
        if (!offset || !length || *offset < end || !fits({*offset, *length}, total)) {
            return std::nullopt;
        }
        ranges.push_back({*offset, *length});
        end = *offset + *length;
    }
    return ranges;
}

std::string listOf(std::span<const ByteRange> ranges) {
    std::string text = "[";
    for (const ByteRange& range : ranges) {
        text += (text.ends_with('[') ? "[" : ",[") + std::to_string(range.offset) + ',' + std::to_string(range.length) +
                ']';
    }
    return text + ']';
}

// Differs after each restart of the system; empty if that is not known.
std::string bootOf() {
    std::string id;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
    return id;
}

Result<> writeUnsynced(const std::filesystem::path& path, std::string_view text) {
    FileOperations& operations = realFileOperations();
    const auto failed = [&](int error) { return std::unexpected(systemError(error, path, ErrorCode::WriteFailed)); };
    const auto part = createPartFile(operations, path.parent_path());
    if (!part) {
        return failed(part.error());
    }
    const auto written = writeAll(operations, part->file.get(), 0, std::as_bytes(std::span(text)));
    const auto renamed = written ? operations.rename(part->path, path) : written;
    if (!renamed) {
        (void)operations.unlink(part->path);
        return failed(renamed.error());
    }
    return {};
}

} // namespace

std::optional<DownloadJournal> readJournal(const std::filesystem::path& path) {
    const auto file = MappedFile::open(path);
    if (!file || (*file)->size() > kLargestJournal) {
        return std::nullopt;
    }
    const auto bytes = (*file)->view({0, (*file)->size()});
    const auto json = bytes ? readJson({reinterpret_cast<const char*>(bytes->data()), bytes->size()})
                            : std::unexpected(bytes.error());
    const auto total = json ? numberOf(json->find("bytes")) : std::nullopt;
    const JsonValue* present = json ? json->find("present") : nullptr;
    if (!total || present == nullptr || textOf(*json, "kind") != kKind) {
        return std::nullopt;
    }
    DownloadJournal journal{.address = textOf(*json, "address"),
                            .etag = textOf(*json, "etag"),
                            .sha256 = textOf(*json, "sha256"),
                            .bytes = *total};
    auto durable = rangesOf(*present, *total);
    if (!durable) {
        return std::nullopt;
    }
    journal.durable = *std::move(durable);
    journal.present = journal.durable;
    const JsonValue* written = json->find("written");
    if (const std::string boot = textOf(*json, "boot"); written != nullptr && !boot.empty() && boot == bootOf()) {
        auto more = rangesOf(*written, *total);
        if (!more) {
            return std::nullopt;
        }
        journal.present = *std::move(more);
    }
    return journal;
}

bool restartsAreKnown() { return !bootOf().empty(); }

Result<> writeJournal(const std::filesystem::path& path, const DownloadJournal& journal) {
    const bool isDurable = journal.present == journal.durable;
    std::string text = "{\"kind\":" + quotedJson(kKind) + ",\"address\":" + quotedJson(journal.address) +
                       ",\"etag\":" + quotedJson(journal.etag) + ",\"sha256\":" + quotedJson(journal.sha256) +
                       ",\"bytes\":" + std::to_string(journal.bytes) + ",\"present\":" + listOf(journal.durable);
    if (!isDurable) {
        text += ",\"boot\":" + quotedJson(bootOf()) + ",\"written\":" + listOf(journal.present);
    }
    text += "}\n";
    if (!isDurable) {
        return writeUnsynced(path, text);
    }
    auto file = GUFO_TRY(OutputFile::create(path, OutputFile::OpenFiles::Replaced));
    GUFO_TRY(file.write(std::as_bytes(std::span(text))));
    return file.commit();
}

} // namespace gufo::hub
