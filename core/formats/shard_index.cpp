#include "formats/shard_index.h"

#include "base/detail.h"
#include "base/json_reader.h"
#include "formats/format.h"
#include "formats/joined_model.h"
#include "formats/json_metadata.h"
#include "model/finding_code.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace gufo::shard_index {
namespace {

using Token = JsonReader::Token;

constexpr std::string_view kWeightMap = "weight_map";
constexpr std::size_t kMaxEntries = 1'000'000;
constexpr std::size_t kEntriesPerStopCheck = 4096;

struct Entry {
    std::string tensor;
    std::uint32_t file; // index into List::files
};

struct List {
    std::vector<std::string> files; // in the order of their names
    std::vector<Entry> entries;
};

std::string_view textOf(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

class ListReader {
public:
    ListReader(std::string_view text, const JobContext& job)
        : m_json(text)
        , m_job(job) {}

    Result<List> read() {
        if (auto start = m_json.expect(Token::ObjectStart, Detail::SchemaObjectExpected); !start) {
            return std::unexpected(start.error());
        }
        bool found = false;
        const auto member = [&] {
            const bool isMap = !found && m_json.text() == kWeightMap;
            found = found || isMap;
            return isMap ? readMap() : m_json.skipValue();
        };
        if (auto members = m_json.readMembers(member); !members) {
            return std::unexpected(members.error());
        }
        if (auto end = m_json.expect(Token::End, Detail::EndOfText); !end) {
            return std::unexpected(end.error());
        }
        if (!found || m_list.files.empty()) {
            return fail(ErrorCode::Malformed, {}, {Detail::NoWeightMap});
        }
        sortFiles();
        return std::move(m_list);
    }

private:
    Result<> readMap() {
        if (auto start = m_json.expect(Token::ObjectStart, Detail::SchemaObjectExpected); !start) {
            return start;
        }
        return m_json.readMembers([&]() -> Result<> {
            std::string tensor = m_json.text();
            if (auto name = m_json.expect(Token::String, Detail::QuotedName); !name) {
                return name;
            }
            const auto [file, isNew] =
                m_numbers.try_emplace(m_json.text(), static_cast<std::uint32_t>(m_list.files.size()));
            if (isNew) {
                m_list.files.push_back(file->first);
            }
            if (m_list.files.size() > kMaxShards) {
                return fail(ErrorCode::LimitExceeded, {}, {Detail::Files, m_list.files.size(), kMaxShards});
            }
            m_list.entries.push_back({std::move(tensor), file->second});
            if (m_list.entries.size() > kMaxEntries) {
                return fail(ErrorCode::LimitExceeded, {}, {Detail::Tensors, m_list.entries.size(), kMaxEntries});
            }
            if (m_list.entries.size() % kEntriesPerStopCheck == 0 && m_job.stopRequested()) {
                return fail(ErrorCode::Cancelled);
            }
            return {};
        });
    }

    void sortFiles() {
        std::vector<std::uint32_t> order(m_list.files.size());
        std::ranges::generate(order, [next = std::uint32_t{0}]() mutable { return next++; });
        std::ranges::sort(order, {}, [&](std::uint32_t file) -> const std::string& { return m_list.files[file]; });
        std::vector<std::uint32_t> places(order.size());
        std::vector<std::string> sorted;
        for (const std::uint32_t file : order) {
            places[file] = static_cast<std::uint32_t>(sorted.size());
            sorted.push_back(std::move(m_list.files[file]));
        }
        m_list.files = std::move(sorted);
        for (Entry& entry : m_list.entries) {
            entry.file = places[entry.file];
        }
    }

    JsonReader m_json;
    const JobContext& m_job;
    List m_list;
    std::unordered_map<std::string, std::uint32_t> m_numbers;
};

// Reads one file of a set by itself.
Result<std::shared_ptr<const Model>> readPart(std::shared_ptr<const ByteSource> file, const JobContext& job) {
    const Container* container = detectContainer(*file);
    if (container == nullptr || container->readPart == nullptr) {
        return std::unexpected(refusalOf(*file));
    }
    return container->readPart(std::move(file), job);
}

std::vector<std::filesystem::path> pathsIn(const std::filesystem::path& folder, const std::vector<std::string>& names) {
    std::vector<std::filesystem::path> paths;
    for (const std::string& name : names) {
        paths.push_back(isPlainName(name) ? folder / name : std::filesystem::path(name));
    }
    return paths;
}

// Adds the findings about tensors that are not where the list says.
void checkEntries(const List& list, const Model& model, FindingList& findings) {
    std::unordered_map<std::string_view, std::uint32_t> places; // of the tensors that exist
    for (const TensorInfo& tensor : model.tensors) {
        places.emplace(tensor.name, tensor.file.value);
    }
    std::unordered_set<std::string_view> listed;
    for (const Entry& entry : list.entries) {
        if (!listed.insert(entry.tensor).second) {
            findings.add(FindingCode::IndexTensorTwice, Place::tensor(entry.tensor), {entry.tensor});
        }
        const auto place = places.find(entry.tensor);
        const bool fileIsHere = model.files[entry.file].source != nullptr;
        if (fileIsHere && findings.keeps(FindingCode::IndexTensorMissing) &&
            (place == places.end() || place->second != entry.file)) {
            findings.add(FindingCode::IndexTensorMissing, Place::tensor(entry.tensor),
                         {entry.tensor, list.files[entry.file]});
        }
    }
    const auto unlisted =
        std::ranges::count_if(model.tensors, [&](const TensorInfo& tensor) { return !listed.contains(tensor.name); });
    if (unlisted != 0) {
        findings.add(FindingCode::IndexTensorsUnlisted, {}, {unlisted});
    }
}

} // namespace

Result<std::shared_ptr<const Model>> open(std::shared_ptr<const ByteSource> list, const JobContext& job,
                                          const SourceOpener& openFile) {
    const std::filesystem::path path = list->path();
    const auto failed = [&](Error error) { return std::unexpected(std::move(error).in(path)); };
    if (list->size() > kMaxIndexBytes) {
        return failed(fail(ErrorCode::LimitExceeded, {}, {Detail::Bytes, list->size(), kMaxIndexBytes}).error());
    }
    const auto bytes = list->view({0, list->size()});
    if (!bytes) {
        return std::unexpected(bytes.error());
    }
    const auto entries = ListReader(textOf(*bytes), job).read();
    if (const auto damage = list->damage()) {
        return std::unexpected(*damage);
    }
    if (!entries) {
        return failed(entries.error());
    }
    JoinedModel joined(pathsIn(path.parent_path(), entries->files));
    std::optional<Error> firstError;
    for (std::size_t i = 0; i < entries->files.size(); ++i) {
        if (job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        const std::string& name = entries->files[i];
        auto file = openInFolder(path.parent_path(), name, openFile);
        const auto part = file ? readPart(*std::move(file), job) : std::unexpected(std::move(file).error());
        if (part) {
            joined.add(i, **part);
            continue;
        }
        firstError = firstError ? firstError : part.error();
        if (part.error().code == ErrorCode::InvalidArgument) {
            joined.findings().add(FindingCode::IndexLeadsOutside, Place::fileName(name), {name});
        } else {
            joined.addMissing(i, part.error());
        }
    }
    if (job.stopRequested()) { // the file read last may only look unreadable
        return fail(ErrorCode::Cancelled);
    }
    if (joined.empty()) {
        return std::unexpected(*firstError);
    }
    MetadataBuilder metadata(joined.model());
    JsonMetadataOptions options;
    options.skipped = [](std::string_view member) { return member == kWeightMap; };
    if (auto added = addJsonMetadata(metadata, textOf(*bytes), "index", options); !added) {
        joined.findings().add(FindingCode::CompanionUnreadable, Place::fileName(path.filename().native()),
                              {path.filename().native(), errorName(added.error().code)});
    }
    checkEntries(*entries, joined.model(), joined.findings());
    joined.model().companions.push_back(std::move(list));
    joined.model().openedAs = path;
    return std::move(joined).finish();
}

Result<std::shared_ptr<const Model>> openSet(std::shared_ptr<const Model> opened, const ShardName& name,
                                             std::string_view suffix, const JobContext& job,
                                             const SourceOpener& openFile) {
    const std::filesystem::path folder = opened->path().parent_path();
    if (name.count > kMaxShards) {
        return fail(ErrorCode::LimitExceeded, {}, {Detail::Files, name.count, kMaxShards});
    }
    std::vector<std::filesystem::path> paths;
    for (ShardName sister = name; paths.size() < name.count;) {
        sister.number = static_cast<std::uint32_t>(paths.size() + 1);
        paths.push_back(folder / shardFileName(sister, suffix));
    }
    JoinedModel joined(paths);
    for (std::size_t i = 0; i < paths.size(); ++i) {
        if (job.stopRequested()) {
            return fail(ErrorCode::Cancelled);
        }
        if (i + 1 == name.number) {
            joined.add(i, *opened);
            continue;
        }
        auto file = openInFolder(folder, paths[i].filename().native(), openFile);
        const auto part = file ? readPart(*std::move(file), job) : std::unexpected(std::move(file).error());
        if (part) {
            joined.add(i, **part);
        } else {
            joined.addMissing(i, part.error());
        }
    }
    if (job.stopRequested()) {
        return fail(ErrorCode::Cancelled);
    }
    joined.model().openedFile = FileIndex(name.number - 1);
    return std::move(joined).finish();
}

} // namespace gufo::shard_index
