#include "document/revert.h"

#include "base/detail.h"
#include "document/save_rules.h"
#include "model/encode_value.h"
#include "model/resized_rows.h"

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
        static_cast<void>(applyChanges(state, more)); // the caller applies them all, and reports refusals
        std::ranges::move(more, std::back_inserter(changes));
    }
    return changes;
}

namespace {

class Applier {
public:
    explicit Applier(State& state)
        : m_state(state) {}

    Result<> operator()(const gufo::SetKey& change);
    Result<> operator()(const gufo::DeleteKey& change);
    Result<> operator()(const gufo::RenameKey& change);
    Result<> operator()(const gufo::MoveKey& change);
    Result<> operator()(const gufo::SetElement& change);
    Result<> operator()(const gufo::InsertElements& change);
    Result<> operator()(const gufo::RemoveElements& change);
    Result<> operator()(const gufo::RenameTensor& change);
    Result<> operator()(const gufo::DeleteTensor& change);
    Result<> operator()(const gufo::MoveTensor& change);
    Result<> operator()(const gufo::ImportTensor& change);
    Result<> operator()(const gufo::ResizeRows& change);
    Result<> operator()(const gufo::SetTarget& change);
    Result<> operator()(const gufo::DropTrailingBytes& change);

    void takeBack() {
        for (auto piece = m_inverse.rbegin(); piece != m_inverse.rend(); ++piece) {
            static_cast<void>(m_state.apply(*piece));
        }
    }
    [[nodiscard]] Applied take() {
        std::ranges::reverse(m_inverse);
        return {std::move(m_inverse), std::move(m_touched)};
    }

private:
    Result<> make(const Piece& piece) {
        auto inverse = GUFO_TRY(m_state.apply(piece));
        addTouched(m_touched, piece);
        m_inverse.push_back(std::move(inverse));
        return {};
    }
    Result<> splice(const ArrayPath& array, std::uint64_t index, std::uint64_t count, OwnedValue elements) {
        return make(SpliceArray{.key = {array.key},
                                .path = array.indices,
                                .index = index,
                                .count = count,
                                .elements = std::move(elements)});
    }

