#include "document/net_changes.h"

#include "document/list_edits.h"
#include "model/array_index.h"
#include "model/owned_value.h"
#include "model/resized_rows.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace gufo::edit {
namespace {

std::vector<std::size_t> inverted(const std::vector<std::size_t>& matched, std::size_t count) {
    std::vector<std::size_t> inverse(count, kNone);
    for (std::size_t i = 0; i < matched.size(); ++i) {
        if (matched[i] != kNone) {
            inverse[matched[i]] = i;
        }
    }
    return inverse;
}

// Returns the offset of each element and the end; empty if the bytes are damaged.
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

// Replaces only the elements between a common prefix and suffix, where that is much less than the whole array.
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
    std::vector<const Value*> before(to.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (matched[i] != kNone) {
            before[matched[i]] = &from[KvIndex(i)].value;
        }
    }
    std::vector<std::string_view> names;
    std::vector<std::string_view> goal;
    std::ranges::transform(from, std::back_inserter(names), &KeyValue::key);
    std::ranges::transform(to, std::back_inserter(goal), &KeyValue::key);
    for (const ListEdit& edit : listEdits(names, matched, goal)) {
        const std::string name(edit.name);
        const auto value = [&]() -> const Value& { return to[KvIndex(edit.index)].value; };
        switch (edit.kind) {
        case ListEdit::Kind::Remove:
            changes.emplace_back(gufo::DeleteKey{name, edit.occurrence});
            break;
        case ListEdit::Kind::Keep: {
            const Value& old = *before[edit.index];
            if (!OwnedValue::sameValue(old, value()) &&
                (edit.occurrence != 0 || !addArrayChange(name, old, value(), changes))) {
                changes.emplace_back(
                    gufo::SetKey{.key = name, .value = OwnedValue(value()), .occurrence = edit.occurrence});
            }
            if (edit.name != goal[edit.index]) {
                changes.emplace_back(gufo::RenameKey{name, std::string(goal[edit.index]), edit.occurrence});
            }
            break;
        }
        case ListEdit::Kind::Add:
            changes.emplace_back(gufo::SetKey{
                .key = name, .value = OwnedValue(value()), .position = edit.position, .occurrence = edit.occurrence});
            break;
        case ListEdit::Kind::Move:
            changes.emplace_back(gufo::MoveKey{name, edit.position, edit.occurrence});
            break;
        }
    }
}

// Where the bytes of a goal's tensor come from.
struct Source {
    std::shared_ptr<const Model> model;
    std::string name;
    std::optional<std::uint64_t> hash{};
    std::vector<gufo::ResizeRows> resizes{}; // what was then done to its rows, in this order

    [[nodiscard]] bool isOf(const std::shared_ptr<const Model>& other, std::string_view tensor) const {
        return model == other && name == tensor;
    }
};

template<typename SourceOf>
void addTensorChanges(const std::shared_ptr<const Model>& base, const std::vector<std::string_view>& from,
                      const std::vector<std::size_t>& matched, const std::vector<std::string_view>& goal,
                      const std::vector<bool>& changed, SourceOf&& sourceOf, std::vector<Change>& changes) {
    const auto import = [&](const ListEdit& edit, std::optional<std::size_t> position, bool replace) {
        Source source = sourceOf(edit.index);
        const bool isOwn = replace && source.isOf(base, edit.name) && !source.resizes.empty();
        if (!isOwn) {
            changes.emplace_back(gufo::ImportTensor{.from = std::move(source.model),
                                                    .name = std::move(source.name),
                                                    .newName = std::string(goal[edit.index]),
                                                    .position = position,
                                                    .replace = replace,
                                                    .hash = source.hash});
        }
        for (gufo::ResizeRows& resize : source.resizes) {
            resize.name = goal[edit.index];
            changes.emplace_back(std::move(resize));
        }
    };
    for (const ListEdit& edit : listEdits(from, matched, goal)) {
        switch (edit.kind) {
        case ListEdit::Kind::Remove:
            changes.emplace_back(gufo::DeleteTensor{std::string(edit.name)});
            break;
        case ListEdit::Kind::Keep:
            if (edit.name != goal[edit.index]) {
                changes.emplace_back(gufo::RenameTensor{std::string(edit.name), std::string(goal[edit.index])});
            }
            if (changed[edit.index]) {
                import(edit, {}, true);
            }
            break;
        case ListEdit::Kind::Add:
            import(edit, edit.position, false);
            break;
        case ListEdit::Kind::Move:
            changes.emplace_back(gufo::MoveTensor{std::string(edit.name), edit.position});
            break;
        }
    }
}

