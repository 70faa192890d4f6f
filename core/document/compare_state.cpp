#include "document/compare_state.h"

#include "document/list_edits.h"
#include "model/array_index.h"
#include "model/owned_value.h"

#include <algorithm>

namespace gufo::edit {
namespace {

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
    const std::vector<TensorInfo>& tensors = lineage.current->tensors;
    const std::vector<TensorInfo>& old = lineage.base->tensors;
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
