#include "formats/pytorch/checkpoint.h"

#include "base/checked.h"
#include "base/detail.h"
#include "formats/pytorch/globals.h"
#include "model/finding_code.h"
#include "model/metadata_builder.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <set>

namespace gufo::pytorch {
namespace {

using pickle::Node;
using pickle::NodeId;
using Kind = Node::Kind;

constexpr std::size_t kMaxTensors = 262'144;
constexpr std::size_t kTensorsReserved = 65'536; // at most, because a dictionary may hold other values
constexpr std::size_t kMaxKeys = 16'384;
constexpr std::size_t kMaxVisits = 4'000'000;
constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxNameBytes = 4096;
constexpr std::size_t kMaxNameBytesInAll = std::size_t{64} << 20U;
constexpr std::size_t kVisitsPerStopCheck = 16'384;

struct Storage {
    std::string_view key;
    const Node* type = nullptr; // the global of its class
};

// The id of a storage: ("storage", class, key, device, elements).
std::optional<Storage> storageOf(const pickle::Pickle& pickle, const Node& node) {
    if (node.kind != Kind::Persistent) {
        return std::nullopt;
    }
    const Node& id = pickle.item(node, 0);
    if (id.kind != Kind::Tuple || id.itemCount < 5 || pickle.item(id, 0).text != "storage" ||
        pickle.item(id, 1).kind != Kind::Global || pickle.item(id, 2).kind != Kind::Text) {
        return std::nullopt;
    }
    return Storage{pickle.item(id, 2).text, &pickle.item(id, 1)};
}

std::optional<Strides> stridesOf(const StoredTensor& stored) {
    return stored.strides.count == stored.dims.count ? Strides::of(stored.dims.span(), stored.strides.span())
                                                     : std::nullopt;
}

struct Reach {
    std::uint64_t weights;
    std::uint64_t extent; // elements of the storage from the first weight to the furthest one
    bool inOrder;
};
// Nothing if there is not a stride for each dimension, or if the numbers overflow.
std::optional<Reach> reachOf(const StoredTensor& stored) {
    std::optional<std::uint64_t> weights = 1;
    bool inOrder = stored.strides.count == stored.dims.count;
    for (std::size_t i = 0; i < stored.dims.count && inOrder && weights; ++i) {
        inOrder = weights == stored.strides.values[i] && stored.dims.values[i] != 0;
        weights = checkedMultiply(*weights, stored.dims.values[i]);
    }
    if (inOrder && weights) { // as nearly all tensors are
        return Reach{*weights, *weights, true};
    }
    const auto strides = stridesOf(stored);
    return strides ? std::optional(Reach{strides->weights, strides->extent, strides->inOrder()}) : std::nullopt;
}

// What a pickle without tensors consists of.
Argument contentOf(const Node& node) {
    switch (node.kind) {
    case Kind::Bool:
    case Kind::Integer:
    case Kind::Real:
        return Detail::PickledNumber;
    case Kind::Text:
    case Kind::Bytes:
        return Detail::PickledText;
    case Kind::List:
    case Kind::Tuple:
    case Kind::Set:
        return {Detail::PickledValues, {node.itemCount}};
    case Kind::Dict:
        return {Detail::PickledValues, {node.itemCount / 2}};
    default:
        return Detail::PickledObject;
    }
}

class Collector {
public:
    Collector(Model& model, FindingList& findings, const pickle::Pickle& pickle, const CheckpointParts& parts,
              const JobContext& job)
        : m_model(model)
        , m_findings(findings)
        , m_pickle(pickle)
        , m_parts(parts)
        , m_job(job)
        , m_metadata(model)
        , m_strides(std::make_shared<std::deque<Strides>>()) {
        model.owned.push_back(m_strides);
    }