std::vector<std::string_view> namesOf(const Model& model) {
    std::vector<std::string_view> names;
    names.reserve(model.tensors.size());
    std::ranges::transform(model.tensors, std::back_inserter(names), &TensorInfo::name);
    return names;
}

// Finds a tensor's name in the model that contains its bytes.
class SourceNames {
public:
    explicit SourceNames(const Lineage& lineage)
        : m_lineage(lineage) {}

    Source operator()(std::size_t tensor) {
        TensorInfo info = m_lineage.current->tensors[tensor];
        const Lineage::Import* import = m_lineage.importOf(tensor);
        info.file = import != nullptr ? import->file : info.file;
        std::shared_ptr<const Model> model = import != nullptr ? import->from : m_lineage.base;
        std::vector<gufo::ResizeRows> resizes;
        while (const auto* resized = dynamic_cast<const ResizedRows*>(model->sourceOf(info))) {
            resizes.insert(resizes.begin(), resized->change());
            info = resized->tensor();
            model = resized->from();
        }
        const auto [sorted, isNew] = m_sorted.try_emplace(model.get());
        if (isNew) {
            for (const TensorInfo& each : model->tensors) {
                sorted->second.push_back(&each);
            }
            // Of tensors with the same record, the first one comes first.
            std::ranges::sort(sorted->second, {},
                              [](const TensorInfo* each) { return std::pair(record(*each), each); });
        }
        const auto found = std::ranges::lower_bound(sorted->second, record(info), {},
                                                    [](const TensorInfo* each) { return record(*each); });
        const bool there = found != sorted->second.end() && record(**found) == record(info);
        return {std::move(model), std::string(there ? (*found)->name : info.name),
                import != nullptr ? import->hash : std::nullopt, std::move(resizes)};
    }

private:
    static std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, std::uint32_t> record(const TensorInfo& info) {
        return {static_cast<std::uint32_t>(info.file.value), info.recordOffset, info.offset, info.typeId};
    }

    const Lineage& m_lineage;
    std::map<const Model*, std::vector<const TensorInfo*>> m_sorted;
};

void addTargetChanges(const SaveTarget& from, const SaveTarget& to, std::vector<Change>& changes) {
    if (from.version != to.version || from.byteOrder != to.byteOrder) {
        changes.emplace_back(SetTarget{.version = to.version, .byteOrder = to.byteOrder});
    }
    if (from.dropTrailingBytes != to.dropTrailingBytes) {
        changes.emplace_back(DropTrailingBytes{.drop = to.dropTrailingBytes});
    }
}

// Moves to a newer version happen before the changes that need it, moves to an older version after the changes that
// allow it.
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

std::optional<Difference::ArrayChange> arrayChange(const Value& before, const Value& after) {
    const ArrayView* a = asArray(before);
    const ArrayView* b = asArray(after);
    if (a == nullptr || b == nullptr || a->elementType != b->elementType) {
        return std::nullopt;
    }
    Difference::ArrayChange change;
    change.inserted = b->length > a->length ? b->length - a->length : 0;
    change.removed = a->length > b->length ? a->length - b->length : 0;
    const std::uint64_t common = std::min(a->length, b->length);
    change.firstIndex = common;
    Bytes left = a->bytes;
    Bytes right = b->bytes;
    for (std::uint64_t i = 0; i < common; ++i) {
        const auto x = valueAt(a->elementType, left, a->layout);
        const auto y = valueAt(b->elementType, right, b->layout);
        if (!x || !y) {
            break; // the file changed
        }
        if (!OwnedValue::sameValue(x->value, y->value)) {
            change.firstIndex = std::min(change.firstIndex, i);
            ++change.changed;
        }
        left = left.subspan(static_cast<std::size_t>(x->bytes));
        right = right.subspan(static_cast<std::size_t>(y->bytes));
    }
    return change;
}

