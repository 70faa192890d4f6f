#include "document/revert.h"

#include "document/apply_change.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace gufo::edit {
namespace {

// Returns the position for an entry of the base in a current list: after the nearest preceding entry that still exists.
// `nameAt(i)` is a name in the base; `positionOf(name)` a position in the list without the entry itself.
template<typename NameAt, typename PositionOf>
std::size_t place(std::size_t index, const NameAt& nameAt, const PositionOf& positionOf) {
    for (std::size_t i = index; i-- > 0;) {
        if (const std::optional<std::size_t> at = positionOf(nameAt(i))) {
            return *at + 1;
        }
    }
    return 0;
}

// Returns the index of the base's entry with this name and occurrence.
std::size_t keyIndex(const Metadata& base, const std::string& name, std::size_t occurrence) {
    std::size_t i = base.indexOf(name)->value;
    for (; occurrence > 0 && i + 1 < base.size(); --occurrence) {
        do {
            ++i;
        } while (i + 1 < base.size() && base[KvIndex(i)].key != name);
    }
    return i;
}

std::optional<std::size_t> keyPosition(const State& state, std::string_view name, std::string_view without) {
    const Key* key = name != without ? state.keys().find(name) : nullptr;
    if (key == nullptr) {
        return std::nullopt;
    }
    const std::size_t position = state.keys().positionOf(*key);
    const Key* other = state.keys().find(without);
    return other != nullptr && state.keys().positionOf(*other) < position ? position - 1 : position;
}

std::size_t homeOfKey(const State& state, std::size_t index, std::string_view nowNamed) {
    const Metadata& base = state.base()->metadata;
    return place(
        index, [&](std::size_t i) { return base[KvIndex(i)].key; },
        [&](std::string_view name) { return keyPosition(state, name, nowNamed); });
}

std::size_t homeOfTensor(const State& state, std::size_t index, std::string_view nowNamed) {
    const auto positionOf = [&](std::string_view name) -> std::optional<std::size_t> {
        const Tensor* tensor = name != nowNamed ? state.tensors().find(name) : nullptr;
        if (tensor == nullptr) {
            return std::nullopt;
        }
        const std::size_t position = state.tensors().positionOf(*tensor);
        const Tensor* other = state.tensors().find(nowNamed);
        return other != nullptr && state.tensors().positionOf(*other) < position ? position - 1 : position;
    };
    return place(index, [&](std::size_t i) { return state.base()->tensors[i].name; }, positionOf);
}

void revertTarget(const State& state, const Difference& difference, std::vector<Change>& changes) {
    if (difference.name == "version") {
        changes.emplace_back(SetTarget{.version = state.base()->version});
    } else if (difference.name == "byte_order") {
        changes.emplace_back(SetTarget{.byteOrder = state.base()->byteOrder});
    } else {
        changes.emplace_back(DropTrailingBytes{.drop = false});
    }
}

// Returns how many keys currently have this name.
std::size_t countNow(const State& state, const std::string& key) {
    std::size_t count = 0;
    while (state.keys().find(key, count) != nullptr) {
        ++count;
    }
    return count;
}

void revertKey(const State& state, const Difference& d, std::vector<Change>& changes) {
    if (d.added) {
        changes.emplace_back(gufo::DeleteKey{d.name, d.occurrence});
        return;
    }
    const Metadata& base = state.base()->metadata;
    if (d.deleted) {
        const std::size_t index = keyIndex(base, d.oldName, d.occurrence);
        changes.emplace_back(gufo::SetKey{.key = d.oldName,
                                          .value = OwnedValue(base[KvIndex(index)].value),
                                          .position = homeOfKey(state, index, {}),
                                          .occurrence = countNow(state, d.oldName)});
        return;
    }
    std::size_t occurrence = d.occurrence;
    if (d.changed) {
        changes.emplace_back(gufo::SetKey{.key = d.name, .value = OwnedValue(*d.before), .occurrence = occurrence});
    }
    if (d.renamed) {
        changes.emplace_back(gufo::RenameKey{d.name, d.oldName, occurrence});
        occurrence = 0;
    }
    if (d.moved) {
        const std::size_t index = base.indexOf(d.oldName)->value;
        changes.emplace_back(gufo::MoveKey{d.oldName, homeOfKey(state, index, d.name), occurrence});
    }
}

void revertTensor(const State& state, const Difference& d, std::vector<Change>& changes) {
    if (d.added) {
        changes.emplace_back(gufo::DeleteTensor{d.name});
        return;
    }
    const auto& base = state.base();
    const auto index = base->findTensor(d.oldName);
    if (d.deleted) {
        changes.emplace_back(gufo::ImportTensor{
            .from = base, .name = d.oldName, .newName = d.oldName, .position = homeOfTensor(state, index->value, {})});
        return;
    }
    if (d.renamed) {
        changes.emplace_back(gufo::RenameTensor{d.name, d.oldName});
    }
    if (d.changed) {
        changes.emplace_back(
            gufo::ImportTensor{.from = base, .name = d.oldName, .newName = d.oldName, .replace = true});
    }
    if (d.moved) {
        changes.emplace_back(gufo::MoveTensor{d.oldName, homeOfTensor(state, index->value, d.name)});
    }
}

std::size_t baseIndex(const State& state, const Difference& d) {
    switch (d.subject) {
    case Difference::Subject::Key:
        return keyIndex(state.base()->metadata, d.oldName, d.deleted ? d.occurrence : 0);
    case Difference::Subject::Tensor:
        return state.base()->findTensor(d.oldName)->value;
    case Difference::Subject::Target:
        break;
    }
    return 0;
}

} // namespace

std::vector<Change> revertOne(const State& state, const Difference& difference) {
    std::vector<Change> changes;
    switch (difference.subject) {
    case Difference::Subject::Key:
        revertKey(state, difference, changes);
        break;
    case Difference::Subject::Tensor:
        revertTensor(state, difference, changes);
        break;
    case Difference::Subject::Target:
        revertTarget(state, difference, changes);
        break;
    }
    return changes;
}

std::vector<Change> revertSeveral(const std::shared_ptr<const Model>& base, const std::vector<Change>& edits,
                                  std::span<const Difference> differences) {
    // Where an entry belongs depends on what was reverted before it.
    State state(base);
    if (!applyChanges(state, edits)) {
        return {}; // cannot be: they were applied before
    }
    std::vector<std::pair<std::size_t, const Difference*>> ordered; // by index in the base; what was added comes first
    for (const Difference& each : differences) {
        ordered.emplace_back(each.added ? 0 : baseIndex(state, each) + 1, &each);
    }
    std::ranges::sort(ordered); // differences of one index keep their order, because their addresses ascend
    std::vector<Change> changes;
    for (const auto& [index, each] : ordered) {
        std::vector<Change> more = revertOne(state, *each);
        static_cast<void>(applyChanges(state, more)); // the caller applies them all, and reports what is refused
        std::ranges::move(more, std::back_inserter(changes));
    }
    return changes;
}

} // namespace gufo::edit
