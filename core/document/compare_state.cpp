#include "document/compare_state.h"

#include "model/array_index.h"

#include <algorithm>
#include <map>

namespace gufo::edit {
namespace {

// Which entry of the base each entry of now is. `nowName(i)`, `origin(i)`, `oldName(j)`.
template<typename NowName, typename Origin, typename OldName>
std::vector<std::size_t> match(std::size_t now, std::size_t old, const NowName& nowName, const Origin& origin,
                               const OldName& oldName) {
    std::vector<std::size_t> matched(now, kNone);
    std::vector<bool> taken(old);
    const auto take = [&](std::size_t i, std::size_t j) {
        matched[i] = j;
        taken[j] = true;
    };
    for (std::size_t i = 0; i < now; ++i) { // itself, under its name
        if (const auto j = origin(i); j && oldName(*j) == nowName(i)) {
            take(i, *j);
        }
    }
    std::multimap<std::string_view, std::size_t> free; // deleted, and perhaps made again
    for (std::size_t j = 0; j < old; ++j) {
        if (!taken[j]) {
            free.emplace(oldName(j), j);
        }
    }
    for (std::size_t i = 0; i < now && !free.empty(); ++i) {
        if (const auto it = matched[i] == kNone ? free.find(nowName(i)) : free.end(); it != free.end()) {
            take(i, it->second);
            free.erase(it);
        }
    }
    for (std::size_t i = 0; i < now; ++i) { // renamed
        if (const auto j = matched[i] == kNone ? origin(i) : std::nullopt; j && !taken[*j]) {
            take(i, *j);
        }
    }
    return matched;
}

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
            break; // the file changed underneath
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

std::size_t occurrenceBefore(const Metadata& metadata, std::size_t position) {
    const std::string_view key = metadata[KvIndex(position)].key;
    if (metadata.indexOf(key) == KvIndex(position)) {
        return 0;
    }
    return static_cast<std::size_t>(std::count_if(metadata.begin(),
                                                  metadata.begin() + static_cast<std::ptrdiff_t>(position),
                                                  [&](const KeyValue& entry) { return entry.key == key; }));
}

// The rows of what is there now and, where they stood, of what is gone.
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
    std::size_t next = 0; // of the base, whose deleted entries are still to be shown
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

std::vector<Difference> keyDifferences(const State& state, const Model& current) {
    const NamedList<Key>& keys = state.keys();
    const Metadata& old = state.base()->metadata;
    const auto oldName = [&](std::size_t j) { return old[KvIndex(j)].key; };
    const std::vector<std::size_t> matched = matchKeys(state);
    const std::vector<bool> moved = movedOnes(matched);
    const auto row = [&](std::size_t i) -> std::optional<Difference> {
        const KeyValue& now = current.metadata[KvIndex(i)];
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
            if (keys[i].edited || keys[i].origin != j) {
                difference.changed = !OwnedValue::sameValue(before, now.value);
                difference.array = difference.changed ? arrayChange(before, now.value) : std::nullopt;
            }
            if (!difference.renamed && !difference.moved && !difference.changed) {
                return std::nullopt;
            }
        }
        difference.after = now.value;
        difference.occurrence = occurrenceBefore(current.metadata, i);
        return difference;
    };
    const auto gone = [&](std::size_t j) {
        return Difference{.subject = Difference::Subject::Key,
                          .deleted = true,
                          .name = std::string(oldName(j)),
                          .oldName = std::string(oldName(j)),
                          .occurrence = occurrenceBefore(old, j),
                          .before = old[KvIndex(j)].value};
    };
    return inFileOrder(old.size(), matched, row, gone);
}

std::vector<Difference> tensorDifferences(const State& state) {
    const NamedList<Tensor>& tensors = state.tensors();
    const std::vector<TensorInfo>& old = state.base()->tensors;
    const std::vector<std::size_t> matched = matchTensors(state);
    const std::vector<bool> moved = movedOnes(matched);
    const auto row = [&](std::size_t i) -> std::optional<Difference> {
        Difference difference{.subject = Difference::Subject::Tensor, .name = std::string(tensors[i].name())};
        if (const std::size_t j = matched[i]; j == kNone) {
            difference.added = true;
        } else {
            difference.oldName = old[j].name;
            difference.renamed = difference.oldName != difference.name;
            difference.moved = moved[i];
            difference.changed = !sameTensor(tensors[i], old[j]);
            if (!difference.renamed && !difference.moved && !difference.changed) {
                return std::nullopt;
            }
        }
        return difference;
    };
    const auto gone = [&](std::size_t j) {
        return Difference{.subject = Difference::Subject::Tensor,
                          .deleted = true,
                          .name = std::string(old[j].name),
                          .oldName = std::string(old[j].name)};
    };
    return inFileOrder(old.size(), matched, row, gone);
}

} // namespace