    State& m_state;
    std::vector<Piece> m_inverse;
    TouchedParts m_touched;
};

Result<> Applier::operator()(const gufo::SetKey& change) {
    GUFO_TRY(checkKey(m_state, change.key, change.value.value()));
    if (Key* key = m_state.keys().find(change.key, change.occurrence); key != nullptr) {
        const bool same = OwnedValue::sameValue(m_state.valueOf(*key), change.value.value());
        return same ? Result<>() : make(ReplaceValue{{change.key, change.occurrence}, change.value});
    }
    if (change.occurrence != 0 && !mayRepeat(m_state, change.key)) {
        return fail(ErrorCode::NoSuchKey, Place::key(change.key), {change.key});
    }
    return make(InsertKey{
        .position = change.position.value_or(m_state.keys().size()), .key = change.key, .value = change.value});
}

Result<> Applier::operator()(const gufo::DeleteKey& change) {
    GUFO_TRY(checkKeyMayGo(m_state, change.key));
    return make(RemoveKey{{change.key, change.occurrence}});
}

Result<> Applier::operator()(const gufo::RenameKey& change) {
    Key* key = m_state.keys().find(change.key, change.occurrence);
    if (key == nullptr) {
        return fail(ErrorCode::NoSuchKey, Place::key(change.key), {change.key});
    }
    if (change.key == change.newKey) {
        return {};
    }
    if (m_state.keys().find(change.newKey) != nullptr && !mayRepeat(m_state, change.newKey)) {
        return fail(ErrorCode::InvalidArgument, Place::key(change.newKey), {Detail::KeyExists});
    }
    GUFO_TRY(checkKeyMayGo(m_state, change.key));
    GUFO_TRY(checkKey(m_state, change.newKey, m_state.valueOf(*key)));
    return make(RenameKey{{change.key, change.occurrence}, change.newKey});
}

Result<> Applier::operator()(const gufo::MoveKey& change) {
    return make(MoveKey{{change.key, change.occurrence}, change.position});
}

Result<> Applier::operator()(const gufo::SetElement& change) {
    const Value& value = change.value.value();
    std::vector<std::byte> bytes;
    const ValueLayout layout = asArray(value) != nullptr ? asArray(value)->layout : ValueLayout();
    GUFO_TRY(checkElement(change.array, value));
    if (!appendValue(bytes, value, layout)) {
        return fail(ErrorCode::InvalidArgument, Place::key(change.array.key, change.index), {Detail::ArrayDamaged});
    }
    return splice(change.array, change.index, 1, OwnedValue::array(typeOf(value), 1, std::move(bytes), layout));
}

Result<> Applier::operator()(const gufo::InsertElements& change) {
    GUFO_TRY(checkElements(change.array, change.elements.value()));
    return splice(change.array, change.index, 0, change.elements);
}

Result<> Applier::operator()(const gufo::RemoveElements& change) {
    return splice(change.array, change.index, change.count, OwnedValue::array(ValueType::UInt8, 0, {}));
}

Result<> Applier::operator()(const gufo::RenameTensor& change) {
    if (change.name != change.newName) {
        GUFO_TRY(checkTensorName(m_state, change.newName));
    } else if (m_state.tensors().find(change.name) != nullptr) {
        return {};
    }
    return make(RenameTensor{{change.name}, change.newName});
}

Result<> Applier::operator()(const gufo::DeleteTensor& change) { return make(RemoveTensor{{change.name}}); }

Result<> Applier::operator()(const gufo::MoveTensor& change) {
    return make(MoveTensor{{change.name}, change.position});
}

Result<> Applier::operator()(const gufo::ImportTensor& change) {
    const auto index = change.from != nullptr ? change.from->findTensor(change.name) : std::nullopt;
    if (!index) {
        return fail(ErrorCode::NoSuchTensor, Place::tensor(change.name), {change.name});
    }
    const TensorInfo& info = change.from->tensor(*index);
    GUFO_TRY(checkImport(m_state, *change.from, info));
    std::size_t position = change.position.value_or(m_state.tensors().size());
    if (change.replace) {
        const Tensor* old = m_state.tensors().find(change.newName);
        if (old == nullptr) {
            return fail(ErrorCode::NoSuchTensor, Place::tensor(change.newName), {change.newName});
        }
        position = m_state.tensors().positionOf(*old);
        GUFO_TRY(make(RemoveTensor{{change.newName}}));
    } else if (auto fits = checkTensorName(m_state, change.newName); !fits) {
        return fits;
    }
    TensorInfo imported = info;
    imported.ownType = {}; // GGUF has its own name for the type
    return make(InsertTensor{
        .position = position, .name = change.newName, .info = imported, .from = change.from, .hash = change.hash});
}

Result<> Applier::operator()(const gufo::ResizeRows& change) {
    const Tensor* old = m_state.tensors().find(change.name);
    if (old == nullptr) {
        return fail(ErrorCode::NoSuchTensor, Place::tensor(change.name), {change.name});
    }
    const auto resized =
        GUFO_TRY(ResizedRows::resize(old->from != nullptr ? old->from : m_state.base(), old->info, change));
    const TensorInfo& info = resized->tensors.front();
    GUFO_TRY(checkImport(m_state, *resized, info));
    const std::size_t position = m_state.tensors().positionOf(*old);
    GUFO_TRY(make(RemoveTensor{{change.name}}));
    // It still is the tensor of the base, also if it is renamed later.
    const std::optional<Origin> origin = std::get<InsertTensor>(m_inverse.back()).origin;
    return make(
        InsertTensor{.position = position, .name = change.name, .info = info, .from = resized, .origin = origin});
}

Result<> Applier::operator()(const gufo::SetTarget& change) {
    SaveTarget target = m_state.target();
    target.version = change.version.value_or(target.version);
    target.byteOrder = change.byteOrder.value_or(target.byteOrder);
    GUFO_TRY(checkTarget(m_state, target));
    return make(SetSaveTarget{target});
}

Result<> Applier::operator()(const gufo::DropTrailingBytes& change) {
    SaveTarget target = m_state.target();
    target.dropTrailingBytes = change.drop;
    return make(SetSaveTarget{target});
}

} // namespace

void addTouched(TouchedParts& touched, const Piece& piece) {
    const auto key = [&](const std::string& name, bool order) {
        touched.keys.insert(name);
        touched.keyOrder = touched.keyOrder || order;
    };
    std::visit(
        [&]<typename T>(const T& p) {
            if constexpr (std::is_same_v<T, InsertKey>) {
                key(p.key, true);
            } else if constexpr (std::is_same_v<T, RemoveKey> || std::is_same_v<T, MoveKey>) {
                key(p.key.key, true);
            } else if constexpr (std::is_same_v<T, RenameKey>) {
                key(p.key.key, true);
                key(p.newKey, true);
            } else if constexpr (std::is_same_v<T, ReplaceValue> || std::is_same_v<T, SpliceText> ||
                                 std::is_same_v<T, SpliceArray>) {
                key(p.key.key, false);
            } else if constexpr (std::is_same_v<T, SetSaveTarget>) {
                touched.target = true;
            } else {
                touched.tensors = true;
            }
        },
        piece);
}

Result<Applied> applyChanges(State& state, const std::vector<Change>& changes) {
    Applier applier(state);
    for (const Change& change : changes) {
        auto done = std::visit(applier, change);
        if (!done) {
            applier.takeBack();
            return std::unexpected(std::move(done).error());
        }
    }
    return applier.take();
}

} // namespace gufo::edit
