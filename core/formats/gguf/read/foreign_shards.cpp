#include "formats/gguf/read/foreign_shards.h"

#include "base/detail.h"
#include "model/tensor_role.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace gufo::gguf {
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

// The only shard whose names are all outside the convention, if those of the others are all within it.
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
