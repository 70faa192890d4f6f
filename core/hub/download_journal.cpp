#include "hub/download_journal.h"

#include "base/json_value.h"
#include "base/mapped_file.h"
#include "base/output_file.h"

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
    std::uint64_t end = 0;
    for (const JsonValue& range : present->elements) {
        const auto offset = range.elements.size() == 2 ? numberOf(&range.elements[0]) : std::nullopt;
        const auto length = range.elements.size() == 2 ? numberOf(&range.elements[1]) : std::nullopt;
        if (!offset || !length || *offset < end || !fits({*offset, *length}, *total)) {
            return std::nullopt;
        }
        journal.present.push_back({*offset, *length});
        end = *offset + *length;
    }
    return journal;
}

Result<> writeJournal(const std::filesystem::path& path, const DownloadJournal& journal) {
    std::string text = "{\"kind\":" + quotedJson(kKind) + ",\"address\":" + quotedJson(journal.address) +
                       ",\"etag\":" + quotedJson(journal.etag) + ",\"sha256\":" + quotedJson(journal.sha256) +
                       ",\"bytes\":" + std::to_string(journal.bytes) + ",\"present\":[";
    for (const ByteRange& range : journal.present) {
        text += (text.ends_with('[') ? "[" : ",[") + std::to_string(range.offset) + ',' + std::to_string(range.length) +
                ']';
    }
    text += "]}\n";
    auto file = OutputFile::create(path);
    const auto written = file ? file->write(std::as_bytes(std::span(text))) : std::unexpected(file.error());
    return written ? file->commit() : written;
}

} // namespace gufo::hub
