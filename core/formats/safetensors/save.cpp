#include "formats/safetensors/save.h"

#include "base/byte_order.h"
#include "base/detail.h"
#include "base/json_reader.h"
#include "base/json_text.h"
#include "base/mapped_file.h"
#include "formats/detection/shard_names.h"
#include "formats/safetensors/header_text.h"
#include "formats/safetensors/reader.h"
#include "formats/save/execute.h"
#include "formats/sets/model_folder.h"
#include "formats/sets/shard_index.h"
#include "model/model.h"
#include "model/set_fault.h"

#include <algorithm>
#include <filesystem>
#include <string>

namespace gufo::safetensors {
namespace {

// A set of safetensors shards under another name: the names of its files, and its list.

// The files of a set of `count` shards that is saved as `path`, the name of a shard of such a set, of its list, or of a
// single file: "x-00001-of-00003.safetensors", "x.safetensors.index.json" or "x.safetensors".
struct SetFiles {
    std::vector<std::filesystem::path> shards;
    std::filesystem::path list;
};

namespace fs = std::filesystem;

constexpr std::string_view kWeightMap = "weight_map";

// The common beginning of the names of all files of the set.
std::string prefixOf(const fs::path& path) {
    std::string name = path.filename().native();
    if (const auto shard = parseShardName(path.filename(), kSuffix)) {
        return shard->prefix;
    }
    for (const std::string_view suffix : {kShardListSuffix, kSuffix}) {
        if (name.size() > suffix.size() && name.ends_with(suffix)) {
            name.resize(name.size() - suffix.size());
            break;
        }
    }
    return name;
}

Result<std::string> weightMap(const Model& model, const SetFiles& files) {
    std::vector<const TensorInfo*> tensors;
    for (const TensorInfo& tensor : model.tensors) {
        tensors.push_back(&tensor);
    }
    std::ranges::sort(tensors, {}, [](const TensorInfo* tensor) { return tensor->name; });
    std::string text;
    JsonText json([&](Bytes bytes) -> Result<> {
        text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return {};
    });
    json.raw("{");
    for (const TensorInfo* tensor : tensors) {
        json.raw(tensor == tensors.front() ? "\n    " : ",\n    ");
        json.text(tensor->name);
        json.raw(": ");
        json.text(files.shards[tensor->file.value].filename().native());
    }
    json.raw("\n  }");
    GUFO_TRY(json.finish());
    return text;
}

// The list by which the model was opened, or which its folder has; null if there is none.
const ByteSource* listOf(const Model& model) {
    const auto isList = [](const auto& file) { return file->path().filename().native().ends_with(kShardListSuffix); };
    const auto list = std::ranges::find_if(model.companions, isList);
    return list != model.companions.end() ? list->get() : nullptr;
}

// Puts the map into the place of the one in a list.
Result<std::string> replaceMap(const ByteSource& list, const std::string& map) {
    const auto bytes = GUFO_TRY(list.view({0, list.size()}));
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (const auto damage = list.damage()) {
        return std::unexpected(*damage);
    }
    std::size_t begin = 0;
    std::size_t end = 0;
    JsonReader json(text);
    GUFO_TRY(json.expect(JsonReader::Token::ObjectStart, Detail::KeyObject));
    GUFO_TRY(json.readMembers([&]() -> Result<> {
        if (end != 0 || json.text() != kWeightMap) {
            return json.skipValue();
        }
        JsonReader lookahead = json;
        const auto value = lookahead.next();
        auto skipped = json.skipValue();
        if (value) {
            begin = lookahead.tokenBegin();
            end = json.tokenEnd();
        }
        return skipped;
    }));
    return text.replace(begin, end - begin, map);
}

SetFiles setFiles(const fs::path& path, std::uint32_t count) {
    const std::string prefix = prefixOf(path);
    const fs::path folder = path.parent_path();
    SetFiles files{.shards = {}, .list = folder / (prefix + std::string(kShardListSuffix))};
    for (std::uint32_t number = 1; number <= count; ++number) {
        files.shards.push_back(folder / shardFileName({prefix, number, count}, kSuffix));
    }
    return files;
}

// The list of the model's tensors in files of these names. Other members of the model's list, if it has one, are kept
// as they are written; otherwise the list states the size of the tensors. Errors: the errors of reading the old list.
Result<std::string> listText(const Model& model, const SetFiles& files) {
    auto map = GUFO_TRY(weightMap(model, files));
    if (const ByteSource* list = listOf(model)) {
        return replaceMap(*list, map);
    }
    return "{\n  \"metadata\": {\n    \"total_size\": " + std::to_string(model.totals().tensorBytes) +
           "\n  },\n  \"weight_map\": " + map + "\n}\n";
}

using saving::PlannedFile;
using saving::PlannedSave;

constexpr std::uint64_t kAlignment = 8; // of the tensor data, as the format's own writer aligns them
// More reserved space is released if blocks can be removed.
constexpr std::uint64_t kMaxReserved = 64 * kReservedBytes;

// Chooses the size of the whole header, with its length, for a text of a given size.
class HeaderSize {
public:
    HeaderSize(const PlannedFile& file, const SaveOptions& options, std::uint64_t textBytes, bool canShift)
        : m_old(file.oldDataOffset)
        , m_bare(kLengthBytes + textBytes)
        , m_unit(file.unit())
        , m_canGrow(file.hasTensors && m_unit <= saving::kMaxUnit)
        , m_canShift(canShift && m_canGrow)
        , m_reserves(options.reserve == Reserve::Automatic)
        , m_mayAdd(options.mayReserveIn(file.source->size()))
        , m_forced(options.strategy) {}

