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
constexpr std::size_t kMaxKeys = 16'384;
constexpr std::size_t kMaxVisits = 4'000'000;
constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxNameBytes = 4096;
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
    const Node& id = pickle[node.items[0]];
    if (id.kind != Kind::Tuple || id.items.size() < 5 || pickle[id.items[0]].text != "storage" ||
        pickle[id.items[1]].kind != Kind::Global || pickle[id.items[2]].kind != Kind::Text) {
        return std::nullopt;
    }
    return Storage{pickle[id.items[2]].text, &pickle[id.items[1]]};
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
        visit(m_pickle.result, {}, 0);
        if (m_error) {
            return std::unexpected(*std::move(m_error));
        }
        if (m_cut) {
            m_findings.add(FindingCode::PickleCut);
        }
        return {};
    }

private:
    void addGlobals();
    void addGlobal(const Node& global);
    void visit(NodeId id, const std::string& path, std::size_t depth);
    void visitCall(const Node& call, const std::string& path, std::size_t depth);
    void visitPairs(const Node& node, std::size_t from, const std::string& path, std::size_t depth);
    void addTensor(const Node& call, const std::string& path);
    [[nodiscard]] std::optional<StoredTensor> described(const Node& call);
    void addStored(const StoredTensor& stored, const std::string& path);
    void notUnderstood(const std::string& path) {
        m_findings.add(FindingCode::TensorNotUnderstood, Place::tensor(path), {path});
    }
    void addKey(const Node& node, const std::string& path);
    std::optional<std::vector<std::uint64_t>> sizes(NodeId id);
    [[nodiscard]] std::string nameOf(NodeId key, std::size_t index) const;

    [[nodiscard]] static std::string joined(const std::string& path, const std::string& name) {
        return path.empty() ? name : path + '.' + name;
    }
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
    std::size_t m_visits = 0;
    bool m_cut = false;
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

std::string Collector::nameOf(NodeId key, std::size_t index) const {
    const Node& node = m_pickle[key];
    if (node.kind == Kind::Text) {
        return std::string(node.text);
    }
    return std::to_string(node.kind == Kind::Integer ? node.integer : static_cast<std::int64_t>(index));
}

void Collector::visit(NodeId id, const std::string& path, std::size_t depth) {
    if (++m_visits > kMaxVisits || depth > kMaxDepth || path.size() > kMaxNameBytes) {
        m_cut = true;
        return;
    }
    if (m_visits % kVisitsPerStopCheck == 0 && m_job.stopRequested()) {
        stop(ErrorCode::Cancelled, {});
    }
    if (m_error) {
        return;
    }
    const Node& node = m_pickle[id];
    switch (node.kind) {
    case Kind::Call:
        visitCall(node, path, depth);
        break;
    case Kind::Dict:
        visitPairs(node, 0, path, depth);
        break;
    case Kind::List:
    case Kind::Tuple:
        for (std::size_t i = 0; i < node.items.size() && !m_error && m_visits <= kMaxVisits; ++i) {
            visit(node.items[i], joined(path, std::to_string(i)), depth + 1);
        }
        break;
    case Kind::Bool:
    case Kind::Integer:
    case Kind::Real:
    case Kind::Text:
        addKey(node, path);
        break;
    case Kind::Persistent:
        if (m_parts.findTensor) {
            const StoredTensor* stored = m_parts.findTensor(m_pickle[node.items[0]]);
            stored != nullptr ? addStored(*stored, path) : notUnderstood(path);
        }
        break;
    default:
        break;
    }
}

void Collector::visitPairs(const Node& node, std::size_t from, const std::string& path, std::size_t depth) {
    for (std::size_t i = from; i + 1 < node.items.size() && !m_error && m_visits <= kMaxVisits; i += 2) {
        visit(node.items[i + 1], joined(path, nameOf(node.items[i], (i - from) / 2)), depth + 1);
    }
}

void Collector::visitCall(const Node& call, const std::string& path, std::size_t depth) {
    const Node& callee = m_pickle[call.items[0]];
    const Node& arguments = m_pickle[call.items[1]];
    const bool isGlobal = callee.kind == Kind::Global;
    if (isGlobal && rebuildsTensor(callee)) {
        addTensor(call, path);
        return;
    }
    if (isGlobal && rebuildsParameter(callee) && arguments.kind == Kind::Tuple && !arguments.items.empty()) {
        visit(arguments.items[0], path, depth + 1);
        return;
    }
    if (isGlobal && isOrderedDict(callee) && arguments.kind == Kind::Tuple && !arguments.items.empty()) {
        for (const NodeId pair : m_pickle[arguments.items[0]].items) { // as protocols 0 and 1 write it
            if (m_pickle[pair].items.size() == 2) {
                visitPairs(m_pickle[pair], 0, path, depth);
            }
        }
    }
    visitPairs(call, 2, path, depth);
}

