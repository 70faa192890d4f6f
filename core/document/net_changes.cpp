#include "document/net_changes.h"

#include "document/compare_state.h"
#include "model/array_index.h"

#include <algorithm>

namespace gufo::edit {
namespace {

// A list on its way to another: as it becomes, change after change, so that each change names what is there when it is
// made.
class Way {
public:
    struct Entry {
        std::string name;
        std::size_t to = kNone; // its index in the list to be made
        bool settled = true;    // in order with the other settled ones
    };
    std::vector<Entry> entries;

    [[nodiscard]] std::size_t occurrence(std::size_t at) const {
        return static_cast<std::size_t>(
            std::count_if(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(at),
                          [&](const Entry& entry) { return entry.name == entries[at].name; }));
    }

    // removed(at), kept(at) (takes over name and value), added(to, at) and moved(at, to position) make the changes.
    template<typename Removed, typename Kept, typename Added, typename Moved>
    void go(const std::vector<std::string_view>& goal, const Removed& removed, const Kept& kept, const Added& added,
            const Moved& moved) {
        for (std::size_t i = entries.size(); i-- > 0;) {
            if (entries[i].to == kNone) {
                removed(i);
                entries.erase(at(i));
            }
        }
        std::vector<std::size_t> order;
        std::vector<bool> there(goal.size());
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const std::size_t to = entries[i].to;
            kept(i);
            entries[i].name = goal[to];
            there[to] = true;
            order.push_back(to);
        }
        const std::vector<bool> odd = movedOnes(order);
        for (std::size_t i = 0; i < entries.size(); ++i) {
            entries[i].settled = !odd[i];
        }
        for (std::size_t to = 0; to < goal.size(); ++to) {
            if (!there[to]) {
                const std::size_t place = home(to);
                added(to, place);
                entries.insert(at(place), {std::string(goal[to]), to});
                continue;
            }
            const std::size_t from =
                static_cast<std::size_t>(std::ranges::find(entries, to, &Entry::to) - entries.begin());
            if (!entries[from].settled) {
                Entry entry = entries[from];
                const std::size_t same = occurrence(from);
                entries.erase(at(from));
                const std::size_t place = home(to);
                moved(entry.name, same, place);
                entry.settled = true;
                entries.insert(at(place), std::move(entry));
            }
        }
    }

private:
    [[nodiscard]] std::vector<Entry>::iterator at(std::size_t i) {
        return entries.begin() + static_cast<std::ptrdiff_t>(i);
    }
    // Where an entry belongs among those that are settled.
    [[nodiscard]] std::size_t home(std::size_t to) const {
        return static_cast<std::size_t>(
            std::ranges::find_if(entries, [&](const Entry& entry) { return entry.settled && entry.to > to; }) -
            entries.begin());
    }
};

std::vector<std::size_t> inverted(const std::vector<std::size_t>& matched, std::size_t count) {
    std::vector<std::size_t> inverse(count, kNone);
    for (std::size_t i = 0; i < matched.size(); ++i) {
        if (matched[i] != kNone) {
            inverse[matched[i]] = i;
        }
    }
    return inverse;
}

// Where each element begins, and the end; empty where the bytes are damaged.
std::vector<std::size_t> elementOffsets(const ArrayView& array) {
    std::vector<std::size_t> offsets{0};
    for (std::uint64_t i = 0; i < array.length; ++i) {
        const auto element = valueAt(array.elementType, array.bytes.subspan(offsets.back()), array.layout);
        if (!element) {
            return {};
        }
        offsets.push_back(offsets.back() + static_cast<std::size_t>(element->bytes));
    }
    return offsets;
}

// The elements between a common front and a common back, where that is much less than the array.
bool addArrayChange(const std::string& key, const Value& before, const Value& after, std::vector<Change>& changes) {
    const ArrayView* a = asArray(before);
    const ArrayView* b = asArray(after);
    if (a == nullptr || b == nullptr || a->elementType != b->elementType || !(a->layout == b->layout)) {
        return false;
    }
    const auto left = elementOffsets(*a);
    const auto right = elementOffsets(*b);
    if (left.size() != a->length + 1 || right.size() != b->length + 1) {
        return false;
    }
    const auto same = [&](std::size_t i, std::size_t j) {
        return std::ranges::equal(a->bytes.subspan(left[i], left[i + 1] - left[i]),
                                  b->bytes.subspan(right[j], right[j + 1] - right[j]));
    };
    const std::size_t common = static_cast<std::size_t>(std::min(a->length, b->length));
    std::size_t front = 0;
    while (front < common && same(front, front)) {
        ++front;
    }
    std::size_t back = 0;
    while (back < common - front && same(a->length - 1 - back, b->length - 1 - back)) {
        ++back;
    }
    const std::uint64_t removed = a->length - front - back;
    const std::uint64_t inserted = b->length - front - back;
    if (inserted > b->length / 2) {
        return false;
    }
    if (removed > 0) {
        changes.emplace_back(gufo::RemoveElements{{key}, front, removed});
    }
    if (inserted > 0) {
        const Bytes bytes = b->bytes.subspan(right[front], right[b->length - back] - right[front]);
        changes.emplace_back(gufo::InsertElements{
            {key},
            front,
            OwnedValue(
                ArrayView{.elementType = b->elementType, .length = inserted, .bytes = bytes, .layout = b->layout})});
    }
    return true;
}

void addKeyChanges(const Metadata& from, const std::vector<std::size_t>& matched, const Metadata& to,
                   std::vector<Change>& changes) {
    Way way;
    std::vector<const Value*> before(to.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
        way.entries.push_back({std::string(from[KvIndex(i)].key), matched[i]});
        if (matched[i] != kNone) {
            before[matched[i]] = &from[KvIndex(i)].value;
        }
    }
    std::vector<std::string_view> goal;
    std::ranges::transform(to, std::back_inserter(goal), &KeyValue::key);
    const auto removed = [&](std::size_t at) {
        changes.emplace_back(gufo::DeleteKey{way.entries[at].name, way.occurrence(at)});
    };
    const auto kept = [&](std::size_t at) {
        const auto& [name, index, settled] = way.entries[at];
        const Value& value = to[KvIndex(index)].value;
        const std::size_t occurrence = way.occurrence(at);
        if (!OwnedValue::sameValue(*before[index], value) &&
            (occurrence != 0 || !addArrayChange(name, *before[index], value, changes))) {
            changes.emplace_back(gufo::SetKey{.key = name, .value = OwnedValue(value), .occurrence = occurrence});
        }
        if (name != goal[index]) {
            changes.emplace_back(gufo::RenameKey{name, std::string(goal[index]), occurrence});
        }
    };
    const auto added = [&](std::size_t index, std::size_t at) {
        const auto same = std::ranges::count(way.entries, goal[index], &Way::Entry::name);
        changes.emplace_back(gufo::SetKey{.key = std::string(goal[index]),
                                          .value = OwnedValue(to[KvIndex(index)].value),
                                          .position = at,
                                          .occurrence = static_cast<std::size_t>(same)});
    };
    const auto moved = [&](const std::string& name, std::size_t occurrence, std::size_t at) {
        changes.emplace_back(gufo::MoveKey{name, at, occurrence});
    };
    way.go(goal, removed, kept, added, moved);
}

// Where a tensor of the goal comes from.
struct Source {
    std::shared_ptr<const Model> model;
    std::string name;
};

template<typename SourceOf>
void addTensorChanges(const std::vector<std::string_view>& from, const std::vector<std::size_t>& matched,
                      const std::vector<std::string_view>& goal, const std::vector<bool>& changed,
                      const SourceOf& sourceOf, std::vector<Change>& changes) {
    Way way;
    for (std::size_t i = 0; i < from.size(); ++i) {
        way.entries.push_back({std::string(from[i]), matched[i]});
    }
    const auto import = [&](std::size_t index, std::optional<std::size_t> position, bool replace) {
        Source source = sourceOf(index);
        changes.emplace_back(gufo::ImportTensor{.from = std::move(source.model),
                                                .name = std::move(source.name),
                                                .newName = std::string(goal[index]),
                                                .position = position,
                                                .replace = replace});
    };
    const auto removed = [&](std::size_t at) { changes.emplace_back(gufo::DeleteTensor{way.entries[at].name}); };
    const auto kept = [&](std::size_t at) {
        const auto& [name, index, settled] = way.entries[at];
        if (name != goal[index]) {
            changes.emplace_back(gufo::RenameTensor{name, std::string(goal[index])});
        }
        if (changed[index]) {
            import(index, {}, true);
        }
    };
    const auto added = [&](std::size_t index, std::size_t at) { import(index, at, false); };
    const auto moved = [&](const std::string& name, std::size_t, std::size_t at) {
        changes.emplace_back(gufo::MoveTensor{name, at});
    };
    way.go(goal, removed, kept, added, moved);
}

std::vector<std::string_view> namesOf(const std::vector<TensorInfo>& tensors) {
    std::vector<std::string_view> names;
    std::ranges::transform(tensors, std::back_inserter(names), &TensorInfo::name);
    return names;
}

std::vector<std::string_view> namesOf(const State& state) {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < state.tensors().size(); ++i) {
        names.push_back(state.tensors()[i].name());
    }
    return names;
}