    Result<> run() {
        addGlobals();
        const Node& result = m_pickle[m_pickle.result];
        m_model.tensors.reserve(std::min<std::size_t>(result.itemCount / 2, kTensorsReserved));
        visit(result, 0);
        if (m_error) {
            return std::unexpected(*std::move(m_error));
        }
        if (m_cut) {
            m_findings.add(FindingCode::PickleCut);
        }
        // Where another finding says why there are no tensors, their absence is not a fault of its own.
        const bool isExplained = m_cut || m_findings.count(FindingCode::TensorRecordBroken) != 0 ||
                                 m_findings.count(FindingCode::TensorNotUnderstood) != 0 ||
                                 m_findings.count(FindingCode::GlobalDangerous) != 0;
        if (m_model.tensors.empty() && !isExplained) {
            m_findings.add(FindingCode::PickleWithoutTensors, {}, {contentOf(result)});
        }
        return {};
    }

private:
    void addGlobals();
    void addGlobal(const Node& global);
    void visit(const Node& node, std::size_t depth);
    // Visits a value. Its name is the name of the value that contains it, a dot, and `name`.
    void visitAt(std::string_view name, const Node& node, std::size_t depth);
    void visitCall(const Node& call, std::size_t depth);
    void visitPairs(std::span<const NodeId> items, std::size_t depth);
    void addTensor(const Node& call);
    [[nodiscard]] bool isTensorFunction(const Node& global);
    // False if the call does not have the arguments of a tensor.
    [[nodiscard]] bool describe(const Node& call, StoredTensor& stored);
    void addStored(const StoredTensor& stored);
    void notUnderstood() { m_findings.add(FindingCode::TensorNotUnderstood, Place::tensor(m_path), {m_path}); }
    void addKey(const Node& node);
    [[nodiscard]] bool keepsName();
    // False if the value is not a list of sizes.
    [[nodiscard]] bool readSizes(const Node& value, Sizes& sizes) const;
    [[nodiscard]] DataType typeOf(const Node& global);
    [[nodiscard]] bool goesOn() const { return !m_error && m_visits <= kMaxVisits; }
    void stop(ErrorCode code, Arguments args) {
        if (!m_error) {
            m_error = Error{code, {}, Place::atOffset(0), std::move(args), 0};
        }
    }