void Collector::addKey(const Node& node, const std::string& path) {
    if (path.empty() || m_model.metadata.size() >= kMaxKeys) {
        return;
    }
    switch (node.kind) {
    case Kind::Bool:
        m_metadata.add(path, OwnedValue(BoolValue{static_cast<std::uint8_t>(node.integer)}));
        break;
    case Kind::Integer:
        if (!node.isHuge) {
            m_metadata.add(path, OwnedValue(node.integer));
        }
        break;
    case Kind::Real:
        m_metadata.add(path, OwnedValue(node.real));
        break;
    default:
        m_metadata.addView(path, node.text);
        break;
    }
}

// A tuple of numbers that are not negative, reversed so that the fastest dimension is first.
std::optional<std::vector<std::uint64_t>> Collector::sizes(NodeId id) {
    const Node* node = &m_pickle[id];
    if (node->kind == Kind::Call && m_pickle[node->items[1]].items.size() == 1) { // torch.Size((2, 3))
        node = &m_pickle[m_pickle[node->items[1]].items[0]];
    }
    if ((node->kind != Kind::Tuple && node->kind != Kind::List) || node->items.size() > Shape::kMaxDimensions) {
        return std::nullopt;
    }
    std::vector<std::uint64_t> values;
    for (std::size_t i = node->items.size(); i-- > 0;) {
        const Node& value = m_pickle[node->items[i]];
        if (value.kind != Kind::Integer || value.isHuge || value.integer < 0) {
            return std::nullopt;
        }
        values.push_back(static_cast<std::uint64_t>(value.integer));
    }
    return values;
}

void Collector::addTensor(const Node& call, const std::string& path) {
    const auto stored = described(call);
    stored ? addStored(*stored, path) : notUnderstood(path);
}

// Arguments of the call: storage, offset, size, strides …, and in version 3 the type as the seventh.
std::optional<StoredTensor> Collector::described(const Node& call) {
    constexpr std::size_t kTypeArgument = 6;
    const std::vector<NodeId>& arguments = m_pickle[call.items[1]].items;
    const auto storage = arguments.size() >= 4 ? storageOf(m_pickle, m_pickle[arguments[0]]) : std::nullopt;
    auto dims = storage ? sizes(arguments[2]) : std::nullopt;
    auto strides = dims ? sizes(arguments[3]) : std::nullopt;
    const Node* first = strides ? &m_pickle[arguments[1]] : nullptr;
    if (first == nullptr || first->kind != Kind::Integer || first->isHuge || first->integer < 0) {
        return std::nullopt;
    }
    DataType type = dataTypeOf(*storage->type);
    if (isUntypedStorage(*storage->type) && arguments.size() > kTypeArgument) {
        type = dataTypeOf(m_pickle[arguments[kTypeArgument]]);
    }
    return StoredTensor{.storage = std::string(storage->key),
                        .type = type,
                        .first = static_cast<std::uint64_t>(first->integer),
                        .dims = *std::move(dims),
                        .strides = *std::move(strides),
                        .recordOffset = call.offset};
}

void Collector::addStored(const StoredTensor& stored, const std::string& path) {
    const DataType& type = stored.type;
    const auto layout =
        stored.strides.size() == stored.dims.size() ? Strides::of(stored.dims, stored.strides) : std::nullopt;
    const bool understood = layout && type.info != nullptr;
    const auto bytes = understood ? checkedMultiply(layout->weights, type.info->blockBytes) : std::nullopt;
    const auto extent = understood ? checkedMultiply(layout->extent, type.info->blockBytes) : std::nullopt;
    const auto start = understood ? checkedMultiply(stored.first, type.info->blockBytes) : std::nullopt;
    const auto end = extent && start ? checkedAdd(*start, *extent) : std::nullopt;
    if (!bytes || !end || *bytes > std::numeric_limits<std::int64_t>::max()) {
        notUnderstood(path);
        return;
    }
    if (m_model.tensors.size() == kMaxTensors) {
        stop(ErrorCode::LimitExceeded, {Detail::Tensors, kMaxTensors + 1, kMaxTensors});
        return;
    }
    TensorInfo tensor{.name = m_metadata.keep(path), .typeId = type.info->id, .ownType = type.name};
    tensor.shape = Shape(stored.dims);
    tensor.bytes = bytes;
    tensor.recordOffset = stored.recordOffset;
    const auto range = m_parts.findStorage(stored.storage);
    if (!range) {
        m_findings.add(FindingCode::StorageMissing, Place::tensor(path), {stored.storage});
    } else if (*end > range->length) {
        m_findings.add(FindingCode::TensorOutsideStorage, Place::tensor(path), {*end, range->length});
    } else {
        tensor.offset = range->offset + *start;
        tensor.bytesPresent = *bytes;
        if (!layout->inOrder()) {
            tensor.strides = &m_strides->emplace_back(*layout);
        }
    }
    tensor.declaredOffset = tensor.offset;
    m_model.tensors.push_back(tensor);
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
    for (std::size_t i = 0; node.kind == Kind::Dict && i + 1 < node.items.size(); i += 2) {
        const Node& value = facts[node.items[i + 1]];
        if (facts[node.items[i]].text == "little_endian") {
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