std::vector<bool> movedOnes(const std::vector<std::size_t>& matched) {
    std::vector<std::size_t> tails;                           // entry that ends the best run of each length
    std::vector<std::size_t> previous(matched.size(), kNone); // in its run
    for (std::size_t i = 0; i < matched.size(); ++i) {
        if (matched[i] == kNone) {
            continue;
        }
        const auto at = std::ranges::lower_bound(tails, matched[i], {}, [&](std::size_t t) { return matched[t]; });
        previous[i] = at == tails.begin() ? kNone : *std::prev(at);
        if (at == tails.end()) {
            tails.push_back(i);
        } else {
            *at = i;
        }
    }
    std::vector<bool> moved(matched.size());
    for (std::size_t i = 0; i < matched.size(); ++i) {
        moved[i] = matched[i] != kNone;
    }
    for (std::size_t i = tails.empty() ? kNone : tails.back(); i != kNone; i = previous[i]) {
        moved[i] = false;
    }
    return moved;
}

std::vector<std::size_t> matchKeys(const State& state) {
    const NamedList<Key>& keys = state.keys();
    const Metadata& old = state.base()->metadata;
    return match(
        keys.size(), old.size(), [&](std::size_t i) { return keys[i].name(); },
        [&](std::size_t i) { return keys[i].origin; }, [&](std::size_t j) { return old[KvIndex(j)].key; });
}

std::vector<std::size_t> matchTensors(const State& state) {
    const NamedList<Tensor>& tensors = state.tensors();
    const std::vector<TensorInfo>& old = state.base()->tensors;
    return match(
        tensors.size(), old.size(), [&](std::size_t i) { return tensors[i].name(); },
        [&](std::size_t i) { return tensors[i].origin; }, [&](std::size_t j) { return old[j].name; });
}

bool sameTensor(const Tensor& now, const TensorInfo& old) {
    return now.from == nullptr && now.info.file == old.file && now.info.offset == old.offset &&
           now.info.typeId == old.typeId && now.info.shape == old.shape;
}

bool sameContent(const Model& base, const Model& current) {
    return std::equal(base.metadata.begin(), base.metadata.end(), current.metadata.begin(), current.metadata.end(),
                      [](const KeyValue& a, const KeyValue& b) {
                          return a.key == b.key && a.file == b.file && OwnedValue::sameValue(a.value, b.value);
                      }) &&
           std::ranges::equal(base.tensors, current.tensors, [](const TensorInfo& a, const TensorInfo& b) {
               return a.name == b.name && a.file == b.file && a.offset == b.offset && a.typeId == b.typeId &&
                      a.shape == b.shape;
           });
}

std::vector<Difference> differencesOf(const State& state, const Model& current) {
    const Model& base = *state.base();
    std::vector<Difference> rows;
    if (!sameContent(base, current)) {
        rows = keyDifferences(state, current);
        std::ranges::move(tensorDifferences(state), std::back_inserter(rows));
    }
    const auto target = [&](bool differs, const char* name) {
        if (differs) {
            rows.push_back({.subject = Difference::Subject::Target, .changed = true, .name = name, .oldName = name});
        }
    };
    target(state.target().version != base.version, "version");
    target(state.target().byteOrder != base.byteOrder, "byte_order");
    target(state.target().dropTrailingBytes, "trailing_bytes");
    return rows;
}

} // namespace gufo::edit