// The name that a tensor has in the model that its bytes are in.
Source sourceOf(const State& state, const Tensor& tensor) {
    const auto& model = tensor.from != nullptr ? tensor.from : state.base();
    const auto found = std::ranges::find_if(model->tensors, [&](const TensorInfo& info) {
        return info.file == tensor.info.file && info.recordOffset == tensor.info.recordOffset &&
               info.offset == tensor.info.offset && info.typeId == tensor.info.typeId;
    });
    return {model, std::string(found != model->tensors.end() ? found->name : tensor.name())};
}

void addTargetChanges(const SaveTarget& from, const SaveTarget& to, std::vector<Change>& changes) {
    if (from.version != to.version || from.byteOrder != to.byteOrder) {
        changes.emplace_back(SetTarget{.version = to.version, .byteOrder = to.byteOrder});
    }
    if (from.dropTrailingBytes != to.dropTrailingBytes) {
        changes.emplace_back(DropTrailingBytes{.drop = to.dropTrailingBytes});
    }
}

// A version that knows more comes before the changes that need it, one that knows less after those that take it away.
template<typename AddOthers>
std::vector<Change> withTarget(const SaveTarget& from, const SaveTarget& to, const AddOthers& addOthers) {
    std::vector<Change> changes;
    if (to.version >= from.version) {
        addTargetChanges(from, to, changes);
    }
    addOthers(changes);
    if (to.version < from.version) {
        addTargetChanges(from, to, changes);
    }
    return changes;
}

