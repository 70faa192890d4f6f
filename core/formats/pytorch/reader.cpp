#include "formats/pytorch/reader.h"

#include "base/checked.h"
#include "base/detail.h"
#include "formats/detection/file_start.h"
#include "formats/pytorch/archive.h"
#include "formats/pytorch/checkpoint.h"
#include "formats/pytorch/tar.h"
#include "formats/sets/folder_files.h"
#include "model/finding_code.h"
#include "model/finding_list.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <unordered_map>

namespace gufo::pytorch {
namespace {

using pickle::Node;
using pickle::Pickle;
using Kind = Node::Kind;

using ReadFunction = Result<> (*)(Model& model, FindingList& findings, Bytes bytes, const JobContext& job,
                                  GlobalList& globals);

std::string_view textOf(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// Programs that read checkpoints differ in which pickles of an archive they load.
void addGlobalsOfOthers(GlobalList& globals, const Archive& archive, std::string_view main, Bytes bytes,
                        const JobContext& job) {
    std::uint64_t left = bytes.size(); // entries may overlap
    for (const std::string_view name : archive.allWith(".pkl")) {
        if (const auto range = archive.find(name); name != main && range && range->length <= left) {
            (void)readPickle(bytes.first(range->offset + range->length), range->offset, job, globals);
            left -= range->length;
        }
    }
}

Result<> readArchive(Model& model, FindingList& findings, Bytes bytes, const JobContext& job, GlobalList& globals) {
    constexpr std::string_view kPickle = "data.pkl";
    const auto archive = GUFO_TRY(Archive::read(bytes));
    const std::vector<std::string_view> pickles = archive.allWith("/data.pkl");
    const std::string_view pickleName = pickles.empty() ? kPickle : pickles.front();
    const std::string folder(pickleName.substr(0, pickleName.size() - kPickle.size()));
    addGlobalsOfOthers(globals, archive, pickleName, bytes, job);
    const auto range = GUFO_TRY(archive.find(pickleName));
    if (const auto order = archive.find(folder + "byteorder"); order && order->length <= 16) {
        model.byteOrder =
            textOf(bytes.subspan(order->offset, order->length)) == "big" ? ByteOrder::Big : ByteOrder::Little;
    }
    const auto pickle = GUFO_TRY(readPickle(bytes.first(range.offset + range.length), range.offset, job, globals));
    model.files[0].headerBytes = range.offset + range.length;
    std::string entryName = folder + "data/";
    const std::size_t storages = entryName.size();
    std::size_t next = 0;
    const auto findStorage = [&](std::string_view key) -> std::optional<ByteRange> {
        if (!isPlainName(key)) {
            return std::nullopt;
        }
        entryName.resize(storages);
        const auto found = archive.findNext(entryName.append(key), next);
        return found ? std::optional(*found) : std::nullopt;
    };
    return addCheckpoint(model, findings, pickle, {.findStorage = findStorage, .globals = globals.all()}, job);
}

Result<> readPickles(Model& model, FindingList& findings, Bytes bytes, const JobContext& job, GlobalList& globals) {
    std::uint64_t position = 0;
    const auto next = [&] { // Python would import the globals of every pickle
        auto pickle = readPickle(bytes, position, job, globals);
        position = pickle ? pickle->end : position;
        return pickle;
    };
    for (int i = 0; i < 2; ++i) { // the magic number and the version
        GUFO_TRY(next());
    }
    const auto facts = next();
    const auto objects = facts ? next() : facts;
    const auto keys = GUFO_TRY(objects ? next() : objects);
    model.byteOrder = isBigEndianSystem(*facts) ? ByteOrder::Big : ByteOrder::Little;
    model.files[0].headerBytes = position;
    std::unordered_map<std::string_view, std::uint64_t> elementBytes;
    for (const StorageUse& use : storagesOf(*objects)) {
        elementBytes.emplace(use.key, use.elementBytes);
    }
    std::unordered_map<std::string_view, ByteRange> storages;
    for (const pickle::NodeId id : keys.itemsOf(keys[keys.result])) {
        const std::string_view key = keys[id].text;
        const auto use = elementBytes.find(key);
        constexpr std::uint64_t kCountBytes = sizeof(std::int64_t);
        if (use == elementBytes.end() || !fits({position, kCountBytes}, bytes.size())) {
            break;
        }
        const auto size = checkedMultiply(load<std::uint64_t>(bytes.data() + position, model.byteOrder), use->second);
        position += kCountBytes;
        if (!size || !fits({position, *size}, bytes.size())) {
            break; // the tensors of the other storages are reported as missing
        }
        storages.emplace(key, ByteRange{position, *size});
        position += *size;
    }
    const auto findStorage = [&](std::string_view key) -> std::optional<ByteRange> {
        const auto found = storages.find(key);
        return found != storages.end() ? std::optional(found->second) : std::nullopt;
    };
    return addCheckpoint(model, findings, *objects, {.findStorage = findStorage, .globals = globals.all()}, job);
}

Result<> readOnePickle(Model& model, FindingList& findings, Bytes bytes, const JobContext& job, GlobalList& globals) {
    const auto pickle = GUFO_TRY(readPickle(bytes, 0, job, globals));
    model.files[0].headerBytes = pickle.end;
    const auto noStorage = [](std::string_view) { return std::optional<ByteRange>(); };
    return addCheckpoint(model, findings, pickle, {.findStorage = noStorage, .globals = globals.all()}, job);
}

// ---- tar archives ---------------------------------------------------------------------------------------------------

// Returns a key as a number. Pickles store it as a number or as its digits.
std::optional<std::int64_t> keyOf(const Node& node) {
    if (node.kind == Kind::Integer && !node.isHuge) {
        return node.integer;
    }
    std::int64_t key = 0;
    const auto [end, error] = std::from_chars(node.text.data(), node.text.data() + node.text.size(), key);
    const bool isNumber = node.kind == Kind::Text && error == std::errc() && end == node.text.data() + node.text.size();
    return isNumber ? std::optional(key) : std::nullopt;
}

// Reads the checkpoints of PyTorch before version 0.1.10: tar archives of four files.
//
//   sys_info   a pickle of facts about the system that wrote it
//   storages   a pickle of their number; for each a pickle (key, device, class), the number of its elements (i64) and
//              its bytes; a pickle of storages that are parts of others: (key, key of the whole, first element,
//              elements)
//   tensors    a pickle of their number; for each a pickle (key, key of its storage, class), the number of dimensions
//              (i32 and 4 unused bytes), the sizes, the strides and the first element (i64)
//   pickle     the objects, in which persistent ids are the keys of tensors
class TarReader {
public:
    TarReader(Model& model, FindingList& findings, Bytes bytes, const JobContext& job, GlobalList& globals)
        : m_model(model)
        , m_findings(findings)
        , m_bytes(bytes)
        , m_job(job)
        , m_globals(globals) {}

    Result<> read();

private:
    struct Storage {
        ByteRange range;
        DataType type;
    };
    // A file of the archive, which is read from its beginning.
    struct File {
        Bytes bytes; // of the archive up to the end of the file, so that offsets are counted in the archive
        std::uint64_t position = 0;
    };

    Result<File> fileNamed(const Tar& tar, std::string_view name) {
        const auto range = GUFO_TRY(tar.find(name));
        return File{m_bytes.first(range.offset + range.length), range.offset};
    }
    Result<Pickle> nextPickle(File& file);
    Result<std::uint64_t> nextCount(File& file);
    template<typename T>
    Result<T> nextNumber(File& file);
    Result<> readStorages(File file);
    Result<> readParts(File& file);
    Result<> readTensors(File file);

    Model& m_model;
    FindingList& m_findings;
    Bytes m_bytes;
    const JobContext& m_job;
    std::unordered_map<std::int64_t, Storage> m_storages;
    std::unordered_map<std::int64_t, StoredTensor> m_tensors;
    std::deque<std::string> m_keys; // of their storages
    GlobalList& m_globals;
};

Result<Pickle> TarReader::nextPickle(File& file) {
    auto pickle = readPickle(file.bytes, file.position, m_job, m_globals);
    file.position = pickle ? pickle->end : file.position;
    return pickle;
}

Result<std::uint64_t> TarReader::nextCount(File& file) {
    const std::uint64_t offset = file.position;
    const auto pickle = GUFO_TRY(nextPickle(file));
    const Node& node = pickle[pickle.result];
    if (node.kind != Kind::Integer || node.isHuge || node.integer < 0) {
        return fail(ErrorCode::Malformed, Place::atOffset(offset), {Detail::PickleNumber});
    }
    return static_cast<std::uint64_t>(node.integer);
}

template<typename T>
Result<T> TarReader::nextNumber(File& file) {
    if (!fits({file.position, sizeof(T)}, file.bytes.size())) {
        return fail(ErrorCode::Truncated, Place::atOffset(file.position),
                    {Detail::Value, sizeof(T), file.bytes.size() - file.position});
    }
    const T value = load<T>(file.bytes.data() + file.position, m_model.byteOrder);
    file.position += sizeof(T);
    return value;
}

Result<> TarReader::readStorages(File file) {
    const auto count = GUFO_TRY(nextCount(file));
    for (std::uint64_t i = 0; i < count; ++i) { // ends at the end of the file, whatever the count
        const std::uint64_t offset = file.position;
        const auto pickle = GUFO_TRY(nextPickle(file));
        const std::span<const pickle::NodeId> args = pickle.itemsOf(pickle[pickle.result]);
        const auto key = args.size() == 3 ? keyOf(pickle[args[0]]) : std::nullopt;
        const DataType type = key && pickle[args[2]].kind == Kind::Global ? dataTypeOf(pickle[args[2]]) : DataType();
        if (type.info == nullptr) { // without its type, the next storage cannot be found
            return fail(ErrorCode::Malformed, Place::atOffset(offset), {Detail::PickleStack});
        }
        const auto elements = GUFO_TRY(nextNumber<std::uint64_t>(file));
        const auto size = checkedMultiply(elements, type.info->blockBytes);
        if (!size || !fits({file.position, *size}, file.bytes.size())) {
            return fail(
                ErrorCode::Truncated, Place::atOffset(file.position),
                {Detail::Tensor, size ? Argument(*size) : Argument(elements), file.bytes.size() - file.position});
        }
        m_storages.emplace(*key, Storage{{file.position, *size}, type});
        file.position += *size;
    }
    return file.position < file.bytes.size() ? readParts(file) : Result<>();
}

// A part that lies outside of its whole is left out, so that its tensors are reported.
Result<> TarReader::readParts(File& file) {
    const auto pickle = GUFO_TRY(nextPickle(file));
    for (const pickle::NodeId id : pickle.itemsOf(pickle[pickle.result])) {
        const std::span<const pickle::NodeId> args = pickle.itemsOf(pickle[id]);
        if (args.size() != 4) {
            continue;
        }
        const auto key = keyOf(pickle[args[0]]);
        const auto whole = keyOf(pickle[args[1]]);
        const auto first = keyOf(pickle[args[2]]);
        const auto elements = keyOf(pickle[args[3]]);
        const auto found = whole ? m_storages.find(*whole) : m_storages.end();
        if (!key || !first || !elements || *first < 0 || *elements < 0 || found == m_storages.end()) {
            continue;
        }
        const Storage storage = found->second;
        const auto offset = checkedMultiply(static_cast<std::uint64_t>(*first), storage.type.info->blockBytes);
        const auto size = checkedMultiply(static_cast<std::uint64_t>(*elements), storage.type.info->blockBytes);
        if (offset && size && fits({*offset, *size}, storage.range.length)) {
            m_storages.emplace(*key, Storage{{storage.range.offset + *offset, *size}, storage.type});
        }
    }
    return {};
}

Result<> TarReader::readTensors(File file) {
    const auto count = GUFO_TRY(nextCount(file));
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t offset = file.position;
        const auto pickle = GUFO_TRY(nextPickle(file));
        const std::span<const pickle::NodeId> args = pickle.itemsOf(pickle[pickle.result]);
        const auto key = args.size() == 3 ? keyOf(pickle[args[0]]) : std::nullopt;
        const auto storageKey = key ? keyOf(pickle[args[1]]) : std::nullopt;
        if (!storageKey) {
            return fail(ErrorCode::Malformed, Place::atOffset(offset), {Detail::PickleStack});
        }
        const auto dimensions = nextNumber<std::uint32_t>(file);
        GUFO_TRY(dimensions ? nextNumber<std::uint32_t>(file) : dimensions);
        if (*dimensions > Shape::kMaxDimensions) {
            return fail(ErrorCode::TooManyDimensions, Place::atOffset(offset), {*dimensions, Shape::kMaxDimensions});
        }
        StoredTensor tensor{
            .storage = m_keys.emplace_back(std::to_string(*storageKey)), .type = {}, .recordOffset = offset};
        if (const auto storage = m_storages.find(*storageKey); storage != m_storages.end()) {
            tensor.type = storage->second.type;
        }
        for (auto* numbers : {&tensor.dims, &tensor.strides}) {
            numbers->count = *dimensions;
            for (std::uint32_t dim = *dimensions; dim-- > 0;) {
                numbers->values[dim] = GUFO_TRY(nextNumber<std::uint64_t>(file));
            }
        }
        tensor.first = GUFO_TRY(nextNumber<std::uint64_t>(file));
        m_tensors.emplace(*key, std::move(tensor));
    }
    return {};
}

Result<> TarReader::read() {
    const auto tar = GUFO_TRY(Tar::read(m_bytes));
    auto facts = GUFO_TRY(fileNamed(tar, "sys_info"));
    const auto system = GUFO_TRY(nextPickle(facts));
    m_model.byteOrder = isBigEndianSystem(system) ? ByteOrder::Big : ByteOrder::Little;
    const auto storages = GUFO_TRY(fileNamed(tar, "storages"));
    GUFO_TRY(readStorages(storages));
    const auto tensors = GUFO_TRY(fileNamed(tar, "tensors"));
    GUFO_TRY(readTensors(tensors));
    auto objects = GUFO_TRY(fileNamed(tar, "pickle"));
    const auto pickle = GUFO_TRY(nextPickle(objects));
    m_model.files[0].headerBytes = objects.position;
    const CheckpointParts parts{.findStorage = [&](std::string_view key) -> std::optional<ByteRange> {
                                    std::int64_t number = 0;
                                    std::from_chars(key.data(), key.data() + key.size(), number);
                                    const auto found = m_storages.find(number);
                                    return found != m_storages.end() ? std::optional(found->second.range)
                                                                     : std::nullopt;
                                },
                                .findTensor = [&](const Node& id) -> const StoredTensor* {
                                    const auto key = keyOf(id);
                                    const auto found = key ? m_tensors.find(*key) : m_tensors.end();
                                    return found != m_tensors.end() ? &found->second : nullptr;
                                },
                                .globals = m_globals.all()};
    return addCheckpoint(m_model, m_findings, pickle, parts, m_job);
}

Result<> readTarCheckpoint(Model& model, FindingList& findings, Bytes bytes, const JobContext& job,
                           GlobalList& globals) {
    return TarReader(model, findings, bytes, job, globals).read();
}

// ---- all layouts ----------------------------------------------------------------------------------------------------

// Python calls functions while it reads, so a pickle that is damaged further on does its harm all the same. It is
// opened for what it names.
Result<> addGlobalsBeforeDamage(Model& model, FindingList& findings, Bytes bytes, const GlobalList& globals,
                                const Error& error, const JobContext& job) {
    pickle::Pickle nothing;
    nothing.nodes.emplace_back();
    const std::uint64_t offset = error.place.offset.value_or(0);
    findings.add(FindingCode::TensorRecordBroken, Place::atOffset(offset), {bytes.size() - offset});
    return addCheckpoint(model, findings, nothing, {.findStorage = {}, .globals = globals.all()}, job);
}

Result<std::shared_ptr<const Model>> readAs(std::string_view container, ReadFunction readBytes,
                                            const std::shared_ptr<const ByteSource>& file, const JobContext& job) {
    const auto bytes = GUFO_TRY(file->view({0, file->size()}));
    const auto newModel = [&] {
        auto model = std::make_shared<Model>();
        model->container = container;
        model->files.push_back({.source = file, .path = file->path(), .alignment = 0});
        return model;
    };
    auto model = newModel();
    FindingList findings;
    GlobalList globals;
    auto read = readBytes(*model, findings, bytes, job, globals);
    if (!read && read.error().code != ErrorCode::Cancelled && globals.hasDangerous()) {
        model = newModel();
        findings = {};
        read = addGlobalsBeforeDamage(*model, findings, bytes, globals, Error(read.error()), job);
    }
    if (const auto damage = file->damage()) { // before any other error, because what was parsed may have been zeros
        return std::unexpected(*damage);
    }
    if (!read) {
        return std::unexpected(Error(read.error()).in(file->path()));
    }
    for (const TensorIndex duplicate : model->indexTensors()) {
        const std::string name(model->tensor(duplicate).name);
        findings.add(FindingCode::DuplicateTensorName, Place::tensor(name), {name});
    }
    model->findings = std::move(findings).take();
    return model;
}

} // namespace

Result<std::shared_ptr<const Model>> readZip(std::shared_ptr<const ByteSource> file, const JobContext& job) {
    const auto start = file->view({0, std::min<std::uint64_t>(file->size(), 16)});
    if (start && !textOf(*start).starts_with("PK")) { // a file of another format that is named like a checkpoint
        return std::unexpected(notAModel(*start, file->path()));
    }
    return readAs(kZipContainer, readArchive, file, job);
}

Result<std::shared_ptr<const Model>> readStream(std::shared_ptr<const ByteSource> file, const JobContext& job) {
    return readAs(kStreamContainer, readPickles, file, job);
}

Result<std::shared_ptr<const Model>> readBare(std::shared_ptr<const ByteSource> file, const JobContext& job) {
    return readAs(kBareContainer, readOnePickle, file, job);
}

Result<std::shared_ptr<const Model>> readTar(std::shared_ptr<const ByteSource> file, const JobContext& job) {
    return readAs(kTarContainer, readTarCheckpoint, file, job);
}

} // namespace gufo::pytorch
