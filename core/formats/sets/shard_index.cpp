#include "formats/sets/shard_index.h"

#include "base/detail.h"
#include "base/json_reader.h"
#include "base/try.h"
#include "formats/container/container.h"
#include "formats/sets/joined_model.h"
#include "formats/sets/json_metadata.h"
#include "model/finding_code.h"

#include <algorithm>
#include <deque>
#include <unordered_set>

namespace gufo::shard_index {
namespace {

using Token = JsonReader::Token;

constexpr std::string_view kWeightMap = "weight_map";
constexpr std::size_t kMaxEntries = 1'000'000;
constexpr std::size_t kEntriesPerStopCheck = 4096;
constexpr std::size_t kTensorsReserved = 65'536; // at most, because a list may name more tensors than there are

struct Entry {
    std::string_view tensor;
    std::uint32_t file; // index into List::files
};

struct List {
    std::vector<std::string> files; // in the order of their names
    std::vector<Entry> entries;
    std::deque<std::string> escaped; // names of tensors that are not in the list as they are
    std::string rest;                // the JSON text without its map
};

std::string_view textOf(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

class ListReader {
public:
    // The text must outlive the list.
    ListReader(std::string_view text, const JobContext& job)
        : m_text(text)
        , m_json(text, JsonDialect::Python)
        , m_job(job) {}

    Result<List> read() {
        GUFO_TRY(m_json.expect(Token::ObjectStart, Detail::KeyObject));
        bool found = false;
        const auto member = [&]() -> Result<> {
            if (found || m_json.textView() != kWeightMap) {
                return m_json.skipValue();
            }
            found = true;
            const std::size_t begin = m_json.tokenEnd();
            GUFO_TRY(readMap());
            m_list.rest = std::string(m_text.substr(0, begin)) + "null" + std::string(m_text.substr(m_json.tokenEnd()));
            return {};
        };
        GUFO_TRY(m_json.readMembers(member));
        GUFO_TRY(m_json.expect(Token::End, Detail::EndOfText));
        if (!found || m_list.files.empty()) {
            return fail(ErrorCode::Malformed, {}, {Detail::NoWeightMap});
        }
        sortFiles();
        return std::move(m_list);
    }

private:
    Result<> readMap() {
        GUFO_TRY(m_json.expect(Token::ObjectStart, Detail::KeyObject));
        return m_json.readMembers([&]() -> Result<> {
            const auto written = m_json.textInSource();
            const std::string_view tensor = written ? *written : m_list.escaped.emplace_back(m_json.text());
            GUFO_TRY(m_json.expect(Token::String, Detail::QuotedName));
            m_list.entries.push_back({tensor, fileNumber(m_json.textView())});
            if (m_list.files.size() > kMaxShards) {
                return fail(ErrorCode::LimitExceeded, {}, {Detail::Files, m_list.files.size(), kMaxShards});
            }
            if (m_list.entries.size() > kMaxEntries) {
                return fail(ErrorCode::LimitExceeded, {}, {Detail::Tensors, m_list.entries.size(), kMaxEntries});
            }
            if (m_list.entries.size() % kEntriesPerStopCheck == 0 && m_job.stopRequested()) {
                return fail(ErrorCode::Cancelled);
            }
            return {};
        });
    }

    std::uint32_t fileNumber(std::string_view name) {
        const auto nameAt = [&](std::uint32_t i) -> std::string_view { return m_list.files[i]; };
        if (const auto known = m_numbers.find(name, nameAt)) {
            return *known;
        }
        const auto number = static_cast<std::uint32_t>(m_list.files.size());
        m_list.files.emplace_back(name);
        m_numbers.add(name, number, nameAt);
        return number;
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

    std::string_view m_text;
    JsonReader m_json;
    const JobContext& m_job;
    List m_list;
    NameIndex m_numbers; // of List::files
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

// Adds the findings about tensors that are not where the list says. The tensors of the model can be found by name.
void checkEntries(const List& list, const Model& model, FindingList& findings) {
    std::vector<bool> listed(model.tensors.size());
    std::unordered_set<std::string_view> absent; // listed, but in no file
    for (const Entry& entry : list.entries) {
        const auto tensor = model.findTensor(entry.tensor);
        const bool again = tensor ? listed[tensor->value] : !absent.insert(entry.tensor).second;
        if (tensor) {
            listed[tensor->value] = true;
        }
        if (again) {
            findings.add(FindingCode::IndexTensorTwice, Place::tensor(std::string(entry.tensor)), {entry.tensor});
        }
        const bool fileIsHere = model.files[entry.file].source != nullptr;
        if (fileIsHere && findings.keeps(FindingCode::IndexTensorMissing) &&
            (!tensor || model.tensor(*tensor).file.value != entry.file)) {
            findings.add(FindingCode::IndexTensorMissing, Place::tensor(std::string(entry.tensor)),
                         {entry.tensor, list.files[entry.file]});
        }
    }
    std::size_t unlisted = 0;
    for (std::size_t i = 0; i < model.tensors.size(); ++i) { // several of a name are listed if the first is
        unlisted += listed[i] || listed[model.findTensor(model.tensors[i].name)->value] ? 0U : 1U;
    }
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
    const auto bytes = GUFO_TRY(list->view({0, list->size()}));
    const auto entries = ListReader(textOf(bytes), job).read();
    if (const auto damage = list->damage()) {
        return std::unexpected(*damage);
    }
    if (!entries) {
        return failed(entries.error());
    }
    JoinedModel joined(pathsIn(path.parent_path(), entries->files));
    joined.model().tensors.reserve(std::min(entries->entries.size(), kTensorsReserved));
    std::optional<Error> firstError;
    for (std::size_t i = 0; i < entries->files.size(); ++i) {
        GUFO_TRY(job.check());
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
    if (auto added = addJsonMetadata(metadata, entries->rest, "index", options); !added) {
        joined.findings().addUnreadable(FindingCode::CompanionUnreadable, path.filename().native(), added.error());
    }
    joined.indexTensors();
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
    for (ShardName sibling = name; paths.size() < name.count;) {
        sibling.number = static_cast<std::uint32_t>(paths.size() + 1);
        paths.push_back(folder / shardFileName(sibling, suffix));
    }
    JoinedModel joined(paths);
    for (std::size_t i = 0; i < paths.size(); ++i) {
        GUFO_TRY(job.check());
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
    GUFO_TRY(job.check());
    joined.model().openedFile = FileIndex(name.number - 1);
    joined.indexTensors();
    return std::move(joined).finish();
}

} // namespace gufo::shard_index