// For each key, the number of preceding keys with the same name.
std::vector<std::size_t> occurrencesIn(const Metadata& metadata) {
    std::vector<std::size_t> counts(metadata.size()); // at the first key of each name
    std::vector<std::size_t> occurrences;
    occurrences.reserve(metadata.size());
    for (const KeyValue& entry : metadata) {
        occurrences.push_back(counts[metadata.indexOf(entry.key)->value]++);
    }
    return occurrences;
}

// Returns rows for the current entries and, at their old positions, for deleted ones.
template<typename Row>
std::vector<Difference> inFileOrder(std::size_t old, const std::vector<std::size_t>& matched, const Row& rowOf,
                                    const auto& goneRow) {
    std::vector<bool> kept(old);
    for (const std::size_t j : matched) {
        if (j != kNone) {
            kept[j] = true;
        }
    }
    std::vector<Difference> rows;
    std::size_t next = 0; // index in the base of the next entry to check for deletion
    const auto showGone = [&](std::size_t end) {
        for (; next < end; ++next) {
            if (!kept[next]) {
                rows.push_back(goneRow(next));
            }
        }
    };
    for (std::size_t i = 0; i < matched.size(); ++i) {
        if (matched[i] != kNone && matched[i] >= next) {
            showGone(matched[i]);
        }
        if (auto row = rowOf(i)) {
            rows.push_back(*std::move(row));
        }
    }
    showGone(old);
    return rows;
}

std::vector<Difference> keyDifferences(const Lineage& lineage) {
    const Metadata& old = lineage.base->metadata;
    const Metadata& current = lineage.current->metadata;
    const auto oldName = [&](std::size_t j) { return old[KvIndex(j)].key; };
    const std::vector<std::size_t> matched = matchKeys(lineage);
    const std::vector<bool> moved = movedOnes(matched);
    const std::vector<std::size_t> occurrences = occurrencesIn(current);
    const std::vector<std::size_t> oldOccurrences = occurrencesIn(old);
    const auto row = [&](std::size_t i) -> std::optional<Difference> {
        const KeyValue& now = current[KvIndex(i)];
        Difference difference{.subject = Difference::Subject::Key, .name = std::string(now.key)};
        const std::size_t j = matched[i];
        if (j == kNone) {
            difference.added = true;
        } else {
            const Value& before = old[KvIndex(j)].value;
            difference.oldName = oldName(j);
            difference.renamed = oldName(j) != now.key;
            difference.moved = moved[i];
            difference.before = before;
            if (lineage.editedKeys[i] || lineage.keyOrigins[i] != j) {
                difference.changed = !OwnedValue::sameValue(before, now.value);
                difference.array = difference.changed ? arrayChange(before, now.value) : std::nullopt;
            }
            if (!difference.renamed && !difference.moved && !difference.changed) {
                return std::nullopt;
            }
        }
        difference.after = now.value;
        difference.occurrence = occurrences[i];
        return difference;
    };
    const auto gone = [&](std::size_t j) {
        return Difference{.subject = Difference::Subject::Key,
                          .deleted = true,
                          .name = std::string(oldName(j)),
                          .oldName = std::string(oldName(j)),
                          .occurrence = oldOccurrences[j],
                          .before = old[KvIndex(j)].value};
    };
    return inFileOrder(old.size(), matched, row, gone);
}

std::vector<Difference> tensorDifferences(const Lineage& lineage) {
    const SharedVector<TensorInfo>& tensors = lineage.current->tensors;
    const SharedVector<TensorInfo>& old = lineage.base->tensors;
    const std::vector<std::size_t> matched = matchTensors(lineage);
    const std::vector<bool> moved = movedOnes(matched);
    const auto row = [&](std::size_t i) -> std::optional<Difference> {
        const std::size_t j = matched[i];
        const bool added = j == kNone;
        const bool changed = !added && !lineage.isSameTensor(i, j);
        const bool renamed = !added && old[j].name != tensors[i].name;
        if (!added && !renamed && !moved[i] && !changed) {
            return std::nullopt;
        }
        return Difference{.subject = Difference::Subject::Tensor,
                          .added = added,
                          .changed = changed,
                          .renamed = renamed,
                          .moved = !added && moved[i],
                          .name = std::string(tensors[i].name),
                          .oldName = added ? std::string() : std::string(old[j].name)};
    };
    const auto gone = [&](std::size_t j) {
        return Difference{.subject = Difference::Subject::Tensor,
                          .deleted = true,
                          .name = std::string(old[j].name),
                          .oldName = std::string(old[j].name)};
    };
    return inFileOrder(old.size(), matched, row, gone);
}

