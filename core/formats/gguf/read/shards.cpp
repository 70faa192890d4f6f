#include "formats/gguf/read/shards.h"

#include "base/detail.h"
#include "base/mapped_file.h"
#include "base/try.h"
#include "formats/gguf/read/growing.h"
#include "formats/gguf/read/reader.h"
#include "model/finding_code.h"
#include "model/finding_list.h"
#include "model/tensor_role.h"
#include "model/value_text.h"

#include <algorithm>
#include <functional>
#include <map>
#include <ranges>
#include <set>
#include <tuple>

namespace gufo::gguf {
namespace {

constexpr std::string_view kSuffix = ".gguf";
constexpr std::string_view kCountKey = "split.count";
constexpr std::string_view kNumberKey = "split.no";
constexpr std::string_view kTensorCountKey = "split.tensors.count";

bool equal(const Value& a, const Value& b) {
    const ArrayView* left = asArray(a);
    const ArrayView* right = asArray(b);
    if (left == nullptr || right == nullptr) {
        // Floating-point values are compared as numbers, so a NaN counts as a difference, which deserves a finding.
        return a.index() == b.index() && left == right &&
               std::visit(
                   [&]<typename T>(const T& value) {
                       if constexpr (std::is_same_v<T, ArrayView>) {
                           return true;
                       } else {
                           return value == std::get<T>(b);
                       }
                   },
                   a);
    }
    return left->elementType == right->elementType && left->length == right->length && left->layout == right->layout &&
           std::ranges::equal(left->bytes, right->bytes);
}

using ReadFile =
    std::function<Result<std::shared_ptr<const Model>>(std::shared_ptr<const ByteSource>, const JobContext&)>;

class ShardSet {
public:
    ShardSet(std::shared_ptr<const Model> opened, ShardName name, const SourceOpener& openSibling,
             const ReadFile& readFile)
        : m_openSibling(openSibling)
        , m_readFile(readFile)
        , m_opened(std::move(opened))
        , m_name(std::move(name))
        , m_joined(std::make_shared<Model>()) {}

    Result<std::shared_ptr<const Model>> open(const JobContext& job);

private:
    void readSibling(std::uint32_t number, const std::filesystem::path& path, const JobContext& job);
    void mismatch(FileIndex file, Argument what, Argument expected, Argument found);
    void join(FileIndex file, const Model& shard);
    void checkNumbers(FileIndex file, const Model& shard);
    void joinMetadata(FileIndex file, const Model& shard);
    void checkTensorCount();