    Model& m_model;
    FindingList& m_findings;
    const pickle::Pickle& m_pickle;
    const CheckpointParts& m_parts;
    const JobContext& m_job;
    MetadataBuilder m_metadata;
    std::set<std::string> m_seenGlobals;
    std::map<Verdict, std::vector<std::string>> m_globals;
    std::shared_ptr<std::deque<Strides>> m_strides;
    std::string m_path;           // of the value that is being visited
    std::string_view m_outerName; // the last text in the file that was the first part of the path
    std::size_t m_keptNameBytes = 0;
    std::size_t m_visits = 0;
    bool m_cut = false;
    // The last type that was looked up, which most of the tensors have.
    const Node* m_typeNode = nullptr;
    DataType m_type;
    const Node* m_tensorFunction = nullptr; // the last one that was recognised
    StoredTensor m_described;               // kept, because clearing it for each tensor takes longer than filling it in
    std::optional<Error> m_error;
};

// Names each global once.
void Collector::addGlobals() {
    for (const NodeId id : m_pickle.globals) {
        addGlobal(m_pickle[id]);
    }
    for (const Node& global : m_parts.globals) {
        addGlobal(global);
    }
    for (const auto& [verdict, names] : m_globals) {
        const char* key = verdict == Verdict::Allowed   ? "pickle.globals.allowed"
                          : verdict == Verdict::Unknown ? "pickle.globals.unknown"
                                                        : "pickle.globals.dangerous";
        m_metadata.add(key, OwnedValue::strings(names));
    }
}

void Collector::addGlobal(const Node& global) {
    std::string name = std::string(global.text) + '.' + std::string(global.name);
    if (!m_seenGlobals.insert(name).second) {
        return;
    }
    const Verdict verdict = verdictOf(global);
    if (verdict != Verdict::Allowed) {
        const bool isDangerous = verdict == Verdict::Dangerous;
        m_findings.add(isDangerous ? FindingCode::GlobalDangerous : FindingCode::GlobalUnknown,
                       Place::atOffset(global.offset), {name});
    }
    m_globals[verdict].push_back(std::move(name));
}

void Collector::visitAt(std::string_view name, const Node& node, std::size_t depth) {
    const std::size_t length = m_path.size();
    if (length != 0) {
        m_path += '.';
    }
    m_path += name.substr(0, kMaxNameBytes + 1); // values with too long names are not visited
    visit(node, depth);
    m_path.resize(length);
}

void Collector::visit(const Node& node, std::size_t depth) {
    if (++m_visits > kMaxVisits || depth > kMaxDepth || m_path.size() > kMaxNameBytes) {
        m_cut = true;
        return;
    }
    if (m_visits % kVisitsPerStopCheck == 0 && m_job.stopRequested()) {
        stop(ErrorCode::Cancelled, {});
    }
    if (m_error) {
        return;
    }
    switch (node.kind) {
    case Kind::Call:
        visitCall(node, depth);
        break;
    case Kind::Dict:
        visitPairs(m_pickle.itemsOf(node), depth);
        break;
    case Kind::List:
    case Kind::Tuple:
        for (std::size_t i = 0; i < node.itemCount && goesOn(); ++i) {
            visitAt(std::to_string(i), m_pickle.item(node, i), depth + 1);
        }
        break;
    case Kind::Bool:
    case Kind::Integer:
    case Kind::Real:
    case Kind::Text:
        addKey(node);
        break;
    case Kind::Persistent:
        if (m_parts.findTensor) {
            const StoredTensor* stored = m_parts.findTensor(m_pickle.item(node, 0));
            stored != nullptr ? addStored(*stored) : notUnderstood();
        }
        break;
    default:
        break;
    }
}

void Collector::visitPairs(std::span<const NodeId> items, std::size_t depth) {
    for (std::size_t i = 0; i + 1 < items.size() && goesOn(); i += 2) {
        const Node& key = m_pickle[items[i]];
        const Node& value = m_pickle[items[i + 1]];
        if (key.kind == Kind::Text) {
            m_outerName = m_path.empty() ? key.text : m_outerName;
            visitAt(key.text, value, depth + 1);
        } else {
            const auto number = key.kind == Kind::Integer ? key.integer : static_cast<std::int64_t>(i / 2);
            visitAt(std::to_string(number), value, depth + 1);
        }
    }
}

void Collector::visitCall(const Node& call, std::size_t depth) {
    const Node& callee = m_pickle.item(call, 0);
    const Node& arguments = m_pickle.item(call, 1);
    const bool isGlobal = callee.kind == Kind::Global;
    if (isGlobal && isTensorFunction(callee)) {
        addTensor(call);
        return;
    }
    const bool hasArguments = isGlobal && arguments.kind == Kind::Tuple && arguments.itemCount != 0;
    if (hasArguments && rebuildsParameter(callee)) {
        visit(m_pickle.item(arguments, 0), depth + 1);
        return;
    }
    if (hasArguments && isOrderedDict(callee)) {
        for (const NodeId pair : m_pickle.itemsOf(m_pickle.item(arguments, 0))) { // as protocols 0 and 1 write it
            if (m_pickle[pair].itemCount == 2) {
                visitPairs(m_pickle.itemsOf(m_pickle[pair]), depth);
            }
        }
    }
    visitPairs(m_pickle.itemsOf(call).subspan(2), depth);
}

// A small pickle can describe many values with long names, which together may not take much memory.
bool Collector::keepsName() {
    m_keptNameBytes += m_path.size();
    m_cut = m_cut || m_keptNameBytes > kMaxNameBytesInAll;
    return m_keptNameBytes <= kMaxNameBytesInAll;
}

void Collector::addKey(const Node& node) {
    if (m_path.empty() || m_model.metadata.size() >= kMaxKeys || !keepsName()) {
        return;
    }
    switch (node.kind) {
    case Kind::Bool:
        m_metadata.add(m_path, OwnedValue(BoolValue{static_cast<std::uint8_t>(node.integer)}));
        break;
    case Kind::Integer:
        if (!node.isHuge) {
            m_metadata.add(m_path, OwnedValue(node.integer));
        }
        break;
    case Kind::Real:
        m_metadata.add(m_path, OwnedValue(node.real));
        break;
    default:
        m_metadata.addView(m_path, node.text);
        break;
    }
}

// A tuple of numbers that are not negative, reversed so that the fastest dimension is first.
bool Collector::readSizes(const Node& value, Sizes& sizes) const {
    const Node* node = &value;
    if (node->kind == Kind::Call && m_pickle.item(*node, 1).itemCount == 1) { // torch.Size((2, 3))
        node = &m_pickle.item(m_pickle.item(*node, 1), 0);
    }
    sizes.count = node->itemCount;
    if ((node->kind != Kind::Tuple && node->kind != Kind::List) || sizes.count > sizes.values.size()) {
        return false;
    }
    for (std::size_t i = 0; i < sizes.count; ++i) {
        const Node& number = m_pickle.item(*node, sizes.count - 1 - i);
        if (number.kind != Kind::Integer || number.isHuge || number.integer < 0) {
            return false;
        }
        sizes.values[i] = static_cast<std::uint64_t>(number.integer);
    }
    return true;
}

DataType Collector::typeOf(const Node& global) {
    if (m_typeNode != &global) {
        m_type = dataTypeOf(global);
        m_typeNode = &global;
    }
    return m_type;
}

bool Collector::isTensorFunction(const Node& global) {
    if (m_tensorFunction != &global && rebuildsTensor(global)) {
        m_tensorFunction = &global;
    }
    return m_tensorFunction == &global;
}

void Collector::addTensor(const Node& call) { describe(call, m_described) ? addStored(m_described) : notUnderstood(); }

// Arguments of the call: storage, offset, size, strides …, and in version 3 the type as the seventh.
bool Collector::describe(const Node& call, StoredTensor& stored) {
    constexpr std::size_t kTypeArgument = 6;
    const Node& arguments = m_pickle.item(call, 1);
    const auto storage = arguments.itemCount >= 4 ? storageOf(m_pickle, m_pickle.item(arguments, 0)) : std::nullopt;
    if (!storage || !readSizes(m_pickle.item(arguments, 2), stored.dims) ||
        !readSizes(m_pickle.item(arguments, 3), stored.strides)) {
        return false;
    }
    const Node& first = m_pickle.item(arguments, 1);
    if (first.kind != Kind::Integer || first.isHuge || first.integer < 0) {
        return false;
    }
    const bool typeIsArgument = arguments.itemCount > kTypeArgument && isUntypedStorage(*storage->type);
    stored.storage = storage->key;
    stored.type = typeOf(typeIsArgument ? m_pickle.item(arguments, kTypeArgument) : *storage->type);
    stored.first = static_cast<std::uint64_t>(first.integer);
    stored.recordOffset = call.offset;
    return true;
}

void Collector::addStored(const StoredTensor& stored) {
    const DataType& type = stored.type;
    const auto reach = reachOf(stored);
    const bool understood = reach && type.info != nullptr;
    const auto bytes = understood ? checkedMultiply(reach->weights, type.info->blockBytes) : std::nullopt;
    const auto extent = understood ? checkedMultiply(reach->extent, type.info->blockBytes) : std::nullopt;
    const auto start = understood ? checkedMultiply(stored.first, type.info->blockBytes) : std::nullopt;
    const auto end = extent && start ? checkedAdd(*start, *extent) : std::nullopt;
    if (!bytes || !end || *bytes > std::numeric_limits<std::int64_t>::max()) {
        notUnderstood();
        return;
    }
    if (m_model.tensors.size() == kMaxTensors) {
        stop(ErrorCode::LimitExceeded, {Detail::Tensors, kMaxTensors + 1, kMaxTensors});
        return;
    }
    if (!keepsName()) {
        return;
    }
    const bool isInFile = m_path == m_outerName;
    TensorInfo& tensor = m_model.tensors.emplace_back();
    tensor.name = isInFile ? m_outerName : m_metadata.keep(m_path);
    tensor.typeId = type.info->id;
    tensor.ownType = type.name;
    tensor.shape = Shape(stored.dims.span());
    tensor.bytes = bytes;
    tensor.recordOffset = stored.recordOffset;
    const auto range = m_parts.findStorage(stored.storage);
    if (!range) {
        m_findings.add(FindingCode::StorageMissing, Place::tensor(m_path), {stored.storage});
    } else if (*end > range->length) {
        m_findings.add(FindingCode::TensorOutsideStorage, Place::tensor(m_path), {*end, range->length});
    } else {
        tensor.offset = range->offset + *start;
        if (!reach->inOrder) {
            tensor.strides = &m_strides->emplace_back(*stridesOf(stored));
        }
        // No file has more weights than bytes, unless they are repetitions: strides of 0 can make a few numbers a
        // tensor that takes hours to read.
        if (*bytes <= m_model.files[0].source->size()) {
            tensor.bytesPresent = *bytes;
        } else {
            m_findings.add(FindingCode::TensorExpanded, Place::tensor(m_path), {reach->weights, reach->extent});
        }
    }
    tensor.declaredOffset = tensor.offset;
}

} // namespace

std::vector<StorageUse> storagesOf(const pickle::Pickle& pickle) {
    std::vector<StorageUse> uses;
    for (const Node& node : pickle.nodes) {
        if (const auto storage = storageOf(pickle, node)) {
            const DataType type = dataTypeOf(*storage->type);
            uses.push_back({storage->key, type.info != nullptr ? type.info->blockBytes : 1});
        }
    }
    return uses;
}

bool isBigEndianSystem(const pickle::Pickle& facts) {
    const Node& node = facts[facts.result];
    for (std::size_t i = 0; node.kind == Kind::Dict && i + 1 < node.itemCount; i += 2) {
        const Node& value = facts.item(node, i + 1);
        if (facts.item(node, i).text == "little_endian") {
            return value.kind == Kind::Bool && value.integer == 0;
        }
    }
    return false;
}

Result<> addCheckpoint(Model& model, FindingList& findings, const pickle::Pickle& pickle, const CheckpointParts& parts,
                       const JobContext& job) {
    return Collector(model, findings, pickle, parts, job).run();
}

} // namespace gufo::pytorch
