#include "formats/pytorch/tar_checkpoint.h"

#include "base/checked.h"
#include "base/detail.h"
#include "formats/pytorch/checkpoint.h"
#include "formats/pytorch/tar.h"

#include <charconv>
#include <deque>
#include <unordered_map>

namespace gufo::pytorch {
namespace {

using pickle::Node;
using pickle::Pickle;
using Kind = Node::Kind;

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
    auto facts = fileNamed(tar, "sys_info");
    const auto system = GUFO_TRY(facts ? nextPickle(*facts) : std::unexpected(std::move(facts).error()));
    m_model.byteOrder = isBigEndianSystem(system) ? ByteOrder::Big : ByteOrder::Little;
    auto storages = fileNamed(tar, "storages");
    auto read = storages ? readStorages(*storages) : std::unexpected(std::move(storages).error());
    auto tensors = read ? fileNamed(tar, "tensors") : std::unexpected(std::move(read).error());
    read = tensors ? readTensors(*tensors) : std::unexpected(std::move(tensors).error());
    auto objects = read ? fileNamed(tar, "pickle") : std::unexpected(std::move(read).error());
    const auto pickle = GUFO_TRY(objects ? nextPickle(*objects) : std::unexpected(std::move(objects).error()));
    m_model.files[0].headerBytes = objects->position;
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

} // namespace

Result<> readTarCheckpoint(Model& model, FindingList& findings, Bytes bytes, const JobContext& job,
                           GlobalList& globals) {
    return TarReader(model, findings, bytes, job, globals).read();
}

} // namespace gufo::pytorch
