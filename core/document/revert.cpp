#include "document/revert.h"

#include "document/compare_state.h"

#include <algorithm>

namespace gufo::edit {
namespace {

// Where an entry of the base belongs in a list of now: behind the nearest entry before it that is there. `nameAt(i)` of
// the base; `positionOf(name)` in the list without the entry itself.
template<typename NameAt, typename PositionOf>
std::size_t place(std::size_t index, const NameAt& nameAt, const PositionOf& positionOf) {
    for (std::size_t i = index; i-- > 0;) {
        if (const std::optional<std::size_t> at = positionOf(nameAt(i))) {
            return *at + 1;
        }
    }
    return 0;
}

// The base's entry with that name and occurrence.
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

// How many keys of the name are there now.
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

namespace {

// The list as it becomes while everything is taken back: so that each change names what is there when it is made.
class Replay {
public:
    struct Entry {
        std::string name;
        std::size_t old; // of the base
    };
    std::vector<Entry> entries;

    [[nodiscard]] std::size_t occurrence(std::size_t at) const {
        return static_cast<std::size_t>(
            std::count_if(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(at),
                          [&](const Entry& entry) { return entry.name == entries[at].name; }));
    }
    [[nodiscard]] std::size_t find(std::size_t old) const {
        return static_cast<std::size_t>(std::ranges::find(entries, old, &Entry::old) - entries.begin());
    }
    // Where an entry of the base that is not there belongs.
    [[nodiscard]] std::size_t home(std::size_t old) const {
        return static_cast<std::size_t>(
            std::ranges::find_if(entries, [&](const Entry& entry) { return entry.old > old; }) - entries.begin());
    }
    void insert(std::size_t at, Entry entry) {
        entries.insert(entries.begin() + static_cast<std::ptrdiff_t>(at), std::move(entry));
    }
    void erase(std::size_t at) { entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(at)); }
};

// `removed(at)`, `kept(at)` (takes name and value back), `gone(old, at)`, `moved(from, to)` make the changes.
template<typename Removed, typename Kept, typename Gone, typename Moved>
void replay(Replay& list, const std::vector<std::string_view>& base, const Removed& removed, const Kept& kept,
            const Gone& gone, const Moved& moved) {
    for (std::size_t i = list.entries.size(); i-- > 0;) {
        if (list.entries[i].old == kNone) {
            removed(i);
            list.erase(i);
        }
    }
    std::vector<bool> there(base.size());
    for (std::size_t i = 0; i < list.entries.size(); ++i) {
        there[list.entries[i].old] = true;
        kept(i);
        list.entries[i].name = base[list.entries[i].old];
    }
    for (std::size_t old = 0; old < base.size(); ++old) {
        if (!there[old]) {
            const std::size_t at = list.home(old);
            gone(old, at);
            list.insert(at, {std::string(base[old]), old});
        }
    }
    for (std::size_t old = 0; old < base.size(); ++old) {
        if (list.entries[old].old != old) {
            const std::size_t from = list.find(old);
            moved(from, old);
            Replay::Entry entry = list.entries[from];
            list.erase(from);
            list.insert(old, std::move(entry));
        }
    }
}

void revertKeys(const State& state, std::vector<Change>& changes) {
    const Metadata& base = state.base()->metadata;
    const std::vector<std::size_t> matched = matchKeys(state);
    Replay list;
    std::vector<bool> changed(base.size());
    for (std::size_t i = 0; i < state.keys().size(); ++i) {
        const Key& key = state.keys()[i];
        list.entries.push_back({std::string(key.name()), matched[i]});
        if (const std::size_t old = matched[i]; old != kNone) {
            changed[old] = !OwnedValue::sameValue(base[KvIndex(old)].value, key.entry.value);
        }
    }
    std::vector<std::string_view> names;
    std::ranges::transform(base, std::back_inserter(names), &KeyValue::key);
    const auto removed = [&](std::size_t at) {
        changes.emplace_back(gufo::DeleteKey{list.entries[at].name, list.occurrence(at)});
    };
    const auto kept = [&](std::size_t at) {
        const auto& [name, old] = list.entries[at];
        if (changed[old]) {
            changes.emplace_back(gufo::SetKey{
                .key = name, .value = OwnedValue(base[KvIndex(old)].value), .occurrence = list.occurrence(at)});
        }
        if (name != names[old]) {
            changes.emplace_back(gufo::RenameKey{name, std::string(names[old]), list.occurrence(at)});
        }
    };
    const auto gone = [&](std::size_t old, std::size_t at) {
        const auto same = std::ranges::count(list.entries, names[old], &Replay::Entry::name);
        changes.emplace_back(gufo::SetKey{.key = std::string(names[old]),
                                          .value = OwnedValue(base[KvIndex(old)].value),
                                          .position = at,
                                          .occurrence = static_cast<std::size_t>(same)});
    };
    const auto moved = [&](std::size_t from, std::size_t to) {
        changes.emplace_back(gufo::MoveKey{list.entries[from].name, to, list.occurrence(from)});
    };
    replay(list, names, removed, kept, gone, moved);
}

void revertTensors(const State& state, std::vector<Change>& changes) {
    const std::shared_ptr<const Model>& base = state.base();
    const std::vector<std::size_t> matched = matchTensors(state);
    Replay list;
    std::vector<bool> changed(base->tensors.size());
    for (std::size_t i = 0; i < state.tensors().size(); ++i) {
        const Tensor& tensor = state.tensors()[i];
        list.entries.push_back({std::string(tensor.name()), matched[i]});
        if (const std::size_t old = matched[i]; old != kNone) {
            changed[old] = !sameTensor(tensor, base->tensors[old]);
        }
    }
    std::vector<std::string_view> names;
    std::ranges::transform(base->tensors, std::back_inserter(names), &TensorInfo::name);
    const auto removed = [&](std::size_t at) { changes.emplace_back(gufo::DeleteTensor{list.entries[at].name}); };
    const auto kept = [&](std::size_t at) {
        const auto& [name, old] = list.entries[at];
        const std::string oldName(names[old]);
        if (name != oldName) {
            changes.emplace_back(gufo::RenameTensor{name, oldName});
        }
        if (changed[old]) {
            changes.emplace_back(
                gufo::ImportTensor{.from = base, .name = oldName, .newName = oldName, .replace = true});
        }
    };
    const auto gone = [&](std::size_t old, std::size_t at) {
        const std::string name(names[old]);
        changes.emplace_back(gufo::ImportTensor{.from = base, .name = name, .newName = name, .position = at});
    };
    const auto moved = [&](std::size_t from, std::size_t to) {
        changes.emplace_back(gufo::MoveTensor{list.entries[from].name, to});
    };
    replay(list, names, removed, kept, gone, moved);
}

} // namespace

std::vector<Change> revertEverything(const State& state) {
    std::vector<Change> changes;
    const SaveTarget& target = state.target();
    const Model& base = *state.base();
    // First, as what the version does not have may come back.
    if (target.version != base.version || target.byteOrder != base.byteOrder) {
        changes.emplace_back(SetTarget{.version = base.version, .byteOrder = base.byteOrder});
    }
    if (target.dropTrailingBytes) {
        changes.emplace_back(DropTrailingBytes{.drop = false});
    }
    revertKeys(state, changes);
    revertTensors(state, changes);
    return changes;
}

} // namespace gufo::edit
