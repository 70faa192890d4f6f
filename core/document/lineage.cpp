#include "document/lineage.h"

#include <algorithm>
#include <map>

namespace gufo::edit {
namespace {

// `origins` has a row for each current entry. Takes `nowName(i)` and `oldName(j)`.
template<typename NowName, typename OldName>
std::vector<std::size_t> match(const std::vector<std::size_t>& origins, std::size_t old, const NowName& nowName,
                               const OldName& oldName) {
    std::vector<std::size_t> matched(origins.size(), kNone);
    std::vector<bool> taken(old);
    const auto take = [&](std::size_t i, std::size_t j) {
        matched[i] = j;
        taken[j] = true;
    };
    for (std::size_t i = 0; i < origins.size(); ++i) { // the same entry under the same name
        if (const std::size_t j = origins[i]; j != kNone && oldName(j) == nowName(i)) {
            take(i, j);
        }
    }
    std::multimap<std::string_view, std::size_t> free; // deleted entries, which may have been made again
    for (std::size_t j = 0; j < old; ++j) {
        if (!taken[j]) {
            free.emplace(oldName(j), j);
        }
    }
    for (std::size_t i = 0; i < origins.size() && !free.empty(); ++i) {
        if (const auto it = matched[i] == kNone ? free.find(nowName(i)) : free.end(); it != free.end()) {
            take(i, it->second);
            free.erase(it);
        }
    }
    for (std::size_t i = 0; i < origins.size(); ++i) { // renamed entries
        if (const std::size_t j = matched[i] == kNone ? origins[i] : kNone; j != kNone && !taken[j]) {
            take(i, j);
        }
    }
    return matched;
}

} // namespace

const Lineage::Import* Lineage::importOf(std::size_t tensor) const {
    const auto found = std::ranges::lower_bound(imports, tensor, {}, &Import::tensor);
    return found != imports.end() && found->tensor == tensor ? &*found : nullptr;
}

bool Lineage::isSameTensor(std::size_t tensor, std::size_t old) const {
    const TensorInfo& now = current->tensors[tensor];
    const TensorInfo& before = base->tensors[old];
    return now.file == before.file && now.offset == before.offset && now.typeId == before.typeId &&
           now.shape == before.shape && importOf(tensor) == nullptr;
}

std::vector<std::size_t> matchKeys(const Lineage& lineage) {
    const Metadata& now = lineage.current->metadata;
    const Metadata& old = lineage.base->metadata;
    return match(
        lineage.keyOrigins, old.size(), [&](std::size_t i) { return now[KvIndex(i)].key; },
        [&](std::size_t j) { return old[KvIndex(j)].key; });
}

std::vector<std::size_t> matchTensors(const Lineage& lineage) {
    if (lineage.sameTensors) {
        return lineage.tensorOrigins;
    }
    return match(
        lineage.tensorOrigins, lineage.base->tensors.size(),
        [&](std::size_t i) { return lineage.current->tensors[i].name; },
        [&](std::size_t j) { return lineage.base->tensors[j].name; });
}

} // namespace gufo::edit