    const SourceOpener& m_openSibling;
    const ReadFile& m_readFile;
    std::shared_ptr<const Model> m_opened;
    ShardName m_name;
    std::shared_ptr<Model> m_joined;
    FindingList m_findings;
    std::vector<std::shared_ptr<const Model>> m_shards; // by shard number; null if missing
    std::optional<Value> m_tensorCount; // as the first part that announces a number of tensors states it
    bool m_first = true;
};

Result<std::shared_ptr<const Model>> ShardSet::open(const JobContext& job) {
    const std::filesystem::path folder = m_opened->path().parent_path();
    m_shards.resize(m_name.count);
    m_joined->files.resize(m_name.count);
    for (std::uint32_t i = 0; i < m_name.count; ++i) {
        GUFO_TRY(job.check());
        ShardName sibling = m_name;
        sibling.number = i + 1;
        if (sibling.number == m_name.number) {
            m_shards[i] = m_opened;
        } else {
            readSibling(sibling.number, folder / shardFileName(sibling), job);
        }
    }
    if (job.stopRequested()) { // the shard read last may only look unreadable
        return fail(ErrorCode::Cancelled);
    }
    m_joined->openedFile = FileIndex(m_name.number - 1);
    m_joined->container = m_opened->container;
    m_joined->version = m_opened->version;
    m_joined->byteOrder = m_opened->byteOrder;
    m_joined->layout = m_opened->layout;
    for (std::uint32_t i = 0; i < m_name.count; ++i) {
        if (m_shards[i] != nullptr) {
            join(FileIndex(i), *m_shards[i]);
        }
    }
    for (const TensorIndex duplicate : m_joined->indexTensors()) {
        const std::string name(m_joined->tensor(duplicate).name);
        m_findings.add(FindingCode::DuplicateTensorName, Place::tensor(name), {name});
    }
    checkTensorCount();
    addForeignShards(*m_joined, m_findings);
    m_joined->findings = std::move(m_findings).take();
    return m_joined;
}

void ShardSet::checkTensorCount() {
    const auto isAbsent = [](const ModelFile& file) { return file.source == nullptr; };
    if (!m_tensorCount || std::ranges::any_of(m_joined->files, isAbsent)) { // the absent part explains a difference
        return;
    }
    if (asUInt(*m_tensorCount) != m_joined->tensors.size()) {
        m_findings.add(FindingCode::ShardTensorCount, Place::key(std::string(kTensorCountKey)),
                       {shortText(*m_tensorCount), m_joined->tensors.size()});
    }
}

void ShardSet::readSibling(std::uint32_t number, const std::filesystem::path& path, const JobContext& job) {
    const std::string fileName = path.filename().native();
    ModelFile& file = m_joined->files[number - 1];
    file.path = path;
    auto source = m_openSibling(path, Links::Follow);
    auto shard = source ? m_readFile(*source, job) : std::unexpected(source.error());
    if (!shard) {
        if (shard.error().code == ErrorCode::FileNotFound) {
            m_findings.add(FindingCode::ShardMissing, Place::fileName(fileName), {fileName, number, m_name.count});
        } else {
            m_findings.addUnreadable(FindingCode::ShardUnreadable, fileName, shard.error());
        }
        return;
    }
    m_shards[number - 1] = *shard;
}

void ShardSet::mismatch(FileIndex file, Argument what, Argument expected, Argument found) {
    const std::string fileName = m_joined->files[file.value].path.filename().native();
    m_findings.add(FindingCode::ShardMismatch, Place::fileName(fileName),
                   {fileName, std::move(what), std::move(expected), std::move(found)});
}

void ShardSet::join(FileIndex file, const Model& shard) {
    m_joined->files[file.value] = shard.files[0];
    if (shard.byteOrder != m_joined->byteOrder) {
        const auto orderName = [](ByteOrder order) {
            return order == ByteOrder::Little ? Detail::LittleEndian : Detail::BigEndian;
        };
        mismatch(file, Detail::ByteOrder, orderName(m_joined->byteOrder), orderName(shard.byteOrder));
        m_joined->files[file.value].source = nullptr; // its tensors would be read in the wrong byte order
        return;
    }
    if (shard.version != m_joined->version) {
        mismatch(file, Detail::FormatVersion, std::to_string(m_joined->version), std::to_string(shard.version));
    }
    checkNumbers(file, shard);
    joinMetadata(file, shard);
    for (TensorInfo tensor : shard.tensors) {
        tensor.file = file;
        m_joined->tensors.push_back(tensor);
    }
    for (Finding finding : shard.findings) {
        finding.place.part = file.value;
        if (finding.code != FindingCode::DuplicateTensorName) { // the joined model reports duplicates itself
            m_findings.add(std::move(finding));
        }
    }
}

void ShardSet::checkNumbers(FileIndex file, const Model& shard) {
    const auto check = [&](std::string_view key, std::uint64_t expected) {
        const Value* value = shard.metadata.find(key);
        if (value == nullptr || asUInt(*value) != expected) {
            mismatch(file, std::string(key), std::to_string(expected),
                     value == nullptr ? Argument(Detail::Missing) : shortText(*value));
        }
    };
    check(kCountKey, m_name.count);
    check(kNumberKey, file.value);
    const Value* total = shard.metadata.find(kTensorCountKey);
    if (total != nullptr && m_tensorCount && asUInt(*total) != asUInt(*m_tensorCount)) {
        mismatch(file, std::string(kTensorCountKey), shortText(*m_tensorCount), shortText(*total));
    } else if (total != nullptr && !m_tensorCount) {
        m_tensorCount = *total;
    }
}

void ShardSet::joinMetadata(FileIndex file, const Model& shard) {
    for (KeyValue entry : shard.metadata) {
        const Value* known = m_joined->metadata.find(entry.key);
        if (!m_first && (entry.key.starts_with(kSplitPrefix) || entry.key == kReservedKey)) {
            continue; // the number of the shard, which was checked already, and its own reserved space
        }
        if (!m_first && known != nullptr) {
            if (!equal(*known, entry.value)) {
                mismatch(file, std::string(entry.key), shortText(*known), shortText(entry.value));
            }
            continue;
        }
        entry.file = file;
        m_joined->metadata.add(entry);
    }
    m_first = false;
}

// Joins the opened file with the other shards of its set.
Result<std::shared_ptr<const Model>> withShards(Result<std::shared_ptr<const Model>> opened, const ReadFile& readFile,
                                                const JobContext& job, const SourceOpener& openSibling) {
    auto model = GUFO_TRY(std::move(opened));
    const auto announced = model->metadata.uint(kCountKey);
    const auto name = gguf::parseShardName(model->path().filename());
    if (name && name->count > 1) {
        return ShardSet(std::move(model), *name, openSibling, readFile).open(job);
    }
    if (!announced || *announced < 2) {
        return model;
    }
    // The file is a shard but its name does not say so. The other shards cannot be found, because no path is ever made
    // from what a file says.
    auto alone = std::make_shared<Model>(*model);
    const auto number = alone->metadata.uint(kNumberKey);
    const std::string fileName = alone->path().filename().native();
    alone->findings.push_back({.code = FindingCode::ShardRenamed,
                               .place = Place::fileName(fileName),
                               .args = {fileName, *announced, number ? std::to_string(*number + 1) : "?"}});
    return alone;
}

} // namespace

std::optional<ShardName> parseShardName(const std::filesystem::path& fileName) {
    return gufo::parseShardName(fileName, kSuffix);
}

std::optional<std::string> shardSetOf(const std::filesystem::path& fileName) {
    const auto name = parseShardName(fileName);
    return name ? std::optional(shardSetName(*name)) : std::nullopt;
}

std::filesystem::path shardFileName(const ShardName& name) { return gufo::shardFileName(name, kSuffix); }

Result<std::shared_ptr<const Model>> open(std::shared_ptr<const ByteSource> file, const JobContext& job,
                                          const SourceOpener& openSibling) {
    return withShards(read(std::move(file), job), read, job, openSibling);
}

Result<std::shared_ptr<const Model>> openGrowing(std::shared_ptr<const ByteSource> file, const JobContext& job,
                                                 const SourceOpener& openSibling, const HeaderSoFar& headerSoFar) {
    const ReadFile readOne = [&](std::shared_ptr<const ByteSource> one, const JobContext& context) {
        return readGrowing(std::move(one), context, headerSoFar);
    };
    return withShards(readOne(std::move(file), job), readOne, job, openSibling);
}

Result<std::shared_ptr<const Model>> open(std::shared_ptr<const ByteSource> file, const JobContext& job) {
    return open(std::move(file), job, mappedFileOpener());
}

Result<std::shared_ptr<const Model>> open(const std::filesystem::path& path, const JobContext& job) {
    auto file = GUFO_TRY(MappedFile::open(path));
    return open(std::move(file), job);
}

namespace {

// A shard with fewer tensors, or with tensors of a single role, may differ from the others by intention.
constexpr std::size_t kFewestTensors = 4;
constexpr std::size_t kFewestRoles = 2;

using Role = std::tuple<std::string_view, std::string_view, std::string_view>; // prefix, role, suffix
using Trait = std::vector<std::uint64_t>;                                      // a type, or a shape

// Which shards have something.
struct Holders {
    std::uint32_t first = 0;
    bool several = false;