    [[nodiscard]] std::uint64_t choose() const {
        const std::uint64_t packed = (m_bare + kAlignment - 1) / kAlignment * kAlignment;
        const bool shiftAsked = m_forced == SaveStrategy::Shift;
        if (!m_reserves) {
            return m_bare == m_old ? m_old : packed;
        }
        if (m_bare <= m_old && !shiftAsked && (m_old - m_bare <= kMaxReserved || !m_canShift)) {
            return m_old;
        }
        if (!m_canGrow || !m_mayAdd || m_forced == SaveStrategy::Patch) {
            return std::max(packed, m_old);
        }
        // The smallest size that differs from the old one by a multiple of the unit and leaves space for later edits.
        const std::uint64_t minimum = m_bare + kReservedBytes;
        const std::uint64_t rest = m_old % m_unit;
        std::uint64_t size = rest + (minimum > rest ? (minimum - rest + m_unit - 1) / m_unit * m_unit : 0);
        size += size == m_old ? m_unit : 0;
        return size <= kLengthBytes + kMaxHeader ? size : packed;
    }

private:
    std::uint64_t m_old;
    std::uint64_t m_bare;
    std::uint64_t m_unit;
    bool m_canGrow;
    bool m_canShift;
    bool m_reserves;
    bool m_mayAdd;
    std::optional<SaveStrategy> m_forced;
};

Result<> checkLength(std::uint64_t textBytes) {
    return textBytes <= kMaxHeader
               ? Result<>()
               : fail(ErrorCode::InvalidArgument, {}, {Argument(Detail::HeaderTooLong, {textBytes, kMaxHeader})});
}

// A header of `bytes` bytes, which ends with spaces.
std::vector<std::byte> header(std::string_view text, std::uint64_t bytes) {
    std::vector<std::byte> made(bytes, std::byte{' '});
    store<std::uint64_t>(made.data(), bytes - kLengthBytes);
    std::ranges::copy(std::as_bytes(std::span(text)), made.begin() + kLengthBytes);
    return made;
}

// Refuses changes that the format cannot represent. Documents do not offer them.
Result<> checkPossible(const Model& base, const Model& edited, const SaveTarget& target) {
    const auto same = [](const TensorInfo& a, const TensorInfo& b) { return a.name == b.name && a.offset == b.offset; };
    const bool possible = savesHeaders(base) && edited.files.size() == base.files.size() &&
                          std::ranges::equal(base.tensors, edited.tensors, same) && target.version == base.version &&
                          target.byteOrder == base.byteOrder;
    return possible ? Result<>()
                    : std::unexpected(Error{ErrorCode::FormatReadOnly, base.path(), {}, {base.container}, 0});
}

// A file with the metadata that it gets.
Result<PlannedFile> planFile(const Model& base, const Model& edited, std::size_t number, const SaveOptions& options,
                             FileOperations& operations) {
    const ModelFile& before = base.files[number];
    const auto part = read(before.source);
    const auto changed = part ? editedPart(**part, base, edited) : std::unexpected(part.error());
    const auto text = changed ? headerText(**part, *changed) : std::unexpected(changed.error());
    const auto fits = text ? checkLength(text->size()) : std::unexpected(text.error());
    if (!fits) {
        return std::unexpected(Error(fits.error()).in(before.path));
    }
    PlannedFile file = saving::plannedFile(FileIndex(number), before, operations);
    file.mark = saving::StartMark::Length;
    file.sameData = true;
    file.hasTensors = !(*part)->tensors.empty();
    file.oldDataEnd = before.source->size();
    file.alignment = kAlignment;
    const std::uint64_t bytes = HeaderSize(file, options, text->size(), file.canShift).choose();
    file.header = header(*text, bytes);
    const std::uint64_t spaces = bytes - kLengthBytes - text->size();
    file.plan.reserved = spaces < kAlignment ? 0 : spaces; // fewer only align the data
    file.plan.addsReserved = bytes > file.oldDataOffset && spaces >= kReservedBytes;
    return file;
}

Result<PlannedSave> planSave(const Model& base, const Model& edited, const SaveTarget& target,
                             const SaveOptions& options, FileOperations& operations, saving::Purpose purpose) {
    GUFO_TRY(checkPossible(base, edited, target));
    std::vector<PlannedFile> files;
    for (std::size_t i = 0; i < base.files.size(); ++i) {
        auto file = GUFO_TRY(planFile(base, edited, i, options, operations));
        files.push_back(std::move(file));
    }
    return saving::decide(std::move(files), target, options, operations, purpose);
}

// The model as it is without edits, with the keys of the files beside it.
Result<std::shared_ptr<const Model>> openedAgain(const Model& edited, const JobContext& job) {
    if (edited.openedAs.empty()) {
        return edited.files.size() == 1 ? read(edited.files[0].source, job)
                                        : open(edited.files[edited.openedFile.value].source, job);
    }
    std::error_code error;
    if (std::filesystem::is_directory(edited.openedAs, error)) {
        return readModelFolder(edited.openedAs, job);
    }
    auto list = GUFO_TRY(MappedFile::open(edited.openedAs));
    return shard_index::open(std::move(list), job);
}

// A file of the model under another name.
Result<saving::NewFile> newFile(const Model& base, const Model& edited, std::size_t number,
                                std::filesystem::path path) {
    const ModelFile& from = edited.files[number];
    const auto part = read(from.source);
    const auto changed = part ? editedPart(**part, base, edited) : std::unexpected(part.error());
    const auto text = changed ? headerText(**part, *changed) : std::unexpected(changed.error());
    const auto fits = text ? checkLength(text->size()) : std::unexpected(text.error());
    if (!fits) {
        return std::unexpected(Error(fits.error()).in(from.path));
    }
    saving::NewFile file;
    file.path = std::move(path);
    file.header = header(*text, (kLengthBytes + text->size() + kAlignment - 1) / kAlignment * kAlignment);
    const ByteRange data{from.dataOffset, from.source->size() - from.dataOffset};
    if (data.length != 0) {
        file.pieces = {{.source = from.source, .range = data, .offset = file.header.size()}};
    }
    file.size = file.header.size() + data.length;
    return file;
}

// A file that would be replaced, or left beside the set, although the caller did not name it.
std::optional<std::filesystem::path> existing(std::span<const saving::NewFile> files,
                                              const std::filesystem::path& named, FileOperations& operations) {
    bool isNamed = false;
    for (const saving::NewFile& file : files) {
        isNamed = isNamed || file.path == named;
        if (file.path != named && operations.status(file.path)) {
            return file.path;
        }
    }
    return !isNamed && operations.status(named) ? std::optional(named) : std::nullopt;
}

} // namespace

bool savesHeaders(const Model& model) {
    // A list or a folder of the weights themselves; a manifest, such as Ollama's, is elsewhere, and its files are
    // shared.
    const std::filesystem::path folder = model.files.empty() ? "" : model.files[0].path.parent_path();
    const std::filesystem::path& openedAs = model.openedAs;
    const bool isList = openedAs.extension() == ".json" && openedAs.parent_path() == folder;
    if (!openedAs.empty() && !isList && (openedAs / "").parent_path() != folder) {
        return false;
    }
    std::optional<std::string> set;
    for (const ModelFile& file : model.files) {
        if (file.source == nullptr) {
            return false;
        }
        const auto name = parseShardName(file.path.filename(), kSuffix);
        const auto setOfFile = name ? std::optional(shardSetName(*name)) : std::nullopt;
        if (model.files.size() > 1 && (!setOfFile || (set && set != setOfFile) || name->count != model.files.size())) {
            return false;
        }
        set = setOfFile;
    }
    return !model.files.empty();
}

Result<SavePlan> planSave(const Model& base, const Model& edited, const SaveTarget& target,
                          const SaveOptions& options) {
    return saving::predict(planSave, base, edited, target, options);
}

Result<SaveReport> save(const Model& base, const Model& edited, const SaveTarget& target, const SaveOptions& options,
                        const JobContext& job) {
    return saving::execute({planSave, open}, base, edited, target, options, job);
}

Result<SaveReport> saveAs(const Model& edited, const SaveTarget& target, const std::filesystem::path& path,
                          const SaveOptions& options, const JobContext& job) {
    FileOperations& operations = options.operations != nullptr ? *options.operations : realFileOperations();
    GUFO_TRY(checkSet(edited));
    const auto base = openedAgain(edited, job);
    const auto possible = base ? checkPossible(**base, edited, target) : std::unexpected(base.error());
    if (!possible) {
        return std::unexpected(Error(possible.error()).in(edited.path()));
    }
    const std::filesystem::path resolved = saving::resolveNew(operations, path);
    if (edited.files.size() == 1) {
        auto file = GUFO_TRY(newFile(**base, edited, 0, resolved));
        return saving::saveNewFiles(open, edited, target, {&file, 1}, options, job);
    }
    const SetFiles names = setFiles(resolved, static_cast<std::uint32_t>(edited.files.size()));
    std::vector<saving::NewFile> files;
    for (std::size_t i = 0; i < edited.files.size(); ++i) {
        auto file = GUFO_TRY(newFile(**base, edited, i, names.shards[i]));
        files.push_back(std::move(file));
    }
    const auto list = listText(edited, names);
    if (!list) {
        return std::unexpected(Error(list.error()).in(edited.path()));
    }
    const Bytes text = std::as_bytes(std::span(*list));
    files.push_back({.path = names.list, .header = {text.begin(), text.end()}, .pieces = {}, .size = text.size()});
    if (const auto taken = existing(files, resolved, operations)) {
        return std::unexpected(Error{ErrorCode::InvalidArgument, *taken, {}, {Detail::FileExists}, 0});
    }
    return saving::saveNewFiles(open, edited, target, files, options, job);
}

} // namespace gufo::safetensors