SaveTarget targetOf(const Model& model) { return {.version = model.version, .byteOrder = model.byteOrder}; }

// For each tensor of now, whether its bytes are those of the one of the base that it is.
bool isReplaced(const State& state, std::size_t now, std::size_t old) {
    return !sameTensor(state.tensors()[now], state.base()->tensors[old]);
}

} // namespace

std::vector<Change> changesFromBase(const State& state, const Model& current) {
    const Model& base = *state.base();
    return withTarget(targetOf(base), state.target(), [&](std::vector<Change>& changes) {
        addKeyChanges(base.metadata, inverted(matchKeys(state), base.metadata.size()), current.metadata, changes);
        const auto matched = matchTensors(state);
        std::vector<bool> changed(matched.size());
        for (std::size_t i = 0; i < matched.size(); ++i) {
            changed[i] = matched[i] != kNone && isReplaced(state, i, matched[i]);
        }
        addTensorChanges(
            namesOf(base.tensors), inverted(matched, base.tensors.size()), namesOf(state), changed,
            [&](std::size_t i) { return sourceOf(state, state.tensors()[i]); }, changes);
    });
}

std::vector<Change> changesToBase(const State& state, const Model& current) {
    const Model& base = *state.base();
    return withTarget(state.target(), targetOf(base), [&](std::vector<Change>& changes) {
        addKeyChanges(current.metadata, matchKeys(state), base.metadata, changes);
        const auto matched = matchTensors(state);
        std::vector<bool> changed(base.tensors.size());
        for (std::size_t i = 0; i < matched.size(); ++i) {
            if (matched[i] != kNone) {
                changed[matched[i]] = isReplaced(state, i, matched[i]);
            }
        }
        addTensorChanges(
            namesOf(state), matched, namesOf(base.tensors), changed,
            [&](std::size_t i) { return Source{state.base(), std::string(base.tensors[i].name)}; }, changes);
    });
}

} // namespace gufo::edit