    void add(std::uint32_t shard) { several = several || shard != first; }
};

struct BlockTensor {
    const TensorInfo* tensor;
    const RoleFact* fact;
    Role role;
};

// The tensors of blocks by shard. Others, such as the embedding, occur once in a model and cannot be compared.
std::vector<std::vector<BlockTensor>> blockTensors(const Model& joined) {
    std::vector<std::vector<BlockTensor>> shards(joined.shardCount());
    for (const TensorInfo& tensor : joined.tensors) {
        const TensorName name = parseTensorName(tensor.name);
        if (name.block && tensor.file.value < shards.size()) {
            shards[tensor.file.value].push_back({&tensor, name.fact, {name.prefix, name.role, name.suffix}});
        }
    }
    return shards;
}

// The trait by which tensors of a role are compared; empty if the tensor says nothing.
using TraitOf = Trait (*)(const BlockTensor&);

Trait matrixTypeOf(const BlockTensor& block) {
    const bool isMatrix =
        block.tensor->shape.count() >= 2 && (block.fact == nullptr || block.fact->group != TensorGroup::Norm);
    return isMatrix ? Trait{block.tensor->typeId} : Trait();
}

Trait blockShapeOf(const BlockTensor& block) {
    const auto dims = block.tensor->shape.dims();
    return {dims.begin(), dims.end()};
}

// Small matrices stay F32 in every quantisation.
bool saysNothing(const std::map<Trait, Holders>& traits, TraitOf traitOf) {
    return traitOf == matrixTypeOf && traits.size() == 1 &&
           traits.begin()->first == Trait{static_cast<std::uint64_t>(TensorType::F32)};
}

std::string roleText(const Role& role) { return std::string(std::get<0>(role)) + std::string(std::get<1>(role)); }

std::string traitText(const Trait& trait, TraitOf traitOf) {
    std::string text;
    if (traitOf == matrixTypeOf) {
        TensorInfo tensor;
        tensor.typeId = static_cast<std::uint32_t>(trait.front());
        return tensor.typeName();
    }
    for (const std::uint64_t dim : trait) {
        text += (text.empty() ? "" : "×") + std::to_string(dim);
    }
    return text;
}

class Census {
public:
    Census(const std::vector<std::vector<BlockTensor>>& shards, TraitOf traitOf)
        : m_traitOf(traitOf) {
        for (std::uint32_t i = 0; i < shards.size(); ++i) {
            for (const BlockTensor& block : shards[i]) {
                if (Trait trait = traitOf(block); !trait.empty()) {
                    m_traits[block.role].try_emplace(std::move(trait), Holders{i}).first->second.add(i);
                    m_roles.try_emplace(block.role, Holders{i}).first->second.add(i);
                }
            }
        }
    }

