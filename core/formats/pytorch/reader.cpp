#include "formats/pytorch/reader.h"

#include "base/checked.h"
#include "base/detail.h"
#include "formats/detection/file_start.h"
#include "formats/pytorch/archive.h"
#include "formats/pytorch/checkpoint.h"
#include "formats/pytorch/tar_checkpoint.h"
#include "formats/sets/folder_files.h"
#include "model/finding_code.h"

#include <algorithm>
#include <unordered_map>

namespace gufo::pytorch {
namespace {

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