bool sameKeys(const Model& base, const Model& current) {
    return &base == &current ||
           std::equal(base.metadata.begin(), base.metadata.end(), current.metadata.begin(), current.metadata.end(),
                      [](const KeyValue& a, const KeyValue& b) {
                          return a.key == b.key && a.file == b.file && OwnedValue::sameValue(a.value, b.value);
                      });
}

bool sameTensors(const Model& base, const Model& current) {
    return std::ranges::equal(base.tensors, current.tensors, [](const TensorInfo& a, const TensorInfo& b) {
        return a.name == b.name && a.file == b.file && a.offset == b.offset && a.typeId == b.typeId &&
               a.shape == b.shape;
    });
}

} // namespace

std::vector<Change> changesFromBase(const Lineage& lineage) {
    const Model& base = *lineage.base;
    const Model& current = *lineage.current;
    return withTarget(targetOf(base), lineage.target, [&](std::vector<Change>& changes) {
        if (&base == &current) {
            return;
        }
        addKeyChanges(base.metadata, inverted(matchKeys(lineage), base.metadata.size()), current.metadata, changes);
        if (lineage.sameTensors) {
            return;
        }
        const auto matched = matchTensors(lineage);
        std::vector<bool> changed(matched.size());
        for (std::size_t i = 0; i < matched.size(); ++i) {
            changed[i] = matched[i] != kNone && !lineage.isSameTensor(i, matched[i]);
        }
        SourceNames sources(lineage);
        addTensorChanges(lineage.base, namesOf(base), inverted(matched, base.tensors.size()), namesOf(current), changed,
                         sources, changes);
    });
}

std::vector<Change> changesToBase(const Lineage& lineage) {
    const Model& base = *lineage.base;
    const Model& current = *lineage.current;
    return withTarget(lineage.target, targetOf(base), [&](std::vector<Change>& changes) {
        if (&base == &current) {
            return;
        }
        addKeyChanges(current.metadata, matchKeys(lineage), base.metadata, changes);
        if (lineage.sameTensors) {
            return;
        }
        const auto matched = matchTensors(lineage);
        std::vector<bool> changed(base.tensors.size());
        for (std::size_t i = 0; i < matched.size(); ++i) {
            if (matched[i] != kNone) {
                changed[matched[i]] = !lineage.isSameTensor(i, matched[i]);
            }
        }
        const auto sourceOf = [&](std::size_t i) { return Source{lineage.base, std::string(base.tensors[i].name)}; };
        addTensorChanges(lineage.base, namesOf(current), matched, namesOf(base), changed, sourceOf, changes);
    });
}

TensorDifferences tensorDifferencesOf(const Lineage& lineage) {
    if (lineage.sameTensors) {
        return {};
    }
    return {.same = sameTensors(*lineage.base, *lineage.current), .rows = tensorDifferences(lineage)};
}

std::vector<Difference> differencesOf(const Lineage& lineage, const TensorDifferences& tensors) {
    const Model& base = *lineage.base;
    std::vector<Difference> rows;
    if (!tensors.same || !sameKeys(base, *lineage.current)) {
        rows = keyDifferences(lineage);
        rows.insert(rows.end(), tensors.rows.begin(), tensors.rows.end());
    }
    const auto target = [&](bool differs, const char* name) {
        if (differs) {
            rows.push_back({.subject = Difference::Subject::Target, .changed = true, .name = name, .oldName = name});
        }
    };
    target(lineage.target.version != base.version, "version");
    target(lineage.target.byteOrder != base.byteOrder, "byte_order");
    target(lineage.target.dropTrailingBytes, "trailing_bytes");
    return rows;
}

} // namespace gufo::edit