    // How a shard differs from all others, if it does. `compared` is set if there is anything to be compared.
    [[nodiscard]] std::optional<Argument> difference(const std::vector<BlockTensor>& shard, Detail what,
                                                     bool& compared) const {
        std::set<Role> roles;
        std::size_t tensors = 0;
        const BlockTensor* example = nullptr;
        bool differs = true;
        for (const BlockTensor& block : shard) {
            const Trait trait = m_traitOf(block);
            if (trait.empty() || !m_roles.at(block.role).several) {
                continue;
            }
            const auto& traits = m_traits.at(block.role);
            if (saysNothing(traits, m_traitOf)) {
                continue;
            }
            differs = differs && !traits.at(trait).several;
            example = example == nullptr ? &block : example;
            roles.insert(block.role);
            ++tensors;
        }
        compared = tensors >= kFewestTensors && roles.size() >= kFewestRoles;
        if (!compared || !differs) {
            return std::nullopt;
        }
        const auto& traits = m_traits.at(example->role);
        const auto own = traits.find(m_traitOf(*example));
        const auto* other = &*own; // the trait of the first of the other shards: the role is shared, but by no trait
        for (const auto& entry : traits) {
            const bool isOther = entry.second.first != own->second.first;
            const bool isFirst = other == &*own || entry.second.first < other->second.first;
            other = isOther && isFirst ? &entry : other;
        }
        return Argument(
            what, {traitText(own->first, m_traitOf), roleText(example->role), traitText(other->first, m_traitOf)});
    }

private:
    TraitOf m_traitOf;
    std::map<Role, std::map<Trait, Holders>> m_traits;
    std::map<Role, Holders> m_roles;
};

using Differences = std::map<std::size_t, Argument>; // by shard

Differences differencesIn(const std::vector<std::vector<BlockTensor>>& shards, TraitOf traitOf, Detail what) {
    const Census census(shards, traitOf);
    Differences differences;
    std::size_t compared = 0;
    for (std::size_t i = 0; i < shards.size(); ++i) {
        bool counts = false;
        if (auto difference = census.difference(shards[i], what, counts)) {
            differences.emplace(i, *std::move(difference));
        }
        compared += counts ? 1 : 0;
    }
    if (!differences.empty() && differences.size() == compared) { // none is like another
        differences.erase(differences.begin());
    }
    return differences;
}

// The only shard whose names are all outside the convention, if the names of all other shards are within it.
Differences oddNames(const std::vector<std::vector<BlockTensor>>& shards) {
    const auto isOdd = [](const BlockTensor& block) { return block.fact == nullptr; };
    Differences odd;
    std::size_t usual = 0;
    for (std::size_t i = 0; i < shards.size(); ++i) {
        const auto count = static_cast<std::size_t>(std::ranges::count_if(shards[i], isOdd));
        if (count != 0 && (count != shards[i].size() || count < kFewestTensors || !odd.empty())) {
            return {};
        }
        if (count != 0) {
            odd.emplace(i, Argument(Detail::TensorsOfAnotherName, {shards[i].front().tensor->name}));
        }
        usual += shards[i].size() - count;
    }
    return usual >= kFewestTensors ? odd : Differences();
}

} // namespace

void addForeignShards(const Model& joined, FindingList& findings) {
    const auto shards = blockTensors(joined);
    Differences all = oddNames(shards);
    all.merge(differencesIn(shards, blockShapeOf, Detail::TensorsOfAnotherShape));
    all.merge(differencesIn(shards, matrixTypeOf, Detail::TensorsOfAnotherType));
    for (auto& [shard, difference] : all) {
        const std::string fileName = joined.files[shard].path.filename().native();
        findings.add(FindingCode::ShardForeign, Place::fileName(fileName), {fileName, std::move(difference)});
    }
}

} // namespace gufo::gguf
